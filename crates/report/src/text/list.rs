//! The techniques of a family.

use super::{Paint, Style};
use crate::layout::{Align, Table, paragraph};
use crate::pages::Listing;

/// The techniques of each family, and why one is not available here.
pub fn list(listings: &[Listing], style: &Style) -> String {
    let pages: Vec<String> = listings.iter().map(|listing| one(listing, style)).collect();
    pages.join("\n")
}

fn one(listing: &Listing, style: &Style) -> String {
    let title = format!("{}: {}", listing.family, listing.question);
    let mut out = style.painted(Paint::Title, &paragraph("", &title, style));
    let mut table = Table::new([
        ("technique", Align::Left),
        ("published as", Align::Left),
        ("here", Align::Left),
        ("idea", Align::Fold),
    ]);
    for row in &listing.rows {
        let mut below: Vec<String> = row.variant_of.iter().map(|base| format!("variant of {base}")).collect();
        if let Err(reason) = &row.available {
            below.push(format!("not here: {reason}"));
        }
        if style.verbose {
            below.push(format!("from: {}", row.source));
        }
        let (word, paint) =
            if row.available.is_ok() { ("ready", Paint::Plain) } else { ("no", Paint::Faint) };
        let cells = vec![row.name.clone(), row.aliases.join(" "), word.to_owned(), row.idea.clone()];
        table.row(cells, paint, below);
    }
    if listing.rows.is_empty() {
        out.push_str(&paragraph("  ", "no technique", style));
    }
    out.push_str(&table.render(style));
    for (name, meaning, example) in &listing.axes {
        out.push_str(&paragraph("  ", &format!("--set {name}={example}: {meaning}"), style));
    }
    for (name, what) in &listing.quantities {
        out.push_str(&paragraph("  ", &format!("--metric {name}: {what}"), style));
    }
    out
}
