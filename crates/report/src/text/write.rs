//! Blocks as lines of a terminal.

use super::plot::{MOST_COLUMNS, Plot};
use super::{Style, levels};
use crate::page::blocks::{Block, Cell, Remark, Row, Section, Sections, Table, Tone};
use crate::text::layout::{self, Align, UNBROKEN, columns, fold, paragraph, plain};
use crate::words::phrase;

/// A longer name of a contest stands on a line of its own.
const LABEL_COLUMNS: usize = 20;
/// The start of a remark about nothing in particular, and of what is said below a table.
const BULLET: &str = "  - ";
const BELOW: &str = "  ";

/// A page: an empty line between sections.
pub(crate) fn write(page: &Sections, style: &Style) -> String {
    let sections = page.iter().map(|one| section(one, style)).filter(|text| !text.is_empty());
    sections.collect::<Vec<_>>().join("\n")
}

/// A section: an empty line around what has rows, but none below its heading.
pub(super) fn section(section: &Section, style: &Style) -> String {
    let mut out = String::new();
    let mut before: Option<&Block> = None;
    for one in section {
        let text = block(one, style);
        if text.is_empty() {
            continue;
        }
        let is_apart = before.is_some_and(|before| {
            !matches!(before, Block::Heading { .. }) && (has_rows(one) || has_rows(before))
        });
        if is_apart {
            out.push('\n');
        }
        out.push_str(&text);
        before = Some(one);
    }
    out
}

fn has_rows(block: &Block) -> bool {
    matches!(block, Block::Table(_) | Block::Levels(_))
}

fn block(block: &Block, style: &Style) -> String {
    match block {
        Block::Heading { text, conditions } => heading(text, conditions.as_deref(), style),
        Block::Answer(text, tone) | Block::Sentence(text, tone) => {
            style.painted(*tone, &paragraph("", text, style))
        }
        Block::Answers(all) => answers(all, style),
        Block::Remarks(remarks) => remarks.iter().map(|one| remark(one, style)).collect(),
        Block::Table(one) => table(one, style),
        Block::Levels(one) => levels::levels(one, style),
        Block::Code { summary: None, code } => code.clone(),
        Block::Code { summary: Some(text), code } => format!("{}\n{code}", heading(text, None, style)),
    }
}

/// Conditions stand on the line of the heading where both fit.
fn heading(text: &str, conditions: Option<&str>, style: &Style) -> String {
    let Some(conditions) = conditions else {
        return style.painted(Tone::Title, &paragraph("", text, style));
    };
    let (text, conditions) = (plain(text), plain(conditions));
    let one_line = format!("{text}  {conditions}");
    let lines = if columns(&one_line) <= style.width {
        vec![one_line]
    } else {
        [fold(&text, style.width), fold(&conditions, style.width)].concat()
    };
    lines.iter().map(|line| style.paint(Tone::Title, line) + "\n").collect()
}

/// Writes each answer next to its label, where all labels are short.
fn answers(all: &[Remark], style: &Style) -> String {
    let labels: Vec<String> = all.iter().map(|one| plain(&one.head)).collect();
    let width = labels.iter().map(|label| columns(label)).max().unwrap_or(0);
    let has_room = width <= LABEL_COLUMNS.min(style.width / 3);
    let mut out = String::new();
    for (label, Remark { text, tone, .. }) in labels.iter().zip(all) {
        let mut head = format!("{label}{}", " ".repeat(width - columns(label) + 2));
        if !has_room {
            out.push_str(&style.painted(Tone::Title, &paragraph("", label, style)));
            head = "  ".to_owned();
        }
        out.push_str(&style.painted(*tone, &paragraph(&head, text, style)));
    }
    out
}

fn remark(Remark { head, text, tone }: &Remark, style: &Style) -> String {
    let head = if head.is_empty() { BULLET.to_owned() } else { format!("{}: ", plain(head)) };
    style.painted(*tone, &paragraph(&head, text, style))
}

/// Writes what stands below a table or a curve; no line where there is nothing to say.
pub(super) fn below(text: &str, style: &Style) -> String {
    if text.is_empty() {
        return String::new();
    }
    style.painted(Tone::Faint, &paragraph(BELOW, text, style))
}

fn table(table: &Table, style: &Style) -> String {
    const NONE: &[usize] = &[];
    // The bars say more than what is left out for them.
    let mut tried = table.bars.iter().flat_map(|bars| [NONE, &bars.in_place_of[..]]);
    let drawn = tried.find_map(|without| {
        let natural = laid_out(table, None, without).natural_width();
        let room = style.width.saturating_sub(natural + 2).min(MOST_COLUMNS);
        Some((Plot::new(table.rows.iter().filter_map(|row| row.bar.as_ref()), room)?, without))
    });
    let (plot, without) = drawn.map_or((None, NONE), |(plot, without)| (Some(plot), without));
    let mut out = laid_out(table, plot.as_ref(), without).render(style);
    out.extend(table.below.as_ref().map(|text| below(text, style)));
    out
}

/// The table in texts, with a column of bars, and with nothing in the columns that they take the place of.
fn laid_out(table: &Table, plot: Option<&Plot>, without: &[usize]) -> layout::Table {
    let bars_at = table.bars.as_ref().map(|bars| bars.before);
    let estimates = estimate_widths(table);
    let mut titles: Vec<(String, Align)> =
        table.columns.iter().map(|(title, align)| (plain(title), *align)).collect();
    if let Some(at) = bars_at {
        titles.insert(at, (plot.map_or(String::new(), Plot::axis), Align::Left));
    }
    let spare = table.spare.iter().map(|&at| at + usize::from(bars_at.is_some_and(|bars| bars <= at)));
    let mut out = layout::Table::new(titles);
    (out.spare, out.name_columns) = (spare.collect(), table.name_columns);
    out.folded_min = table.folded_min.unwrap_or(out.folded_min);
    for Row { cells, tone, notes, bar } in &table.rows {
        let kept = cells
            .iter()
            .enumerate()
            .map(|(at, one)| if without.contains(&at) { String::new() } else { cell(one, estimates[at]) });
        let mut texts: Vec<String> = kept.collect();
        if let Some(at) = bars_at {
            let drawn = plot.zip(bar.as_ref()).map_or(String::new(), |(plot, bar)| plot.bar(bar));
            texts.insert(at, drawn);
        }
        out.row(texts, *tone, notes.clone());
    }
    out
}

/// Returns the widest estimate of each column: the intervals stand below each other.
fn estimate_widths(table: &Table) -> Vec<usize> {
    let widths = table.columns.iter().enumerate().map(|(at, (_, align))| {
        // What may be folded begins at the left.
        if *align == Align::Fold {
            return 0;
        }
        let cells = table.rows.iter().filter_map(|row| row.cells.get(at));
        let widths = cells.map(|cell| match cell {
            Cell::Estimate(estimate, _) => columns(estimate),
            _ => 0,
        });
        widths.max().unwrap_or(0)
    });
    widths.collect()
}

fn cell(cell: &Cell, estimate_width: usize) -> String {
    match cell {
        Cell::Text(text) => text.clone(),
        Cell::Names(names) => names.join(" "),
        Cell::Entry { name, aliases, kind } => phrase::technique(name, aliases, *kind),
        Cell::Estimate(estimate, _) if estimate.is_empty() => String::new(),
        Cell::Estimate(estimate, interval) => {
            let padding = " ".repeat(estimate_width.saturating_sub(columns(estimate)));
            let [estimate, interval] = [estimate, interval].map(|text| text.replace(' ', UNBROKEN));
            // A range of published figures has room for a fold behind its "to".
            let estimate = estimate.replace(&format!("to{UNBROKEN}"), "to ");
            format!("{padding}{estimate} {interval}").trim_end().to_owned()
        }
    }
}
