//! Whether a store of two years is read as quickly as a user expects (T29). On request, for a host that does nothing else.

use std::process::Command;
use std::time::Instant;

use anyhow::{Result, ensure};

use super::instrument::printed;
use super::line::Line;
use super::session::{Amount, Session};
use crate::large_store::fill;

/// What is promised of this many runs and samples: each of the commands ends in this time.
const RUNS: u32 = 1_000;
const SAMPLES: u64 = 10_000_000;
const LIMIT_S: f64 = 2.0;
/// How often each command is carried out; the slowest one counts.
const AMOUNT: Amount = Amount::new(3, 1, 60);

/// T29: a run, two runs side by side, and the host over time, from a store of 1,000 runs.
pub(super) fn read_quickly(session: &mut Session) -> Result<Vec<Line>> {
    let store = session.instrument.path("large.sqlite");
    fill(&store, RUNS, SAMPLES, 1)?;
    let command = |session: &Session, words: &[&str]| -> Command {
        let mut command = session.instrument.command(session.instrument.binary());
        command.args(words).arg("--store").arg(&store);
        command
    };
    let listed = printed(&mut command(session, &["report", "--list", "--format", "json"]))?;
    let runs: Vec<serde_json::Value> = serde_json::from_str(&listed)?;
    ensure!(runs.len() == RUNS as usize, "the list has {} runs", runs.len());
    let first = runs.last().and_then(|run| run["id"].as_str()).unwrap_or_default();
    let commands: [&[&str]; 4] =
        [&["report"], &["compare", first, "last"], &["history"], &["history", "copy/std_copy"]];
    let mut lines = Vec::new();
    for words in commands {
        let taken = session.repeat("a large store", AMOUNT, |session| {
            let start = Instant::now();
            ensure!(!printed(&mut command(session, words))?.is_empty(), "{words:?} printed nothing");
            Ok(start.elapsed())
        })?;
        let slowest = taken.into_iter().max().unwrap_or_default();
        lines.push(Line::in_time(
            &format!("1,000 runs, ten million samples: {}", words[0]),
            slowest,
            LIMIT_S,
        ));
    }
    std::fs::remove_file(&store)?;
    Ok(lines)
}
