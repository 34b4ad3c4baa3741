//! What is shown on standard error while a run goes on.

use std::io::{self, IsTerminal};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use measure::{Event, Observer};

use crate::terminal::say;

/// A line that says what happens now and what remains; nothing when standard error is no terminal.
pub(crate) struct Progress {
    bar: ProgressBar,
    quiet: bool,
    announce: Box<dyn FnMut(&measure::Outlook)>,
}

impl Progress {
    /// `announce` is called once, with the plan, before the first round.
    pub(crate) fn new(quiet: bool, announce: impl FnMut(&measure::Outlook) + 'static) -> Self {
        let visible = !quiet && io::stderr().is_terminal();
        let bar = ProgressBar::with_draw_target(
            None,
            if visible { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() },
        );
        if let Ok(style) = ProgressStyle::with_template("{spinner} {msg}") {
            bar.set_style(style);
        }
        Self { bar, quiet, announce: Box::new(announce) }
    }

    /// Takes the line away.
    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

impl Observer for Progress {
    fn see(&mut self, event: &Event<'_>) {
        match event {
            Event::Generating { cell } => self.bar.set_message(format!("making the input of {cell}")),
            Event::Calibrating { done, of, technique } => {
                self.bar.set_message(format!("trying everything out: {done} of {of} ({technique})"));
            }
            Event::Planned(outlook) => {
                let announce = &mut self.announce;
                self.bar.suspend(|| announce(outlook));
                if let Ok(style) =
                    ProgressStyle::with_template("{spinner} [{wide_bar}] round {pos} of at most {len}, {msg}")
                {
                    self.bar.set_style(style.progress_chars("=> "));
                }
                self.bar.set_length(u64::from(outlook.rounds.1));
                self.bar.set_position(0);
            }
            Event::Sampling { technique, .. } => {
                let eta = self.bar.prefix();
                self.bar.set_message(format!("{eta}{technique:<28.28}"));
            }
            Event::RoundOver { rounds, remaining_ns, .. } => {
                self.bar.set_position(u64::from(*rounds));
                self.bar.set_prefix(format!("at most {} more: ", coarse(*remaining_ns)));
            }
            Event::Again { reason } => {
                if !self.quiet {
                    self.bar.suspend(|| say(&format!("bakeoff: {reason}; its cell is measured once more")));
                }
                self.bar.set_position(0);
            }
        }
        self.bar.tick();
    }
}

/// A duration as people want it while they wait: whole seconds, minutes or hours.
fn coarse(ns: f64) -> String {
    let seconds = Duration::from_nanos(ns as u64).as_secs();
    match seconds {
        0..=119 => format!("{seconds} s"),
        120..=7199 => format!("{} min", seconds.div_ceil(60)),
        _ => format!("{} h", seconds.div_ceil(3600)),
    }
}
