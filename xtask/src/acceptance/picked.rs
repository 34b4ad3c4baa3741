//! The example `pick` of the crate `profile` against the technique that won (T28), on request. Both are compared by the time of
//! their processes: a copy of half a gigabyte takes a hundred times as long as a process takes to start.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result};

use super::answers::main_contest;
use super::output::shown;
use super::{Amount, Line, Ranking, Session};
use crate::printed;

const ROUNDS: Amount = Amount::new(30, 10, 600);
const SIZE: &str = "512MiB";
const ASKED: &str = "copy, 512MiB: the example that picks from a profile";
const PICK: &str = "pick";
const PLAIN: &str = "std_copy";
/// It may take this many times as long as the best, by the lower end of its factor.
const FACTOR_MAX: f64 = 1.02;

/// T28: all techniques are measured, and the advice for those of `pick` goes into a profile. Then `pick`, the winner and the
/// baseline copy in turn. `pick` is the baseline, which stays until it is distinguished from the best.
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
    let ranking = main_contest(&run, "copy")?;
    let winner = ranking.leader.clone().with_context(|| ranking.sentence.clone())?;
    let profile = instrument.path("profile.toml");
    let among = printed(Command::new(&program).arg("--techniques"))?;
    let [program, profile] = [&program, &profile].map(|path: &PathBuf| format!("'{}'", path.display()));
    instrument.advise(&format!("copy --size {SIZE} --among {} --profile {profile}", among.trim()))?;
    let rounds = session.wanted(ROUNDS).max(3);
    let command = format!("--command \"{PICK}={program} {profile} {{input}} {{output}}\"");
    let (run, _) = instrument.measure(&format!(
        "copy/{winner} copy/{PLAIN} --size {SIZE} {command} --baseline {PICK} --rounds {rounds} --min-rounds {rounds}"
    ))?;
    Ok(vec![line(main_contest(&run, "copy")?, &winner)])
}

fn line(ranking: &Ranking, winner: &str) -> Line {
    let limit = format!("not surely above {FACTOR_MAX:.2} times the best");
    let factor = shown(ranking.factor(PICK), 3);
    let short = ranking.falls_short(PICK, FACTOR_MAX);
    let why = short.as_ref().map_or(String::new(), |why| format!(" ({why})"));
    Line::new(ASKED, format!("{factor} times the best, next to {winner}{why}"), limit, short.is_none())
}

#[test]
fn a_program_slower_than_the_winner_does_not_hold() {
    use serde_json::json;
    let line = |pick: serde_json::Value| {
        let winner = json!({"technique": "sendfile", "standing": "wins", "factor": 1.0, "factor_low": 1.0});
        line(&super::output::ranking(&json!({"leader": "sendfile", "entries": [winner, pick]})), "sendfile")
    };
    let [near, far] = [(1.04, 1.015), (1.3, 1.2)].map(|(factor, low)| {
        line(json!({"technique": PICK, "standing": "slower", "factor": factor, "factor_low": low}))
    });
    assert!(near.holds);
    assert!(!far.holds);
    assert!(far.to_string().contains("1.300 times the best, next to sendfile (at least 1.200"), "{far}");
    assert!(!line(json!({"technique": "other", "standing": "tied"})).holds, "it took no part");
}
