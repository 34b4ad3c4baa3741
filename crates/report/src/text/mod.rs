//! Pages for a terminal, plain where colours were not asked for.

mod curve;
mod curve_plot;
mod host;
mod list;
mod noise;
mod plan;
mod plot;
mod rankings;
mod runs;
mod time;

use anstyle::{AnsiColor, Style as Ansi};

pub use host::host;
pub use list::list;
pub use noise::noise;
pub use plan::plan;
pub use rankings::{judged, ranking, run};
pub use runs::runs;
pub use time::time;

/// How a page is laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Style {
    /// Whether lines are coloured by ANSI escape sequences.
    pub color: bool,
    /// Columns of the terminal.
    pub width: usize,
    /// Whether spread, faults, switches and sources are shown too.
    pub verbose: bool,
}

impl Default for Style {
    fn default() -> Self {
        Self { color: false, width: 100, verbose: false }
    }
}

/// What a line's colour says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Paint {
    Plain,
    Title,
    Good,
    Doubt,
    Bad,
    Faint,
}

impl Style {
    pub(crate) fn paint(&self, paint: Paint, text: &str) -> String {
        let ansi = match paint {
            Paint::Plain => return text.to_owned(),
            Paint::Title => Ansi::new().bold(),
            Paint::Good => AnsiColor::Green.on_default(),
            Paint::Doubt => AnsiColor::Yellow.on_default(),
            Paint::Bad => AnsiColor::Red.on_default(),
            Paint::Faint => Ansi::new().dimmed(),
        };
        if self.color { format!("{ansi}{text}{ansi:#}") } else { text.to_owned() }
    }

    /// A paragraph in one colour: every line is painted for itself, so that a pager may cut between lines.
    pub(crate) fn painted(&self, paint: Paint, paragraph: &str) -> String {
        paragraph.lines().map(|line| self.paint(paint, line) + "\n").collect()
    }
}

#[cfg(test)]
mod tests;
