//! The techniques of a family.
use serde_json::Value;

use super::Page;
use super::blocks::{Align, Block, Cell, Extent, Remark, Row, Section, Sections, Table, Tone};
use crate::json;
use crate::pages::Listing;

/// The techniques of each family, and why one is not available here.
impl Page for [Listing] {
    fn title(&self) -> String {
        "Techniques".to_owned()
    }

    fn blocks(&self, _: Extent) -> Sections {
        self.iter().map(one).collect()
    }

    fn json(&self) -> Value {
        json::list(self)
    }
}

fn one(listing: &Listing) -> Section {
    let mut section = vec![Block::heading(format!("{}: {}", listing.family, listing.question))];
    let mut table = Table::new([
        ("technique", Align::Left),
        ("published as", Align::Left),
        ("here", Align::Left),
        ("idea", Align::Fold),
    ]);
    for row in &listing.rows {
        let mut notes: Vec<String> = row.variant_of.iter().map(|base| format!("variant of {base}")).collect();
        if let Err(reason) = &row.available {
            notes.push(format!("not here: {reason}"));
        }
        notes.push(format!("from: {}", row.source));
        let (word, tone) = if row.available.is_ok() { ("ready", Tone::Plain) } else { ("no", Tone::Faint) };
        let cells = vec![
            Cell::Names(vec![row.name.clone()]),
            Cell::Names(row.aliases.clone()),
            word.into(),
            row.idea.clone().into(),
        ];
        table.rows.push(Row { cells, tone, notes, bar: None });
    }
    section.push(match listing.rows.is_empty() {
        true => Block::Sentence("no technique".to_owned(), Tone::Plain),
        false => Block::Table(table),
    });
    let size = listing.size.iter().map(|size| {
        let text = format!("size of what it works on (by default {size})");
        Remark::new(format!("--size {size}"), text, Tone::Plain)
    });
    let axes = listing.axes.iter().map(|axis| {
        let shown = axis.default.as_ref().unwrap_or(&axis.example);
        let default = axis.default.as_ref();
        let default = default.map_or("not set by default".to_owned(), |value| format!("by default {value}"));
        let mut said = vec![default];
        said.extend(axis.range.as_ref().map(|(least, most)| format!("from {least} to {most}")));
        let text = format!("{} ({})", axis.meaning, said.join("; "));
        Remark::new(format!("--set {}={shown}", axis.name), text, Tone::Plain)
    });
    let quantities = listing.quantities.iter();
    let quantities =
        quantities.map(|(name, what)| Remark::new(format!("--metric {name}"), what.as_str(), Tone::Plain));
    section.push(Block::Remarks(size.chain(axes).chain(quantities).collect()));
    section
}
