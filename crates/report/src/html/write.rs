//! Blocks as HTML: a thin writer, as those for terminal and Markdown are.

use maud::{Markup, html};

use super::strip::dashed;
use crate::layout::plain;
use crate::page::blocks::{Align, Block, Cell, Levels, Remark, Row, Section, Table, Tone};
use crate::phrase;

/// More rows are not written; they stand in the JSON of the run.
const MOST_ROWS: usize = 200;

/// All blocks of a section.
pub(super) fn section(section: &Section) -> Markup {
    html! { @for one in section { (block(one)) } }
}

/// A block.
pub(super) fn block(block: &Block) -> Markup {
    match block {
        Block::Heading { text, conditions } => html! {
            h3 { (plain(text)) }
            @if let Some(conditions) = conditions { p.cond { (plain(conditions)) } }
        },
        Block::Answer(text, tone) => html! { p.sent.doubt[*tone == Tone::Bad] { (plain(text)) } },
        Block::Sentence(text, Tone::Faint) => html! { p.note { (plain(text)) } },
        Block::Sentence(text, _) => html! { p.body { (plain(text)) } },
        Block::Answers(remarks) | Block::Remarks(remarks) => self::remarks(remarks),
        Block::Table(one) => table(one),
        Block::Levels(one) => levels(one),
    }
}

/// A heading that a link leads to.
pub(super) fn heading(text: &str, conditions: Option<&str>, id: &str) -> Markup {
    html! {
        h3 id={ "h-" (id) } { (plain(text)) }
        @if let Some(conditions) = conditions { p.cond { (plain(conditions)) } }
    }
}

fn remarks(remarks: &[Remark]) -> Markup {
    html! {
        @if !remarks.is_empty() {
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

/// A table that is folded away, or open, behind what it tells.
pub(super) fn folded(table: &Table, is_open: bool) -> Markup {
    html! {
        details open[is_open] {
            summary { "Table: " (table.about) }
            (self::table(table))
        }
    }
}

/// A table. A column that is empty in all rows is left out.
pub(super) fn table(table: &Table) -> Markup {
    let is_filled =
        |at: &usize| table.rows.iter().any(|row| row.cells.get(*at).is_some_and(|cell| !cell.is_empty()));
    let filled: Vec<usize> = (0..table.columns.len()).filter(is_filled).collect();
    let is_name = |at: &usize| {
        let cells = table.rows.iter().filter_map(|row| row.cells.get(*at));
        cells.into_iter().any(|cell| matches!(cell, Cell::Entry { .. } | Cell::Names(_)))
    };
    // The name with its mark heads the row.
    let heads = filled.iter().position(is_name).map_or(1, |at| at + 1).min(filled.len());
    let (heads, rest) = filled.split_at(heads);
    let has_notes = table.rows.iter().any(|row| !row.notes.is_empty());
    let title = |at: &usize| plain(&table.columns[*at].0);
    let titles = heads.iter().map(title).collect::<Vec<_>>().join(" ");
    let is_titled = table.columns.iter().any(|(title, _)| !title.is_empty());
    let line = |row: &Row| {
        html! {
            tr.good[row.tone == Tone::Good].faint[row.tone == Tone::Faint] {
                th scope="row" { @for at in heads { (cell(row.cells.get(*at))) " " } }
                @for at in rest { td.(class(table.columns[*at].1)) { (cell(row.cells.get(*at))) } }
                @if has_notes { td.fold { (plain(&row.notes.join("; "))) } }
            }
        }
    };
    html! {
        div.tw tabindex="0" role="region" aria-label=(if table.about.is_empty() { "Table" } else { table.about }) {
            table {
                @if is_titled {
                    thead { tr {
                        th scope="col" { (titles.trim()) }
                        @for at in rest { th.(class(table.columns[*at].1)) scope="col" { (title(at)) } }
                        @if has_notes { th scope="col" { "notes" } }
                    } }
                }
                tbody { @for row in table.rows.iter().take(MOST_ROWS) { (line(row)) } }
            }
        }
        @if table.rows.len() > MOST_ROWS {
            p.note { (table.rows.len() - MOST_ROWS) " more rows are in the JSON of the run." }
        }
        @if let Some(below) = &table.below { p.note { (plain(below)) } }
    }
}

fn class(align: Align) -> &'static str {
    match align {
        Align::Left => "l",
        Align::Right => "u",
        Align::Fold => "fold",
    }
}

fn cell(cell: Option<&Cell>) -> Markup {
    match cell {
        None => html! {},
        Some(Cell::Text(text)) => html! { (plain(text)) },
        Some(Cell::Names(names)) => html! { (plain(&names.join(" "))) },
        Some(Cell::Entry { name, aliases, kind }) => html! {
            (plain(name)) (phrase::origin(*kind))
            @if !aliases.is_empty() { " " small { "[" (plain(&aliases.join(" "))) "]" } }
        },
        Some(Cell::Estimate(estimate, interval)) => html! { (estimate) " " small { (dashed(interval)) } },
    }
}

/// The levels of a curve as a table.
pub(super) fn levels(levels: &Levels) -> Markup {
    html! {
        div.tw tabindex="0" role="region" aria-label="The values of all levels" {
            table {
                thead { tr {
                    th scope="col" { (plain(&levels.axis)) }
                    @for line in &levels.techniques { th.u scope="col" { (plain(&line.name)) } }
                } }
                tbody {
                    @for (row, at) in levels.at.iter().enumerate() {
                        tr {
                            th scope="row" { (plain(at)) }
                            @for figure in levels.techniques.iter().map(|line| &line.figures[row]) {
                                td.u.good[figure.may_be_fastest] {
                                    @if figure.may_be_fastest { "* " }
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
