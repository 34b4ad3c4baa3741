//! Tables and paragraphs for a terminal of a given width.
//!
//! Own code because the rows carry remarks of their own below them, and because one column alone may be folded: numbers
//! are never broken.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

pub(crate) use crate::page::blocks::Align;
use crate::page::blocks::Tone;
use crate::text::Style;

const FOLDED_MIN: usize = 16;
const GAP: &str = "  ";
/// A paragraph needs this many columns next to its head.
const BESIDE_MIN: usize = 20;
/// The start of a paragraph that has no room next to its head, and of the rest of a row that has none.
const BELOW: &str = "    ";

/// A space at which no line is folded.
pub(crate) const UNBROKEN: &str = "\u{a0}";

/// Returns `text` in one piece where a line of `room` columns holds it: no number stands apart from its unit.
fn together(text: &str, room: usize) -> String {
    let text = text.replace(UNBROKEN, " ");
    let words: Vec<&str> = text.split(' ').filter(|word| !word.is_empty()).collect();
    let joined = words.join(" ");
    if columns(&joined) <= room { words.join(UNBROKEN) } else { joined }
}

/// Returns text from elsewhere in a form that cannot break a line or steer a terminal.
pub fn plain(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{2028}' | '\u{2029}' => {
                safe.extend(c.escape_default())
            }
            _ if c.is_control() => safe.extend(c.escape_default()),
            _ => safe.push(c),
        }
    }
    safe
}

pub(crate) fn columns(text: &str) -> usize {
    UnicodeWidthStr::width(text)
}

/// Folds `text` at spaces into lines of at most `width` columns; a longer word is broken, where it can be behind a `,` or `/`, else behind
/// a `_` or before an `@`, as names have them.
pub(crate) fn fold(text: &str, width: usize) -> Vec<String> {
    let width = width.max(1);
    let mut lines = vec![String::new()];
    let mut used = 0;
    for word in text.split(' ').filter(|word| !word.is_empty()) {
        let size = columns(word);
        if used > 0 && used + 1 + size > width {
            lines.push(String::new());
            used = 0;
        }
        if used > 0 {
            push(&mut lines, " ");
            used += 1;
        }
        if size <= width {
            push(&mut lines, word);
            used += size;
            continue;
        }
        let parts_of_it = parts(word, &[',', '/']).into_iter();
        for part in parts_of_it
            .flat_map(|part| if columns(part) > width { parts(part, &['_', '@']) } else { vec![part] })
        {
            if used > 0 && used + columns(part) > width {
                lines.push(String::new());
                used = 0;
            }
            for c in part.chars() {
                let size = c.width().unwrap_or(0);
                if used + size > width && used > 0 {
                    lines.push(String::new());
                    used = 0;
                }
                push(&mut lines, c.encode_utf8(&mut [0; 4]));
                used += size;
            }
        }
    }
    lines
}

/// Folds `text`; all lines begin where the first does.
fn indented(text: &str, width: usize) -> Vec<String> {
    let indent = &text[..text.len() - text.trim_start().len()];
    let lines = fold(text, width.saturating_sub(indent.len())).into_iter();
    lines.map(|line| if line.is_empty() { line } else { format!("{indent}{line}") }).collect()
}

/// Returns the parts of a word: each ends behind one of these, but before an `@`.
fn parts<'word>(word: &'word str, ends: &[char]) -> Vec<&'word str> {
    let mut parts = Vec::new();
    let mut start = 0;
    for (at, c) in word.char_indices() {
        let end = if c == '@' { at } else { at + 1 };
        if ends.contains(&c) && end > start {
            parts.push(&word[start..end]);
            start = end;
        }
    }
    parts.push(&word[start..]);
    parts
}

fn push(lines: &mut [String], text: &str) {
    if let Some(last) = lines.last_mut() {
        last.push_str(text);
    }
}

/// Returns `text` as a paragraph behind `head`; the lines after the first stand below its beginning. Where the terminal has no
/// room next to a long head, the text stands below it.
pub(crate) fn paragraph(head: &str, text: &str, style: &Style) -> String {
    let mut out = String::new();
    let (mut head, mut indent) = (head, columns(head));
    if indent > BELOW.len() && style.width < indent + BESIDE_MIN {
        let blank = " ".repeat(columns(head) - columns(head.trim_start()));
        let lines = fold(&plain(head.trim()), style.width.saturating_sub(blank.len()));
        // Some heads are an indent and nothing else.
        for line in lines.iter().filter(|line| !line.is_empty()) {
            out.push_str(&format!("{blank}{line}\n"));
        }
        (head, indent) = (BELOW, BELOW.len());
    }
    for (number, line) in fold(&plain(text), style.width.saturating_sub(indent)).iter().enumerate() {
        let start = if number == 0 { head.to_owned() } else { " ".repeat(indent) };
        out.push_str(&format!("{start}{line}\n"));
    }
    out
}

fn whole(widths: &[usize]) -> usize {
    widths.iter().map(|width| width + GAP.len()).sum()
}

/// A table of texts; every cell is made plain when it comes in.
pub(crate) struct Table {
    columns: Vec<(String, Align)>,
    pub(crate) spare: Vec<usize>,
    pub(crate) name_columns: usize,
    /// A folded column is at least this wide.
    pub(crate) folded_min: usize,
    rows: Vec<(Vec<String>, Tone, Vec<String>)>,
}

impl Table {
    pub(crate) fn new<T: Into<String>>(columns: impl IntoIterator<Item = (T, Align)>) -> Self {
        Self {
            columns: columns.into_iter().map(|(title, align)| (title.into(), align)).collect(),
            spare: Vec::new(),
            name_columns: 0,
            folded_min: FOLDED_MIN,
            rows: Vec::new(),
        }
    }

    pub(crate) fn row(&mut self, cells: Vec<String>, paint: Tone, below: Vec<String>) {
        self.rows.push((cells.iter().map(|cell| plain(cell)).collect(), paint, below));
    }

    /// Returns the table as lines. A column that is empty in all rows is left out.
    pub(crate) fn render(&self, style: &Style) -> String {
        let mut kept = self.filled();
        for spare in &self.spare {
            if whole(&self.widths(&kept, style.width, self.name_columns.max(self.folded_min))) <= style.width
            {
                break;
            }
            kept.retain(|at| at != spare);
        }
        let widths = self.widths(&kept, style.width, self.folded_min);
        if whole(&widths) > style.width {
            return self.stacked(&kept, style);
        }
        let titles: Vec<&str> = kept.iter().map(|&at| self.columns[at].0.as_str()).collect();
        let mut out = String::new();
        if titles.iter().any(|title| !title.is_empty()) {
            out = self.lines(&titles, &kept, &widths, Tone::Faint, style);
        }
        for (cells, paint, below) in &self.rows {
            let cells: Vec<&str> = kept.iter().map(|&at| cells.get(at).map_or("", String::as_str)).collect();
            out.push_str(&self.lines(&cells, &kept, &widths, *paint, style));
            for remark in below {
                out.push_str(&paragraph("       ", remark, style));
            }
        }
        out
    }

    /// Returns the rows where no line is wide enough for one: its name, and below it every other cell with its title.
    fn stacked(&self, kept: &[usize], style: &Style) -> String {
        let mut out = String::new();
        for (cells, paint, below) in &self.rows {
            let (mut name, mut rest) = (Vec::new(), Vec::new());
            for &at in kept {
                let Some(cell) = cells.get(at).filter(|cell| !cell.is_empty()) else { continue };
                let (title, align) = &self.columns[at];
                let is_name = rest.is_empty() && *align != Align::Right && !self.is_named(kept, at);
                let own = if is_name { &mut name } else { &mut rest };
                let is_bare = is_name || title.is_empty();
                own.push(if is_bare { cell.clone() } else { format!("{title} {}", cell.trim()) });
            }
            let mut row = String::new();
            if !name.is_empty() {
                row.push_str(&paragraph(GAP, &name.join(" ").replace(UNBROKEN, " "), style));
            }
            if !rest.is_empty() {
                let head = if name.is_empty() { GAP } else { BELOW };
                let room = style.width.saturating_sub(head.len() + 1);
                let rest: Vec<String> = rest.iter().map(|part| together(part, room)).collect();
                row.push_str(&paragraph(head, &rest.join(", "), style).replace(UNBROKEN, " "));
            }
            out.push_str(&style.painted(*paint, &row));
            below.iter().for_each(|remark| out.push_str(&paragraph("       ", remark, style)));
        }
        out
    }

    /// Returns true if a column with a title stands before this one: then the row has its name already.
    fn is_named(&self, kept: &[usize], column: usize) -> bool {
        kept.iter().any(|&at| at < column && !self.columns[at].0.is_empty())
    }

    /// Returns the columns that the table would take if none of its own were left out or folded.
    pub(crate) fn natural_width(&self) -> usize {
        whole(&self.widths(&self.filled(), usize::MAX, self.folded_min))
    }

    fn filled(&self) -> Vec<usize> {
        let mut kept: Vec<usize> = (0..self.columns.len()).collect();
        kept.retain(|&at| {
            self.rows.iter().any(|(cells, ..)| cells.get(at).is_some_and(|one| !one.is_empty()))
        });
        kept
    }

    fn widths(&self, kept: &[usize], width: usize, least: usize) -> Vec<usize> {
        let natural = kept.iter().map(|&at| {
            let cells = self.rows.iter().filter_map(|(cells, ..)| cells.get(at));
            cells.map(|cell| columns(cell)).fold(columns(&self.columns[at].0), usize::max)
        });
        let mut widths: Vec<usize> = natural.collect();
        let total = whole(&widths);
        let least: Vec<usize> = kept.iter().map(|&at| least.max(self.widest_number(at))).collect();
        let folded: Vec<usize> =
            (0..kept.len()).filter(|&place| self.columns[kept[place]].1 == Align::Fold).collect();
        // The widest column gives first.
        for _ in width..total {
            let can_give = folded.iter().copied().filter(|&place| widths[place] > least[place]);
            match can_give.max_by_key(|&place| widths[place]) {
                Some(widest) => widths[widest] -= 1,
                None => break,
            }
        }
        widths
    }

    /// Returns the columns of the widest number with its unit or its interval in a column.
    fn widest_number(&self, column: usize) -> usize {
        let cells = self.rows.iter().filter_map(|(cells, ..)| cells.get(column));
        let words = cells.flat_map(|cell| cell.split(' ')).filter(|word| word.contains(UNBROKEN));
        words.map(columns).max().unwrap_or(0)
    }

    fn lines(&self, cells: &[&str], kept: &[usize], widths: &[usize], paint: Tone, style: &Style) -> String {
        let cells = cells.iter().zip(kept).zip(widths);
        let folded = cells.map(|((cell, &at), &width)| match self.columns[at].1 {
            Align::Fold => indented(cell, width),
            _ => vec![(*cell).to_owned()],
        });
        let folded: Vec<Vec<String>> = folded.collect();
        let height = folded.iter().map(Vec::len).max().unwrap_or(0);
        let mut out = String::new();
        for number in 0..height {
            let mut line = String::new();
            for (place, lines) in folded.iter().enumerate() {
                let cell = lines.get(number).map_or("", String::as_str);
                let padding = " ".repeat(widths[place].saturating_sub(columns(cell)));
                line.push_str(GAP);
                match self.columns[kept[place]].1 {
                    Align::Right => line.push_str(&(padding + cell)),
                    _ => line.push_str(&(cell.to_owned() + &padding)),
                }
            }
            let line = line.replace(UNBROKEN, " ");
            out.push_str(&(style.paint(paint, line.trim_end()) + "\n"));
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn style(width: usize) -> Style {
        Style { width, ..Style::default() }
    }

    fn add<const N: usize>(table: &mut Table, [first, second]: [[&str; N]; 2]) {
        table.row(first.map(str::to_owned).to_vec(), Tone::Plain, vec!["see below".into()]);
        table.row(second.map(str::to_owned).to_vec(), Tone::Plain, vec![]);
    }

    #[test]
    fn lines_are_folded_at_spaces_and_counted_in_columns() {
        assert_eq!(fold("one two three", 7), ["one two", "three"]);
        assert_eq!(fold("名前名前 x", 4), ["名前", "名前", "x"]);
        assert_eq!(fold("", 5), [""]);
        assert_eq!(fold("rw,resv_strict,discard", 16), ["rw,resv_strict,", "discard"]);
        assert_eq!(fold("/sys/page_order/a", 12), ["/sys/", "page_order/a"]);
        assert_eq!(fold("broadcast_kernel_lock@5ms", 16), ["broadcast_", "kernel_lock@5ms"]);
        assert_eq!(fold("signal_user_lock@25ms", 16), ["signal_user_lock", "@25ms"]);
    }

    #[test]
    fn text_from_elsewhere_cannot_steer_the_terminal() {
        assert_eq!(plain("a\n\u{1b}[31mb\u{202e}"), "a\\n\\u{1b}[31mb\\u{202e}");
        assert_eq!(plain("größer | \"名\""), "größer | \"名\"");
    }

    #[test]
    fn a_paragraph_without_room_next_to_its_head_stands_below_it() {
        for (head, text, width, shown) in [
            ("note: ", "a b c d e f g h i j k l", 26, "note: a b c d e f g h i j\n      k l\n"),
            (
                "a head of some words  ",
                "a b c d e f g h i j k",
                24,
                "a head of some words\n    a b c d e f g h i j\n    k\n",
            ),
            ("  a head of some words  ", "a b c", 14, "  a head of\n  some words\n    a b c\n"),
            ("       ", "a b c", 14, "    a b c\n"),
            ("copy-1, copy-2, copy-3: ", "why", 16, "copy-1, copy-2,\ncopy-3:\n    why\n"),
        ] {
            assert_eq!(paragraph(head, text, &style(width)), shown);
        }
    }

    #[test]
    fn a_row_that_no_line_has_room_for_is_in_words() {
        let mut table = Table::new([
            ("", Align::Left),
            ("name", Align::Left),
            ("a long title", Align::Right),
            ("another title", Align::Right),
            ("", Align::Left),
        ]);
        let rows = [["*", "a", "1234567", "2", "fastest"], ["", "longer", "1", "", ""]];
        add(&mut table, rows);
        let expected = "  * a\n    a long title 1234567,\n    another title 2, fastest\n       see below\n  longer\n    a long title 1\n";
        assert_eq!(table.render(&style(30)), expected);
    }

    #[test]
    fn a_row_in_words_keeps_a_number_with_its_unit() {
        let mut table = Table::new([("fact", Align::Left), ("A", Align::Fold), ("B", Align::Fold)]);
        table.row(["memory", "25.3 GiB in use", "1.05 TiB"].map(str::to_owned).to_vec(), Tone::Plain, vec![]);
        assert_eq!(table.render(&style(26)), "  memory\n    A 25.3 GiB in use,\n    B 1.05 TiB\n");
    }

    #[test]
    fn a_folded_estimate_stands_above_its_interval() {
        let mut table = Table::new([("name", Align::Left), ("effect", Align::Fold), ("why", Align::Fold)]);
        table.folded_min = 4;
        let cells = ["a", "1.04 (0.92\u{a0}to\u{a0}1.20)", "some words"].map(str::to_owned);
        table.row(cells.to_vec(), Tone::Plain, vec![]);
        let expected =
            "  name  effect          why\n  a     1.04            some\n        (0.92 to 1.20)  words\n";
        assert_eq!(table.render(&style(31)), expected);
    }

    #[test]
    fn a_table_folds_its_sentences_and_never_its_numbers() {
        let mut table = Table::new([
            ("name", Align::Left),
            ("ns", Align::Right),
            ("gone", Align::Left),
            ("why", Align::Fold),
        ]);
        add(&mut table, [["a", "1", "", "short"], ["longer", "1234567", "", "a sentence of many words"]]);
        let expected = "  name         ns  why\n  a             1  short\n       see below\n  longer  1234567  a sentence of\n                   many words\n";
        assert_eq!(table.render(&style(36)), expected);
    }
}
