//! What the program prints to, and in which form.

use std::io::{self, IsTerminal, Write};

use anyhow::{Context, Result};
use clap::ColorChoice;
use report::Page;

use crate::arguments::{Common, Format};

/// Columns where neither `COLUMNS` nor a terminal says how many there are.
const DEFAULT_WIDTH: usize = 100;
/// Most columns of a terminal that are used: the eye loses the row of a wider table.
const MAX_WIDTH: usize = 112;

/// Returns whether results may hold colours.
pub(crate) fn color(common: &Common) -> bool {
    match common.color {
        ColorChoice::Always => true,
        ColorChoice::Never => false,
        ColorChoice::Auto => {
            io::stdout().is_terminal()
                && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
                && std::env::var_os("TERM").is_none_or(|term| term != "dumb")
        }
    }
}

/// Returns the columns of the output.
pub(crate) fn width() -> usize {
    let columns = std::env::var("COLUMNS").ok().and_then(|text| text.parse().ok());
    let terminal = terminal_size::terminal_size().map(|(width, _)| usize::from(width.0));
    columns_used(columns, terminal, io::stdout().is_terminal())
}

/// Returns `COLUMNS` as it is for a pipe or a file; every other width is capped.
fn columns_used(columns: Option<usize>, terminal: Option<usize>, is_terminal: bool) -> usize {
    match columns {
        Some(columns) if !is_terminal => columns,
        _ => columns.or(terminal).map_or(DEFAULT_WIDTH, |columns| columns.min(MAX_WIDTH)),
    }
}

pub(crate) fn style(common: &Common, verbose: bool) -> report::Style {
    report::Style { color: color(common), width: width(), verbose }
}

pub(crate) fn print_page<P: Page + ?Sized>(
    page: &P, format: Format, verbose: bool, common: &Common,
) -> Result<()> {
    print(&report::render(page, format.into(), &style(common, verbose)))
}

/// Prints a result to standard output. A file or a pipe gets it as it is; on a terminal no name and no reason from
/// elsewhere may do more than be read.
pub(crate) fn print(text: &str) -> Result<()> {
    let mut out = io::stdout().lock();
    let text = if out.is_terminal() { &harmless(text) } else { text };
    let end = if text.ends_with('\n') { "" } else { "\n" };
    let printed = out.write_all(text.as_bytes()).and_then(|()| out.write_all(end.as_bytes()));
    match printed.and_then(|()| out.flush()) {
        // `bakeoff list | head` closes the pipe early: that is no failure.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        printed => printed.context("standard output cannot be written"),
    }
}

/// Says something next to the result, on standard error.
pub(crate) fn remark(common: &Common, text: &str) {
    if !common.quiet {
        say(text);
    }
}

/// Writes lines to standard error. Where they cannot be written, nothing is said: `eprintln` would panic.
pub(crate) fn say(text: &str) {
    writeln!(io::stderr().lock(), "{}", harmless(text)).ok();
}

/// Returns the text without anything that steers a terminal, but for line breaks and colours.
pub(crate) fn harmless(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let kept = match c {
            '\n' | '\t' => 1,
            '\r' if rest.starts_with("\r\n") => 2,
            '\u{1b}' => color_length(rest),
            _ => 0,
        };
        let (own, other) = rest.split_at(if kept > 0 { kept } else { c.len_utf8() });
        if kept > 0 {
            safe.push_str(own)
        } else {
            safe.push_str(&report::plain(own))
        }
        rest = other;
    }
    safe
}

/// Bytes of the sequence at the beginning that changes nothing but the colour of what follows; 0 for any other.
fn color_length(text: &str) -> usize {
    let parameters = text.strip_prefix("\u{1b}[").unwrap_or("");
    match parameters.find(|c: char| !c.is_ascii_digit() && c != ';') {
        Some(end) if parameters[end..].starts_with('m') => 2 + end + 1,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::{columns_used, harmless};

    #[test]
    fn wide_terminals_are_capped_and_pipes_are_not() {
        for (columns, terminal, is_terminal, used) in [
            (None, Some(300), true, 112),
            (None, Some(80), true, 80),
            (Some(300), Some(200), true, 112),
            (Some(60), Some(200), true, 60),
            (Some(300), None, false, 300),
            (Some(300), Some(80), false, 300),
            (None, Some(300), false, 112),
            (None, None, false, 100),
            (None, None, true, 100),
        ] {
            assert_eq!(columns_used(columns, terminal, is_terminal), used, "{columns:?} {terminal:?}");
        }
    }

    #[test]
    fn only_line_breaks_and_colours_steer_a_terminal() {
        let own = "a\r\n\u{1b}[1;32mb\u{1b}[0m\tc\n";
        assert_eq!(harmless(own), own);
        let foreign = "\u{1b}]0;title\u{7}\u{1b}[2J\u{9b}1mx\ry\u{202e}z\u{1b}[";
        assert_eq!(harmless(foreign), "\\u{1b}]0;title\\u{7}\\u{1b}[2J\\u{9b}1mx\\ry\\u{202e}z\\u{1b}[");
    }
}
