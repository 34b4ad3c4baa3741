//! Blocks as HTML: a thin writer, as those for terminal and Markdown are.

use maud::{Markup, html};

use crate::page::blocks::{Align, Block, Cell, Levels, Remark, Table, Tone};
use crate::text::layout::{columns, plain};
use crate::words::phrase;

/// More rows are not written; they stand in the JSON of the run.
const MOST_ROWS: usize = 200;

/// Pixels of the text next to which a table may need more, and of a wide page.
const TEXT_WIDTH: usize = 1040;
const MOST_WIDTH: usize = 1376;
/// About the pixels of a letter in a table, and those between two columns.
const LETTER: usize = 7;
const GAP: usize = 20;
/// A longer text in a cell is folded, to about this many letters.
const MOST_IN_A_LINE: usize = 24;
const LEAST_FOLDED: usize = 23;

pub(super) fn section(section: &[Block]) -> Markup {
    html! { @for one in section { (block(one)) } }
}

pub(super) fn block(block: &Block) -> Markup {
    match block {
        Block::Heading { text, conditions } => heading(text, conditions.as_deref(), None),
        Block::Answer(text, tone) => html! { p.sent.doubt[*tone == Tone::Bad] { (plain(text)) } },
        Block::Sentence(text, Tone::Faint) => html! { p.note { (plain(text)) } },
        Block::Sentence(text, _) => html! { p.body { (plain(text)) } },
        Block::Answers(remarks) | Block::Remarks(remarks) => self::remarks(remarks.iter()),
        Block::Table(one) => table(one),
        Block::Levels(one) => levels(one),
        Block::Code { summary, code } => html! {
            @match summary {
                None => pre tabindex="0" { code { (code) } },
                Some(text) => details { summary { (plain(text)) } pre tabindex="0" { code { (code) } } },
            }
        },
    }
}

/// A heading, where a link leads to it with its identifier.
pub(super) fn heading(text: &str, conditions: Option<&str>, id: Option<&str>) -> Markup {
    html! {
        h3 id=[id.map(|id| format!("h-{id}"))] { (plain(text)) }
        @if let Some(conditions) = conditions { p.cond { (plain(conditions)) } }
    }
}

pub(super) fn remarks<'a>(remarks: impl Iterator<Item = &'a Remark>) -> Markup {
    let mut remarks = remarks.peekable();
    html! {
        @if remarks.peek().is_some() {
            ul.remarks {
                @for Remark { head, text, tone } in remarks {
                    li.bad[*tone == Tone::Bad] {
                        @if !head.is_empty() { b { (plain(head)) } }
                        span { (plain(text)) }
                    }
                }
            }
        }
    }
}

/// A table behind a line that opens it; nothing where it has no rows.
pub(super) fn folded(table: &Table, is_open: bool) -> Markup {
    html! {
        @if !table.rows.is_empty() {
            details open[is_open] {
                summary { "Table: " (table.about) }
                (self::table(table))
            }
        }
    }
}

/// A table. A column that is empty in all rows is left out.
pub(super) fn table(table: &Table) -> Markup {
    let mut filled: Vec<usize> = (0..table.columns.len()).collect();
    filled.retain(|at| table.rows.iter().any(|row| row.cells.get(*at).is_some_and(|cell| !cell.is_empty())));
    let mut cells = filled.iter().map(|at| table.rows.iter().filter_map(|row| row.cells.get(*at)));
    // The name with its mark heads the row.
    let named =
        cells.position(|mut cells| cells.any(|cell| matches!(cell, Cell::Entry { .. } | Cell::Names(_))));
    let (heads, rest) = filled.split_at(named.map_or(1, |at| at + 1).min(filled.len()));
    let has_notes = table.rows.iter().any(|row| !row.notes.is_empty());
    let titles: Vec<String> = table.columns.iter().map(|(title, _)| plain(title)).collect();
    let head = heads.iter().map(|at| titles[*at].as_str()).collect::<Vec<_>>().join(" ");
    let width = width(table, &filled, has_notes);
    html! {
        @if width > MOST_WIDTH { p.note { "This table is wider than the page: it scrolls sideways." } }
        div.tw.wide[width > TEXT_WIDTH] tabindex="0" role="region" aria-label=(if table.about.is_empty() { "Table" } else { table.about }) {
            table {
                @if titles.iter().any(|title| !title.is_empty()) {
                    thead { tr {
                        th scope="col" { (head.trim()) }
                        @for at in rest { th.(class(table.columns[*at].1)) scope="col" { (titles[*at]) } }
                        @if has_notes { th scope="col" { "notes" } }
                    } }
                }
                tbody {
                    @for row in table.rows.iter().take(MOST_ROWS) {
                        tr.good[row.tone == Tone::Good].faint[row.tone == Tone::Faint] {
                            th.long[heads.iter().any(|at| row.cells.get(*at).is_some_and(is_long))] scope="row" {
                                @for at in heads { (cell(row.cells.get(*at))) (gap(row.cells.get(*at))) }
                            }
                            @for at in rest {
                                @let own = row.cells.get(*at);
                                td.(class(table.columns[*at].1)).long[own.is_some_and(is_long)] { (cell(own)) }
                            }
                            @if has_notes { td.fold { (plain(&row.notes.join("; "))) } }
                        }
                    }
                }
            }
        }
        @if table.rows.len() > MOST_ROWS {
            p.note { (table.rows.len() - MOST_ROWS) " more rows are in the JSON of the run." }
        }
        @if let Some(below) = &table.below { p.note { (plain(below)) } }
    }
}

/// About how many pixels a table needs at least.
fn width(table: &Table, filled: &[usize], has_notes: bool) -> usize {
    let widths = filled.iter().map(|at| {
        let cells = table.rows.iter().filter_map(|row| row.cells.get(*at));
        let cells = cells.map(|cell| match cell {
            one if is_long(one) || table.columns[*at].1 == Align::Fold => LEAST_FOLDED,
            Cell::Text(text) => columns(text),
            Cell::Names(names) => columns(&names.join(" ")),
            Cell::Entry { name, aliases, kind } => columns(&phrase::technique(name, aliases, *kind)),
            Cell::Estimate(estimate, interval) => columns(estimate) + 1 + columns(interval),
        });
        let title = table.columns[*at].0.split(' ').map(columns);
        LETTER * cells.chain(title).max().unwrap_or(0) + GAP
    });
    let notes = if has_notes { LETTER * LEAST_FOLDED + GAP } else { 0 };
    widths.sum::<usize>() + notes
}

fn is_long(cell: &Cell) -> bool {
    matches!(cell, Cell::Text(text) if columns(text) > MOST_IN_A_LINE)
}

/// A mark stays on the line of the name that it marks.
fn gap(cell: Option<&Cell>) -> &'static str {
    if matches!(cell, Some(Cell::Text(text)) if text == "=") { "\u{a0}" } else { " " }
}

fn class(align: Align) -> &'static str {
    match align {
        Align::Left => "l",
        Align::Right => "u",
        Align::Fold => "fold",
    }
}

/// A text whose long names may be broken behind the parts that they are made of, and are still copied whole.
pub(super) fn breakable(text: &str) -> Markup {
    let mut parts = text.split_inclusive(['_', '@']);
    html! {
        (parts.next().unwrap_or_default())
        @for part in parts { wbr; (part) }
    }
}

/// A range with the dash of ranges: `(1.5–2.1)`.
pub(super) fn dashed(interval: &str) -> String {
    interval.replace('-', "–")
}

fn cell(cell: Option<&Cell>) -> Markup {
    match cell {
        None => html! {},
        Some(Cell::Text(text)) => html! { (plain(text)) },
        Some(Cell::Names(names)) => html! { (plain(&names.join(" "))) },
        Some(Cell::Entry { name, aliases, kind }) => html! {
            (breakable(&plain(name))) (phrase::origin(*kind))
            @if !aliases.is_empty() { " " small { "[" (plain(&aliases.join(" "))) "]" } }
        },
        Some(Cell::Estimate(estimate, interval)) => html! { (estimate) " " small { (dashed(interval)) } },
    }
}

pub(super) fn levels(levels: &Levels) -> Markup {
    html! {
        div.tw.levels tabindex="0" role="region" aria-label="The values of all levels" {
            table {
                thead { tr {
                    th scope="col" { (plain(&levels.axis)) }
                    @for line in &levels.techniques { th.u scope="col" { (breakable(&plain(&line.name))) } }
                } }
                tbody {
                    @for (row, at) in levels.at.iter().enumerate() {
                        tr {
                            th scope="row" { (plain(at)) }
                            @for figure in levels.techniques.iter().map(|line| &line.figures[row]) {
                                td.u.good[figure.may_be_fastest] {
                                    @if figure.may_be_fastest { "= " }
                                    (plain(&figure.text))
                                }
                            }
                        }
                    }
                }
            }
        }
        @if !levels.below.is_empty() { p.note { (plain(&levels.below)) } }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of_columns(count: usize, text: &str) -> String {
        let mut table = Table::new((0..count).map(|nth| (format!("column {nth}"), Align::Left)));
        table.row((0..count).map(|_| text), Tone::Plain);
        self::table(&table).into_string()
    }

    #[test]
    fn a_table_that_is_wider_than_any_page_says_that_it_scrolls() {
        let narrow = of_columns(5, "12.3 ms");
        assert!(narrow.starts_with("<div class=\"tw\""), "{narrow}");
        let wide = of_columns(16, "12.3 ms (11 to 14)");
        assert!(wide.contains("class=\"tw wide\"") && wide.contains("it scrolls sideways"), "{wide}");
    }

    #[test]
    fn a_cell_is_folded_where_it_holds_a_sentence() {
        let folded = of_columns(2, "1.10 to 5.50 on all of the 6 machines");
        assert_eq!(folded.matches("class=\"l long\"").count(), 1, "{folded}");
        assert_eq!(folded.matches("<th class=\"long\" scope=\"row\">").count(), 1, "{folded}");
        assert!(!of_columns(2, "12.3 ms (11 to 14)").contains("long"));
    }
}
