//! What this host lets one tell apart.

use model::format_ns;

use super::{Paint, Style};
use crate::layout::{Align, Table, paragraph};
use crate::pages::{NoisePage, NoiseRow};
use crate::phrase;
use crate::units::percent;

/// The smallest difference that identical techniques, raced against each other, allow one to see: a row for each length
/// of sample.
pub fn noise(page: &NoisePage, style: &Style) -> String {
    let title = "What this host lets one tell apart: identical techniques against each other";
    let mut out = style.painted(Paint::Title, &paragraph("", title, style));
    let mut table = Table::new([
        ("a sample takes", Align::Right),
        ("rounds", Align::Right),
        ("smallest difference", Align::Right),
        ("twins differ by", Align::Right),
        ("spread", Align::Right),
        ("the instrument", Align::Fold),
    ]);
    let word = |fraction: Option<f64>| fraction.map_or("?".to_owned(), percent);
    for row in &page.rows {
        let NoiseRow { sample_ns, rounds, smallest, measured_floor, robust_spread, told_apart } = row;
        let paint = if *told_apart { Paint::Bad } else { Paint::Plain };
        let cells = vec![
            format_ns(*sample_ns),
            rounds.to_string(),
            word(*smallest),
            word(*measured_floor),
            word(*robust_spread),
            phrase::instrument(*told_apart).to_owned(),
        ];
        table.row(cells, paint, Vec::new());
    }
    out.push_str(&table.render(style));
    for note in &page.notes {
        out.push_str(&style.painted(Paint::Doubt, &paragraph("note: ", note, style)));
    }
    let controls = phrase::noise_controls(page);
    out.push_str(&style.painted(Paint::Faint, &paragraph("controls: ", &controls, style)));
    out
}
