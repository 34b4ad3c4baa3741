//! Pages for a terminal, plain where colours were not asked for.

pub(crate) mod layout;
mod levels;
mod plan;
mod plot;
mod write;

use anstyle::{AnsiColor, Style as Ansi};
pub use plan::{plan, short_plan};
pub(crate) use write::write;

use crate::page::blocks::{Extent, Tone};

/// A terminal of fewer columns has no room for a table of answers with times and intervals.
const NARROW: usize = 72;

/// The layout of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Style {
    /// True to colour lines by ANSI escape sequences.
    pub color: bool,
    /// Columns of the terminal.
    pub width: usize,
    /// True to show spread, faults, switches and sources too.
    pub verbose: bool,
}

impl Default for Style {
    fn default() -> Self {
        Self { color: false, width: 100, verbose: false }
    }
}

impl Style {
    pub(crate) fn extent(&self) -> Extent {
        let (verbose, is_narrow) = (self.verbose, self.width < NARROW);
        Extent { all: verbose, verbose, levels: verbose, absent: true, hints: true, is_narrow }
    }

    pub(crate) fn paint(&self, paint: Tone, text: &str) -> String {
        let ansi = match paint {
            Tone::Plain => return text.to_owned(),
            Tone::Title => Ansi::new().bold(),
            Tone::Good => AnsiColor::Green.on_default(),
            Tone::Doubt => AnsiColor::Yellow.on_default(),
            Tone::Bad => AnsiColor::Red.on_default(),
            Tone::Faint => Ansi::new().dimmed(),
        };
        if self.color { format!("{ansi}{text}{ansi:#}") } else { text.to_owned() }
    }

    /// A paragraph in one colour: every line is painted for itself, so that a pager may cut between lines.
    pub(crate) fn painted(&self, paint: Tone, paragraph: &str) -> String {
        paragraph.lines().map(|line| self.paint(paint, line) + "\n").collect()
    }
}

#[cfg(test)]
mod tests;
