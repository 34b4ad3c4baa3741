//! The smallest difference that this host can resolve.

use model::format_ns;
use serde_json::Value;

use super::Page;
use super::blocks::{Align, Block, Extent, Remark, Sections, Table, Tone};
use crate::json;
use crate::pages::{NoisePage, NoiseRow};
use crate::words::phrase;
use crate::words::units::percent;

/// The smallest difference that identical techniques, raced against each other, allow one to see: a row for each length
/// of sample.
impl Page for NoisePage {
    fn title(&self) -> String {
        "The smallest difference this host can resolve".to_owned()
    }

    fn blocks(&self, _: Extent) -> Sections {
        let title = "The smallest difference this host can resolve: identical techniques against each other";
        let mut table = Table::new([
            ("a sample takes", Align::Right),
            ("rounds", Align::Right),
            ("smallest difference", Align::Right),
            ("twins differ by", Align::Right),
            ("spread", Align::Right),
            ("the instrument", Align::Fold),
        ]);
        let word = |fraction: Option<f64>| fraction.map_or("?".to_owned(), percent);
        for row in &self.rows {
            let NoiseRow { sample_ns, rounds, smallest, measured_floor, robust_spread, told_apart } = row;
            let cells = [
                sample_ns.map_or("?".to_owned(), format_ns),
                rounds.to_string(),
                word(*smallest),
                word(*measured_floor),
                word(*robust_spread),
                phrase::instrument(*rounds, *told_apart).to_owned(),
            ];
            table.row(cells, if *told_apart { Tone::Bad } else { Tone::Plain });
        }
        let notes = self.notes.iter().map(|note| Remark::new("note", note.as_str(), Tone::Doubt));
        let controls = Remark::new("controls", phrase::noise_controls(self), Tone::Faint);
        let remarks = notes.chain([controls]).collect();
        vec![vec![Block::heading(title), Block::Table(table), Block::Remarks(remarks)]]
    }

    fn json(&self) -> Value {
        json::document(self)
    }
}
