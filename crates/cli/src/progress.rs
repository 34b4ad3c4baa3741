//! What is shown on standard error while a run goes on.

use std::io::{self, IsTerminal};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use measure::{Event, Observer};
use model::format_bytes;

use crate::scratch::not_removed;
use crate::terminal::say;

/// The bar is so short, and what follows it is cut at the width of the terminal, that 60 columns are enough.
const TEMPLATE: &str = "[{bar:16}] {wide_msg}";

/// A line that says what happens now and how much of the time is over; nothing when standard error is no terminal.
pub(crate) struct Progress {
    bar: ProgressBar,
    quiet: bool,
}

impl Progress {
    pub(crate) fn new(quiet: bool) -> Self {
        let visible = !quiet && io::stderr().is_terminal();
        let bar = ProgressBar::with_draw_target(
            Some(1),
            if visible { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() },
        );
        if let Ok(style) = ProgressStyle::with_template(TEMPLATE) {
            bar.set_style(style.progress_chars("=> "));
        }
        Self { bar, quiet }
    }

    /// Takes the line away.
    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

impl Observer for Progress {
    fn see(&mut self, event: &Event<'_>) {
        if let Event::Sampling { elapsed_ns, budget_ns, .. } = event {
            self.bar.set_length((budget_ns / 1e6) as u64);
            self.bar.set_position((elapsed_ns.min(*budget_ns) / 1e6) as u64);
        }
        let said = match event {
            Event::Again => {
                "bakeoff: a technique entered twice differed from itself; its contest is measured once more"
                    .to_owned()
            }
            Event::NotRemoved { folder, reason } => not_removed(folder, reason),
            Event::CleanupFailed { reason } => format!("bakeoff: the cleanup {reason}"),
            // Names of files can hold anything.
            _ => return self.bar.set_message(report::plain(&line(event))),
        };
        if !self.quiet {
            self.bar.suspend(|| say(&said));
        }
    }
}

/// Returns what happens now; what matters most stands first, because the end may be cut.
fn line(event: &Event<'_>) -> String {
    match event {
        Event::KeepingMemory { bytes } => format!("keeping {} of free memory", format_bytes(*bytes)),
        Event::Generating { task } => format!("making the input of {task}"),
        Event::Trying { done, of, technique } => format!("trying {} of {of}: {technique}", done + 1),
        Event::Sampling { round, family, technique, elapsed_ns, budget_ns, .. } => {
            let (elapsed_s, budget_s) = (elapsed_ns / 1e9, budget_ns / 1e9);
            format!("{elapsed_s:.0} of {budget_s:.0} s, round {round}: {family}/{technique}")
        }
        Event::NotRemoved { .. } | Event::CleanupFailed { .. } | Event::Again => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_and_the_round_stand_before_the_name_that_may_be_cut() {
        let event = Event::Sampling {
            round: 12,
            family: "copy",
            technique: "presized_mmap_read_ahead",
            elapsed_ns: 34.4e9,
            budget_ns: 72e9,
        };
        let line = line(&event);
        assert_eq!(line, "34 of 72 s, round 12: copy/presized_mmap_read_ahead");
        // The bar, its brackets and a space take 19 columns of 60.
        assert!(line.find("round 12").is_some_and(|column| column + "round 12".len() < 60 - 19));
    }
}
