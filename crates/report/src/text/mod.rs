//! Pages for a terminal, plain where colours were not asked for.

mod curve_plot;
pub(crate) mod layout;
mod levels;
mod plan;
mod plot;
mod write;

use anstyle::{AnsiColor, Style as Ansi};
use findings::Judged;
use judge::{ComparedRuns, Decided, History, Ranking};
use model::{Host, Record, Summary, Volume};

pub use plan::plan;

use crate::page;
use crate::page::blocks::{Block, Extent, Tone};
use crate::pages::{AdvicePage, Context, ExplainPage, Listing, NoisePage, ShowPage, TimePage};
use write::write;

/// All contests of a run and what a reader must know of it, with the families' questions and the place where it is stored.
pub fn run(record: &Record, decided: &Decided, context: &Context, style: &Style) -> String {
    write(&page::run(record, decided, context, style.extent()), style)
}

/// Contests of samples that no run took.
pub fn judged(decided: &Decided, style: &Style) -> String {
    write(&page::judged(decided, Extent { levels: true, ..style.extent() }), style)
}

/// One contest.
pub fn ranking(ranking: &Ranking, context: &Context, style: &Style) -> String {
    write::section(&page::contest(ranking, context, style.extent()), style)
}

/// The techniques of each family, and why one is not available here.
pub fn list(listings: &[Listing], style: &Style) -> String {
    write(&page::list(listings, style.extent()), style)
}

/// A machine with the volumes of the directories asked about.
pub fn host(host: &Host, volumes: &[Volume], style: &Style) -> String {
    write(&page::host(host, volumes), style)
}

/// What techniques did, untimed, a section for each family.
pub fn explain(pages: &[ExplainPage], style: &Style) -> String {
    write(&page::explain(pages, style.extent()), style)
}

/// One technique, with its code as it is.
pub fn show(page: &ShowPage, style: &Style) -> String {
    let mut shown = write(&page::show(page, style.extent()), style) + "\n" + &page.code;
    for one in &page.further {
        let (heading, code) = page::further_code(one, style.verbose);
        shown += "\n";
        shown += &write(&vec![vec![Block::heading(heading)]], style);
        shown += "\n";
        shown += &code;
    }
    shown
}

/// Real, user and system time and memory.
pub fn time(page: &TimePage, style: &Style) -> String {
    write(&page::time(page), style)
}

/// The smallest difference that identical techniques, raced against each other, allow one to see.
pub fn noise(page: &NoisePage, style: &Style) -> String {
    write(&page::noise(page), style)
}

/// One host over time.
pub fn history(history: &History, style: &Style) -> String {
    write(&page::history(history, style.extent()), style)
}

/// What to use for a task.
pub fn advise(advice: &AdvicePage, style: &Style) -> String {
    write(&page::advise(advice, style.extent()), style)
}

/// Several runs side by side.
pub fn compare(compared: &ComparedRuns, style: &Style) -> String {
    write(&page::compare(compared, style.extent()), style)
}

/// Published claims, and whether they are true here.
pub fn findings(judged: &[Judged], style: &Style) -> String {
    write(&page::findings(judged, style.extent()), style)
}

/// One line a stored run, in the order given.
pub fn runs(summaries: &[Summary], style: &Style) -> String {
    write(&page::runs(summaries), style)
}

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

impl Style {
    fn extent(&self) -> Extent {
        Extent { all: self.verbose, verbose: self.verbose, levels: self.verbose, absent: true, hints: true }
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
