//! Whether a program that picks its technique from a profile is as fast as the family's winner (T28). On request, for a host that
//! does nothing else.
//!
//! The example `pick` of the crate `profile` enters a run next to the technique that won. Both are compared by the time of their whole
//! processes, and a copy of half a gigabyte takes a hundred times as long as a process takes to start.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};

use super::instrument::printed;
use super::{Amount, Line, Ranking, Run, Session};

const ROUNDS: Amount = Amount::new(30, 10, 600);
const SIZE: &str = "512MiB";
const ASKED: &str = "copy, 512MiB: the example that picks from a profile";
const PICK: &str = "pick";
const PLAIN: &str = "std_copy";
/// It may take this many times as long as the best, by the lower end of its factor.
const FACTOR_MAX: f64 = 1.02;

/// T28: all techniques are measured, and what is advised of those that `pick` has goes into a profile. Then `pick`, the winner and
/// the baseline copy in turn. `pick` is the baseline, which stays until it is distinguished from the best.
pub(super) fn as_fast_as_the_winner(session: &mut Session) -> Result<Vec<Line>> {
    // Next to the program.
    let name = format!("examples/{PICK}{}", std::env::consts::EXE_SUFFIX);
    let program = session.instrument.binary().with_file_name(name);
    if !program.is_file() {
        let build = "cargo build --release --package profile --example pick";
        let seen = format!("{} is not there: {build}", program.display());
        return Ok(vec![Line::new(ASKED, seen, "it is built", false)]);
    }
    let instrument = &session.instrument;
    let (run, _) = instrument.measure(&format!("copy --size {SIZE}"))?;
    let ranking = widest(&run)?;
    let winner = ranking.leader.clone().with_context(|| ranking.sentence.clone())?;
    let profile = instrument.path("profile.toml");
    let among = printed(Command::new(&program).arg("--techniques"))?;
    instrument.advise(&format!(
        "copy --size {SIZE} --among {} --profile {}",
        among.trim(),
        quoted(&profile)
    ))?;
    let rounds = session.wanted(ROUNDS).max(3);
    let command =
        format!("--command \"{PICK}={} {} {{input}} {{output}}\"", quoted(&program), quoted(&profile));
    let (run, _) = instrument.measure(&format!(
        "copy/{winner} copy/{PLAIN} --size {SIZE} {command} --baseline {PICK} --rounds {rounds} --min-rounds {rounds}"
    ))?;
    Ok(vec![line(widest(&run)?, &winner)])
}

/// The contest with the most entries: others are about results of another kind.
fn widest(run: &Run) -> Result<&Ranking> {
    run.rankings.iter().max_by_key(|ranking| ranking.entries.len()).context("nothing was compared")
}

fn quoted(path: &Path) -> String {
    format!("'{}'", path.display())
}

fn line(ranking: &Ranking, winner: &str) -> Line {
    let limit = format!("not surely above {FACTOR_MAX:.2} times the best");
    let factor = ranking.factor(PICK).map_or("?".to_owned(), |factor| format!("{factor:.3}"));
    let short = ranking.falls_short(PICK, FACTOR_MAX);
    let why = short.as_ref().map_or(String::new(), |why| format!(" ({why})"));
    Line::new(ASKED, format!("{factor} times the best, next to {winner}{why}"), limit, short.is_none())
}

#[test]
fn a_program_slower_than_the_winner_does_not_hold() {
    use serde_json::json;
    let line = |pick: serde_json::Value| {
        let winner = json!({"technique": "sendfile", "standing": "wins", "factor": 1.0, "factor_low": 1.0});
        line(&super::seen::ranking(&json!({"leader": "sendfile", "entries": [winner, pick]})), "sendfile")
    };
    let pick = |factor: f64, low: f64| json!({"technique": PICK, "standing": "slower", "factor": factor, "factor_low": low});
    assert!(line(pick(1.04, 1.015)).holds);
    let far = line(pick(1.3, 1.2));
    assert!(!far.holds);
    assert!(far.to_string().contains("1.300 times the best, next to sendfile (at least 1.200"), "{far}");
    assert!(!line(json!({"technique": "other", "standing": "tied"})).holds, "it took no part");
}
