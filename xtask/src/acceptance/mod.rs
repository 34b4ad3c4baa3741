//! `cargo xtask acceptance` asks the release binary about work whose truth is known by construction, and counts how often it is
//! right. `docs/acceptance.md` describes the numbered checks. Each prints lines: the question, the answer, the limit.

use anyhow::Result;
use clap::Parser;

use instrument::Instrument;
use line::Line;
use output::{Ranking, Run};
use session::{Amount, Session};

use crate::Driven;

mod instrument;
mod line;
mod output;
mod session;

mod answers;
mod controls;
mod entered;
mod fio;
mod handovers;
mod interruption;
mod judged;
mod memset;
mod pairs;
mod picked;
mod plateau;
mod threads;

/// A numbered check: its name, the form in which it runs without being named, and its lines.
type Check = (&'static str, When, fn(&mut Session) -> Result<Vec<Line>>);

#[derive(PartialEq)]
enum When {
    /// In the full form and in the short one.
    Always,
    Full,
    /// On a host that has nothing else to do.
    OnRequest,
}

use When::{Always, Full, OnRequest};

const CHECKS: &[Check] = &[
    ("T1", Always, pairs::identical),
    // Two that load the machine.
    ("T2", OnRequest, pairs::identical_under_load),
    ("T3", OnRequest, pairs::identical_while_load_comes_and_goes),
    ("T4", Always, pairs::injected),
    ("T5", Always, pairs::coverage),
    ("T6", Always, pairs::ties),
    ("T7", Always, controls::ten_identical),
    ("T8", Full, controls::two_best_of_ten),
    ("T9", Full, controls::first_is_slower),
    ("T10", Full, controls::drifting),
    ("T11", Full, controls::heavy_tail),
    ("T12", Always, controls::disqualified),
    ("T13", Always, controls::too_short_for_the_clock),
    ("T14", Always, interruption::at_any_moment),
    ("T15", Always, judged::replayed),
    ("T16", Always, judged::boundaries),
    // The time that a user waits.
    ("T19", OnRequest, answers::default_run),
    ("T20", OnRequest, answers::large_inputs),
    ("T21", OnRequest, answers::ten_commands),
    // Families against themselves and against other programs.
    ("T22", OnRequest, plateau::best_piece),
    ("T23", OnRequest, fio::same_rates),
    ("T24", OnRequest, memset::best_kernels),
    ("T25", OnRequest, threads::pool),
    ("T26", OnRequest, handovers::queue_and_switch),
    ("T27", OnRequest, answers::all_families),
    // Advice in use, and a large store.
    ("T28", OnRequest, picked::as_fast_as_the_winner),
    ("T29", OnRequest, answers::read_quickly),
];

/// Ask the release binary about work whose truth is known, and count how often it is right
#[derive(Debug, Parser)]
#[command(after_help = "Exit code: 0 all lines hold; 1 one does not; 2 could not be carried out.")]
pub(crate) struct Options {
    /// Fewer runs of at most 20 rounds and limits for a busy host: under three minutes
    #[arg(long)]
    short: bool,
    /// Only these checks, e.g. T1,T4 (T2, T3 and T19 to T29 run only when named)
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    only: Vec<String>,
    /// This many runs instead of each check's own number; the limits follow
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    runs: Option<u16>,
    #[command(flatten)]
    driven: Driven,
}

/// Runs the checks and returns whether all lines hold.
pub(crate) fn carry_out(options: &Options) -> Result<bool> {
    let chosen = chosen(options)?;
    let (binary, seed) = options.driven.named()?;
    let instrument = Instrument::new(binary, if options.short { "--fast" } else { "" })?;
    let mut session = Session::new(instrument, options.short, options.runs.map(usize::from), seed);
    let (mut passed, mut failed) = (0, 0);
    for (name, _, lines) in chosen {
        for line in lines(&mut session)? {
            println!("{name:<4} {line}");
            *(if line.holds { &mut passed } else { &mut failed }) += 1;
        }
    }
    println!("{passed} passed, {failed} failed");
    Ok(failed == 0)
}

fn chosen(options: &Options) -> Result<Vec<&'static Check>> {
    if !options.only.is_empty() {
        return crate::only(CHECKS, |(name, ..)| name, &options.only);
    }
    Ok(CHECKS.iter().filter(|(_, when, _)| *when == Always || (*when == Full && !options.short)).collect())
}
