//! Whether a program that picks its technique from a profile is as fast as the family's winner (T28). On request, for a host that
//! does nothing else.
//!
//! The example `pick` of the crate `profile` enters a run next to the technique that won. Both are compared by the time of their whole
//! processes, and a copy of half a gigabyte takes a hundred times as long as a process takes to start.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};

use super::line::Line;
use super::seen::Ranking;
use super::session::{Amount, Session};

const ROUNDS: Amount = Amount::new(30, 10, 600);
const SIZE: &str = "512MiB";
const PICK: &str = "pick";
const PLAIN: &str = "std_copy";
/// It may take this many times as long as the best, by the lower end of its factor.
const FACTOR_MAX: f64 = 1.02;

/// T28: all techniques are measured, and what is advised of those that `pick` has goes into a profile. Then `pick`, the winner and
/// the baseline copy in turn. `pick` is the baseline, which stays until it is told from the best.
pub(super) fn as_fast_as_the_winner(session: &mut Session) -> Result<Vec<Line>> {
    let program = example(session.instrument.binary());
    if !program.is_file() {
        let build = "cargo build --release --package profile --example pick";
        let seen = format!("{} is not there: {build}", program.display());
        return Ok(vec![Line::new(asked(), seen, "it is built", false)]);
    }
    let (run, _) = session.instrument.measure(&["copy", "--size", SIZE])?;
    let ranking = widest(&run.rankings).context("nothing was compared")?;
    let winner = ranking.leader.clone().with_context(|| ranking.sentence.clone())?;
    let profile = session.instrument.path("profile.toml").display().to_string();
    let names = techniques(&program)?;
    session.instrument.advise(&["copy", "--size", SIZE, "--among", &names, "--profile", &profile])?;
    let rounds = session.wanted(ROUNDS).max(3).to_string();
    let command = format!("{PICK}={} {} {{input}} {{output}}", quoted(&program), quoted(Path::new(&profile)));
    let techniques = [&winner, PLAIN].map(|name| format!("copy/{name}"));
    let mut words: Vec<&str> = techniques.iter().map(String::as_str).collect();
    words.extend(["--size", SIZE, "--command", &command, "--baseline", PICK]);
    words.extend(["--rounds", &rounds, "--min-rounds", &rounds]);
    let (run, _) = session.instrument.measure(&words)?;
    let ranking = widest(&run.rankings).context("nothing was compared")?;
    Ok(vec![line(ranking, &winner)])
}

/// The example next to the program: `target/release/examples/pick`.
fn example(binary: &Path) -> PathBuf {
    let name = format!("{PICK}{}", std::env::consts::EXE_SUFFIX);
    binary.parent().unwrap_or(Path::new(".")).join("examples").join(name)
}

/// The names of the techniques that the example has.
fn techniques(program: &Path) -> Result<String> {
    let output = Command::new(program).arg("--techniques").output()?;
    ensure!(output.status.success(), "{}: {}", program.display(), output.status);
    Ok(String::from_utf8(output.stdout)?.trim().to_owned())
}

/// The contest with the most entries: others are about results of another kind.
fn widest(rankings: &[Ranking]) -> Option<&Ranking> {
    rankings.iter().max_by_key(|ranking| ranking.entries.len())
}

fn quoted(path: &Path) -> String {
    format!("'{}'", path.display())
}

fn asked() -> String {
    format!("copy, {SIZE}: the example that picks from a profile")
}

fn line(ranking: &Ranking, winner: &str) -> Line {
    let limit = format!("not surely above {FACTOR_MAX:.2} times the best");
    let factor = ranking.factor(PICK).map_or("?".to_owned(), |factor| format!("{factor:.3}"));
    let short = ranking.falls_short(PICK, FACTOR_MAX);
    let told = short.as_ref().map_or(String::new(), |why| format!(" ({why})"));
    Line::new(asked(), format!("{factor} times the best, beside {winner}{told}"), limit, short.is_none())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ranking(entries: &serde_json::Value) -> Ranking {
        serde_json::from_value(serde_json::json!({
            "family": "copy", "state": "tied", "sentence": "", "leader": "sendfile", "rounds": 10, "delta": 0.02,
            "alpha": 0.05, "entries": entries,
        }))
        .expect("a ranking")
    }

    fn beside(standing: &str, factor: f64, low: f64) -> Ranking {
        ranking(&serde_json::json!([
            {"technique": "sendfile", "standing": "wins", "factor": 1.0, "factor_low": 1.0},
            {"technique": "pick", "standing": standing, "factor": factor, "factor_low": low},
        ]))
    }

    #[test]
    fn a_program_that_is_not_surely_slower_than_the_winner_holds_and_one_that_is_does_not() {
        let near = line(&beside("slower", 1.04, 1.015), "sendfile");
        assert!(near.holds, "{near}");
        let far = line(&beside("slower", 1.3, 1.2), "sendfile");
        assert!(!far.holds, "{far}");
        assert!(far.to_string().contains("1.300 times the best, beside sendfile (at least 1.200"), "{far}");
        let absent = ranking(&serde_json::json!([{"technique": "sendfile", "standing": "wins"}]));
        assert!(!line(&absent, "sendfile").holds, "it took no part");
    }

    #[test]
    fn the_example_lies_beside_the_program() {
        let found = example(Path::new("target/release/bakeoff"));
        assert!(found.starts_with("target/release/examples"), "{}", found.display());
    }

    #[test]
    fn the_contest_of_the_many_is_that_of_the_example() {
        let many = beside("tied", 1.0, 1.0);
        let few = ranking(&serde_json::json!([{"technique": "reflink", "standing": "wins"}]));
        assert_eq!(widest(&[few, many]).map(|ranking| ranking.entries.len()), Some(2));
    }
}
