//! Is what the program says true? `cargo xtask acceptance` asks the release binary about work whose truth is known by
//! construction, from outside, on this host, and counts how often it is right.
//!
//! The checks are numbered as in `docs/acceptance.md`. Each prints lines: what was asked, what was seen, the limit.

use anyhow::{Result, bail};
use clap::Parser;

use instrument::Instrument;
use line::Line;
use seen::{Ranking, Run};
use session::{Amount, Session};

use crate::Driven;

mod instrument;
mod line;
mod seen;
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

/// One numbered check.
struct Check {
    name: &'static str,
    /// Whether it takes part in the full form when none is named.
    full: bool,
    /// Whether it takes part in the short form when none is named.
    short: bool,
    lines: fn(&mut Session) -> Result<Vec<Line>>,
}

const fn check(
    name: &'static str,
    full: bool,
    short: bool,
    lines: fn(&mut Session) -> Result<Vec<Line>>,
) -> Check {
    Check { name, full, short, lines }
}

const CHECKS: &[Check] = &[
    check("T1", true, true, pairs::identical),
    // Two that load the machine: on request, for a host that has nothing else to do.
    check("T2", false, false, pairs::identical_under_load),
    check("T3", false, false, pairs::identical_while_load_comes_and_goes),
    check("T4", true, true, pairs::injected),
    check("T5", true, true, pairs::coverage),
    check("T6", true, true, pairs::ties),
    check("T7", true, true, controls::ten_identical),
    check("T8", true, false, controls::two_best_of_ten),
    check("T9", true, false, controls::first_is_slower),
    check("T10", true, false, controls::drifting),
    check("T11", true, false, controls::heavy_tail),
    check("T12", true, true, controls::disqualified),
    check("T13", true, true, controls::too_short_for_the_clock),
    check("T14", true, true, interruption::at_any_moment),
    check("T15", true, true, judged::replayed),
    check("T16", true, true, judged::boundaries),
    // What a user waits for: on request, for a host that has nothing else to do.
    check("T19", false, false, answers::default_run),
    check("T20", false, false, answers::large_inputs),
    check("T21", false, false, answers::ten_commands),
    // Whether the families agree with themselves and with other programs: on request, for such a host too.
    check("T22", false, false, plateau::best_piece),
    check("T23", false, false, fio::same_rates),
    check("T24", false, false, memset::best_kernels),
    check("T25", false, false, threads::pool),
    check("T26", false, false, handovers::queue_and_switch),
    // Again what a user waits for.
    check("T27", false, false, answers::all_families),
    // Whether what is advised is worth it.
    check("T28", false, false, picked::as_fast_as_the_winner),
    // Whether a large store is read quickly.
    check("T29", false, false, answers::read_quickly),
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
    for check in chosen {
        for line in (check.lines)(&mut session)? {
            println!("{:<4} {line}", check.name);
            *(if line.holds { &mut passed } else { &mut failed }) += 1;
        }
    }
    println!("{passed} passed, {failed} failed");
    Ok(failed == 0)
}

fn chosen(options: &Options) -> Result<Vec<&'static Check>> {
    if options.only.is_empty() {
        let takes_part = |check: &&Check| if options.short { check.short } else { check.full };
        return Ok(CHECKS.iter().filter(takes_part).collect());
    }
    let named = |name: &String| CHECKS.iter().find(|check| check.name.eq_ignore_ascii_case(name));
    if let Some(unknown) = options.only.iter().find(|name| named(name).is_none()) {
        let known: Vec<&str> = CHECKS.iter().map(|check| check.name).collect();
        bail!("--only {unknown}: there is no such check; there are {}", known.join(", "));
    }
    Ok(options.only.iter().filter_map(named).collect())
}

#[test]
fn checks_are_chosen_by_name_in_either_case() {
    let names = |words: &[&str]| -> Result<Vec<&'static str>> {
        let options = Options::try_parse_from(["acceptance"].iter().chain(words))?;
        Ok(chosen(&options)?.into_iter().map(|check| check.name).collect())
    };
    assert_eq!(names(&["--only", "t4,T16"]).expect("known"), ["T4", "T16"]);
    assert_eq!(names(&["--short", "--only", "T2"]).expect("known"), ["T2"]);
    let refused = names(&["--only", "T99"]).expect_err("unknown").to_string();
    assert!(refused.contains("T99") && refused.contains("T16"), "{refused}");
}
