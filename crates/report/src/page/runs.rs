//! The stored runs.

use model::Summary;
use serde_json::{Value, json};

use super::Page;
use super::blocks::{Align, Block, Cell, Extent, Row, Sections, Table, Tone};

/// One row a stored run, in the order given.
impl Page for [Summary] {
    fn title(&self) -> String {
        "Stored runs".to_owned()
    }

    fn blocks(&self, _: Extent) -> Sections {
        if self.is_empty() {
            let text = "No run is stored yet: bakeoff run makes the first.";
            return vec![vec![Block::Sentence(text.to_owned(), Tone::Plain)]];
        }
        let mut table = Table::new([
            ("run", Align::Left),
            ("began", Align::Left),
            ("host", Align::Left),
            ("preset", Align::Left),
            ("families", Align::Fold),
            ("trials", Align::Right),
            ("samples", Align::Right),
            ("failures", Align::Right),
            ("", Align::Left),
        ]);
        table.spare = vec![3];
        for run in self {
            let (word, tone) = if run.complete { ("", Tone::Plain) } else { ("incomplete", Tone::Doubt) };
            let texts = [
                run.started.clone(),
                run.host.clone().unwrap_or("?".to_owned()),
                run.preset.to_string(),
                run.families.join(" "),
                run.trials.to_string(),
                run.samples.to_string(),
                run.failures.to_string(),
                word.to_owned(),
            ];
            let id = Cell::Names(vec![run.id.to_string()]);
            let cells = std::iter::once(id).chain(texts.map(Cell::from)).collect();
            table.rows.push(Row { cells, tone, ..Row::default() });
        }
        vec![vec![Block::Table(table)]]
    }

    fn json(&self) -> Value {
        json!(self)
    }
}
