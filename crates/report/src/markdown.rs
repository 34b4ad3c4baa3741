//! Pages as GitHub-flavoured Markdown.

use findings::Judged;
use judge::{ComparedRuns, Decided, History};
use model::{Host, Record, Summary, Volume};

use crate::layout::plain;
use crate::page;
use crate::page::blocks::{Align, Block, Cell, Extent, Levels, Page, Remark, Row, Table};
use crate::pages::{AdvicePage, Context, ExplainPage, Listing, NoisePage, ShowPage, TimePage};
use crate::phrase;

/// A document has room for all rows, and for the contests of a curve.
const EXTENT: Extent = Extent { all: true, verbose: false, levels: true, absent: true, hints: false };

/// All contests of a run and what a reader must know of it, with the families' questions and the place where it is stored.
pub fn run(record: &Record, decided: &Decided, context: &Context) -> String {
    write(&page::run(record, decided, context, EXTENT))
}

/// Contests of samples that no run took.
pub fn judged(decided: &Decided) -> String {
    write(&page::judged(decided, EXTENT))
}

/// The techniques of each family, and why one is not available here.
pub fn list(listings: &[Listing]) -> String {
    write(&page::list(listings, Extent { verbose: true, ..EXTENT }))
}

/// What this machine is, and what it will do to the numbers.
pub fn host(host: &Host, volumes: &[Volume]) -> String {
    write(&page::host(host, volumes))
}

/// What techniques did, untimed, a section for each family.
pub fn explain(pages: &[ExplainPage]) -> String {
    write(&page::explain(pages, EXTENT))
}

/// One technique, with its code as it is.
pub fn show(page: &ShowPage) -> String {
    // The code of a technique holds no fence.
    format!("{}\n```rust\n{}\n```\n", write(&page::show(page, EXTENT)), page.code.trim_end())
}

/// The times of a command.
pub fn time(page: &TimePage) -> String {
    write(&page::time(page))
}

/// The smallest difference a host can resolve, a row for each length of sample.
pub fn noise(page: &NoisePage) -> String {
    write(&page::noise(page))
}

/// One host over time.
pub fn history(history: &History) -> String {
    write(&page::history(history, EXTENT))
}

/// What to use for a task.
pub fn advise(advice: &AdvicePage) -> String {
    write(&page::advise(advice, EXTENT))
}

/// Several runs side by side.
pub fn compare(compared: &ComparedRuns) -> String {
    write(&page::compare(compared, EXTENT))
}

/// Published claims, and whether they are true here.
pub fn findings(judged: &[Judged]) -> String {
    write(&page::findings(judged, EXTENT))
}

/// The stored runs, in the order given.
pub fn runs(summaries: &[Summary]) -> String {
    write(&page::runs(summaries))
}

/// Text from elsewhere in a sentence: no character of it is taken for markup.
fn prose(text: &str) -> String {
    let mut out = String::new();
    for c in plain(text).chars() {
        match c {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '\\' | '`' | '*' | '[' | ']' | '|' | '#' | '~' => {
                out.push('\\');
                out.push(c);
            }
            // Inside a word an underscore is itself (CommonMark 6.2), and names are full of them.
            '_' if out.ends_with(|before: char| before.is_alphanumeric()) => out.push('_'),
            '_' => out.push_str("\\_"),
            c => out.push(c),
        }
    }
    out
}

/// A name as code.
fn code(text: &str) -> String {
    let text = plain(text);
    match text.contains('`') {
        true => format!("`` {text} ``"),
        false => format!("`{text}`"),
    }
}

/// A name as code in a table, where a pipe cuts the cell even inside code (GFM 4.10).
fn code_cell(text: &str) -> String {
    code(text).replace('|', "\\|")
}

/// A page: every block stands apart.
fn write(page: &Page) -> String {
    let blocks = page.iter().flatten().map(block).filter(|text| !text.is_empty());
    blocks.collect::<Vec<_>>().join("\n")
}

fn block(block: &Block) -> String {
    match block {
        Block::Heading { text, conditions } => {
            let conditions = conditions.as_ref().map(|text| format!("\n{}\n", prose(text)));
            format!("### {}\n{}", prose(text), conditions.unwrap_or_default())
        }
        Block::Answer(text, _) => format!("**{}**\n", prose(text)),
        Block::Sentence(text, _) => format!("{}\n", prose(text)),
        Block::Answers(answers) => answers
            .iter()
            .map(|Remark { head, text, .. }| format!("- **{}**: {}\n", prose(head), prose(text)))
            .collect(),
        Block::Remarks(remarks) => remarks.iter().map(remark).collect(),
        Block::Table(one) => table(one),
        Block::Levels(one) => levels(one),
    }
}

fn remark(Remark { head, text, .. }: &Remark) -> String {
    match head.is_empty() {
        true => format!("- {}\n", prose(text)),
        false => format!("- {}: {}\n", prose(head), prose(text)),
    }
}

fn cell(cell: &Cell) -> String {
    let codes = |names: &[String]| names.iter().map(|name| code_cell(name)).collect::<Vec<_>>().join(" ");
    match cell {
        Cell::Text(text) => prose(text),
        Cell::Names(names) => codes(names),
        Cell::Entry { name, aliases, kind } => {
            let aliases =
                if aliases.is_empty() { String::new() } else { format!(" \\[{}\\]", codes(aliases)) };
            format!("{}{aliases}{}", code_cell(name), phrase::origin(*kind))
        }
        Cell::Estimate(estimate, interval) => format!("{estimate} {interval}").trim().to_owned(),
    }
}

fn table(table: &Table) -> String {
    let is_filled =
        |at: &usize| table.rows.iter().any(|row| row.cells.get(*at).is_some_and(|cell| !cell.is_empty()));
    let kept: Vec<usize> = (0..table.columns.len()).filter(is_filled).collect();
    let has_notes = table.rows.iter().any(|row| !row.notes.is_empty());
    let titles = kept.iter().map(|&at| (prose(&table.columns[at].0), table.columns[at].1));
    let heads: Vec<(String, Align)> =
        titles.chain(has_notes.then(|| ("notes".to_owned(), Align::Left))).collect();
    let line = |row: &Row| {
        let mut cells: Vec<String> =
            kept.iter().map(|&at| row.cells.get(at).map_or(String::new(), cell)).collect();
        let notes: Vec<String> = row.notes.iter().map(|note| prose(note)).collect();
        cells.extend(has_notes.then(|| notes.join("; ")));
        cells
    };
    let mut out = grid(&heads, table.rows.iter().map(line));
    out.extend(table.below.as_ref().map(|below| format!("\n{}\n", prose(below))));
    out
}

fn levels(levels: &Levels) -> String {
    let names = levels.techniques.iter().map(|line| (code_cell(&line.name), Align::Right));
    let heads: Vec<(String, Align)> =
        std::iter::once((prose(&levels.axis), Align::Right)).chain(names).collect();
    let line = |(row, at): (usize, &String)| {
        let figures = levels.techniques.iter().map(|line| {
            let figure = &line.figures[row];
            format!("{}{}", if figure.may_be_fastest { "\\* " } else { "" }, prose(&figure.text))
        });
        std::iter::once(prose(at)).chain(figures).collect::<Vec<String>>()
    };
    let table = grid(&heads, levels.at.iter().enumerate().map(line));
    format!("{table}\n{}\n", prose(&levels.below))
}

/// The lines of a table.
fn grid(heads: &[(String, Align)], rows: impl Iterator<Item = Vec<String>>) -> String {
    let titles: Vec<&str> = heads.iter().map(|(title, _)| title.as_str()).collect();
    let align = |(_, align): &(String, Align)| if *align == Align::Right { "--:|" } else { ":--|" };
    let aligned: String = heads.iter().map(align).collect();
    let rows: String = rows.map(|cells| format!("| {} |\n", cells.join(" | "))).collect();
    format!("| {} |\n|{aligned}\n{rows}", titles.join(" | "))
}

#[cfg(test)]
mod tests;
