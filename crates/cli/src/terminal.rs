//! What the program prints to, and in which form.

use std::io::{self, IsTerminal, Write};

use anyhow::{Context, Result};
use clap::ValueEnum;

use crate::arguments::Common;

/// When to use colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum ColorChoice {
    /// When standard output is a terminal and `NO_COLOR` is not set.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// Widest table that is drawn where no terminal says how wide it is.
const DEFAULT_WIDTH: usize = 120;

/// Whether results may hold colours.
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

/// Columns of the terminal.
pub(crate) fn width() -> usize {
    let columns = std::env::var("COLUMNS").ok().and_then(|text| text.parse().ok());
    columns
        .or_else(|| terminal_size::terminal_size().map(|(width, _)| usize::from(width.0)))
        .unwrap_or(DEFAULT_WIDTH)
}

/// How reports look here.
pub(crate) fn style(common: &Common, verbose: bool) -> report::Style {
    report::Style { color: color(common), width: width(), verbose }
}

/// Prints a result to standard output.
pub(crate) fn print(text: &str) -> Result<()> {
    let mut out = io::stdout().lock();
    let end = if text.ends_with('\n') { "" } else { "\n" };
    let printed = out.write_all(text.as_bytes()).and_then(|()| out.write_all(end.as_bytes()));
    match printed.and_then(|()| out.flush()) {
        // `bakeoff list | head` closes the pipe early: that is no failure.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        printed => printed.context("standard output cannot be written"),
    }
}

/// Says something beside the result, on standard error.
pub(crate) fn remark(common: &Common, text: &str) {
    if !common.quiet {
        say(text);
    }
}

/// Writes a line to standard error. Where it cannot be written, nothing is said: `eprintln` would panic.
pub(crate) fn say(text: &str) {
    writeln!(io::stderr().lock(), "{text}").ok();
}
