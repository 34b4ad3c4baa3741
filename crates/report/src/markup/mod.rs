//! Pages in a markup of text: what the blocks of a page become is the same in each of them, and how it is marked up is not.

pub(crate) mod asciidoc;
pub(crate) mod markdown;
pub(crate) mod orgmode;

use crate::page::blocks::{Align, Block, Cell, Levels, Remark, Row, Sections, Table};
use crate::words::phrase;

pub(crate) trait Markup {
    const ITEM: &'static str;
    const HEADING: &'static str;
    const STRONG: &'static str;
    /// The lines around code.
    const CODE: [&'static str; 2];
    const PREFACE: &'static str = "";

    /// Text from elsewhere in a sentence or cell: no character of it is taken for markup.
    fn prose(text: &str) -> String;

    /// A name as code, in a cell of a table.
    fn code_cell(text: &str) -> String;

    /// The lines of a table, whose cells are marked up.
    fn grid(heads: &[(String, Align)], rows: &[Vec<String>]) -> String;
}

/// Returns a line of a table, with bars between its cells and in front of them.
pub(crate) fn line<T: AsRef<str>>(cells: impl IntoIterator<Item = T>, end: &str) -> String {
    let mut line = String::new();
    for cell in cells {
        let blank = if line.is_empty() { "" } else { " " };
        line.push_str(&format!("{blank}| {}", cell.as_ref()));
    }
    line + end + "\n"
}

pub(crate) fn lines(heads: &[(String, Align)], rows: &[Vec<String>], end: &str) -> (String, String) {
    let rows = rows.iter().map(|cells| line(cells, end)).collect();
    (line(heads.iter().map(|(title, _)| title), end), rows)
}

/// Returns the alignment of each column, in the words of a markup.
pub(crate) fn aligned(
    heads: &[(String, Align)], left: &'static str, right: &'static str,
) -> impl Iterator<Item = &'static str> {
    heads.iter().map(move |(_, align)| if *align == Align::Right { right } else { left })
}

/// Writes a page: every block stands apart.
pub(crate) fn write<M: Markup>(page: &Sections) -> String {
    let blocks = page.iter().flatten().map(block::<M>).filter(|text| !text.is_empty());
    M::PREFACE.to_owned() + &blocks.collect::<Vec<_>>().join("\n")
}

fn heading<M: Markup>(text: &str) -> String {
    format!("{} {}", M::HEADING, M::prose(text))
}

fn strong<M: Markup>(text: &str) -> String {
    format!("{0}{1}{0}", M::STRONG, M::prose(text))
}

fn source<M: Markup>(code: &str) -> String {
    let [begin, end] = M::CODE;
    format!("{begin}\n{}\n{end}\n", code.trim_end())
}

fn block<M: Markup>(block: &Block) -> String {
    match block {
        Block::Heading { text, conditions } => {
            let conditions = conditions.as_ref().map(|text| format!("\n{}\n", M::prose(text)));
            format!("{}\n{}", heading::<M>(text), conditions.unwrap_or_default())
        }
        Block::Answer(text, _) => format!("{}\n", strong::<M>(text)),
        Block::Sentence(text, _) => format!("{}\n", M::prose(text)),
        Block::Answers(answers) => answers
            .iter()
            .map(|Remark { head, text, .. }| {
                format!("{} {}: {}\n", M::ITEM, strong::<M>(head), M::prose(text))
            })
            .collect(),
        Block::Remarks(remarks) => remarks.iter().map(remark::<M>).collect(),
        Block::Table(one) => table::<M>(one),
        Block::Levels(one) => levels::<M>(one),
        Block::Code { code, .. } if code.is_empty() => String::new(),
        Block::Code { summary: None, code } => source::<M>(code),
        Block::Code { summary: Some(text), code } => {
            format!("{}\n\n{}", heading::<M>(text), source::<M>(code))
        }
    }
}

fn remark<M: Markup>(Remark { head, text, .. }: &Remark) -> String {
    let head = if head.is_empty() { String::new() } else { format!("{}: ", M::prose(head)) };
    format!("{} {head}{}\n", M::ITEM, M::prose(text))
}

fn codes<M: Markup>(names: &[String]) -> String {
    names.iter().map(|name| M::code_cell(name)).collect::<Vec<_>>().join(" ")
}

fn cell<M: Markup>(cell: &Cell) -> String {
    match cell {
        Cell::Text(text) => M::prose(text),
        Cell::Names(names) => codes::<M>(names),
        Cell::Entry { name, aliases, kind } => {
            let mut text = M::code_cell(name);
            if !aliases.is_empty() {
                text += &format!(" {}{}{}", M::prose("["), codes::<M>(aliases), M::prose("]"));
            }
            text + phrase::origin(*kind)
        }
        Cell::Estimate(estimate, interval) => M::prose(format!("{estimate} {interval}").trim()),
    }
}

fn table<M: Markup>(table: &Table) -> String {
    let mut kept: Vec<usize> = (0..table.columns.len()).collect();
    kept.retain(|&at| table.rows.iter().any(|row| row.cells.get(at).is_some_and(|cell| !cell.is_empty())));
    let has_notes = table.rows.iter().any(|row| !row.notes.is_empty());
    let titles = kept.iter().map(|&at| (M::prose(&table.columns[at].0), table.columns[at].1));
    let heads: Vec<(String, Align)> =
        titles.chain(has_notes.then(|| ("notes".to_owned(), Align::Left))).collect();
    let rows = table.rows.iter().map(|row: &Row| {
        let cells = kept.iter().map(|&at| row.cells.get(at).map_or(String::new(), cell::<M>));
        let notes: Vec<String> = row.notes.iter().map(|note| M::prose(note)).collect();
        cells.chain(has_notes.then(|| notes.join("; "))).collect()
    });
    let mut out = M::grid(&heads, &rows.collect::<Vec<_>>());
    out.extend(table.below.as_ref().map(|below| format!("\n{}\n", M::prose(below))));
    out
}

fn levels<M: Markup>(levels: &Levels) -> String {
    let names = levels.techniques.iter().map(|line| (M::code_cell(&line.name), Align::Right));
    let heads: Vec<(String, Align)> =
        std::iter::once((M::prose(&levels.axis), Align::Right)).chain(names).collect();
    let mark = format!("{} ", M::prose("="));
    let rows = levels.at.iter().enumerate().map(|(row, at)| {
        let figures = levels.techniques.iter().map(|line| {
            let figure = &line.figures[row];
            format!("{}{}", if figure.may_be_fastest { mark.as_str() } else { "" }, M::prose(&figure.text))
        });
        std::iter::once(M::prose(at)).chain(figures).collect()
    });
    let table = M::grid(&heads, &rows.collect::<Vec<_>>());
    format!("{table}\n{}\n", M::prose(&levels.below))
}
