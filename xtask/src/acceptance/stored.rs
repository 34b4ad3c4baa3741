//! Whether a store of two years is read as quickly as a user expects (T29). On request, for a host that does nothing else.

use std::time::{Duration, Instant};

use anyhow::{Result, ensure};

use super::line::{Line, in_time};
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
    let shown = store.display().to_string();
    let listed = ended(session, &["report", "--list", "--format", "json", "--store", &shown])?.1;
    let runs: Vec<serde_json::Value> = serde_json::from_slice(&listed)?;
    ensure!(runs.len() == RUNS as usize, "the list has {} runs", runs.len());
    let first = runs.last().and_then(|run| run["id"].as_str()).unwrap_or_default().to_owned();
    let commands: [&[&str]; 4] =
        [&["report"], &["compare", &first, "last"], &["history"], &["history", "copy/std_copy"]];
    let mut lines = Vec::new();
    for words in commands {
        let all = [words, &["--store", &shown]].concat();
        let taken = session.repeat("a large store", AMOUNT, |session| Ok(ended(session, &all)?.0))?;
        let slowest = taken.into_iter().max().unwrap_or_default();
        lines.push(in_time(&format!("1,000 runs, ten million samples: {}", words[0]), slowest, LIMIT_S));
    }
    std::fs::remove_file(&store)?;
    Ok(lines)
}

/// How long a command took, and what it printed.
fn ended(session: &Session, words: &[&str]) -> Result<(Duration, Vec<u8>)> {
    let start = Instant::now();
    let output = session.instrument.command(session.instrument.binary()).args(words).output()?;
    let elapsed = start.elapsed();
    let said = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "bakeoff {}: {}: {}", words.join(" "), output.status, said.trim());
    ensure!(!output.stdout.is_empty(), "bakeoff {} printed nothing", words.join(" "));
    Ok((elapsed, output.stdout))
}
