//! A store of many runs of one host: `cargo xtask large-store FILE` makes up what two years of measuring would leave, so that
//! time and memory of the commands that read a store can be looked at.
//!
//! No figure in it was measured. It is written through the crate `store`, in the order in which a run writes: the trials first,
//! then the samples round by round; but in one transaction that waits for no disk, since it can be made again.

use std::path::{Path, PathBuf};
use std::sync::mpsc::sync_channel;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use clap::Parser;
use store::Sqlite;

mod made;

use made::Maker;

/// Make up a store of many runs
#[derive(Debug, Parser)]
#[command(after_help = "Exit code: 0 done; 2 could not be carried out.")]
pub(crate) struct Options {
    /// The store; it must not exist yet
    file: PathBuf,
    /// How many runs
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    runs: u32,
    /// How many samples they have together
    #[arg(long, value_name = "N", default_value_t = 10_000_000)]
    samples: u64,
    /// The same seed gives the same runs
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

/// This many runs are made up before the first of them is written: each takes some megabytes.
const MADE_AHEAD: usize = 4;
/// Says how far it is once in this time.
const SILENCE: Duration = Duration::from_secs(30);

pub(crate) fn carry_out(options: &Options) -> Result<bool> {
    let Options { file, runs, samples, seed } = options;
    if file.exists() {
        bail!("{} exists already; name another file", file.display());
    }
    let start = Instant::now();
    let written = fill(file, *runs, *samples, *seed)?;
    let bytes = file.metadata()?.len();
    let seconds = start.elapsed().as_secs();
    println!(
        "{}: {runs} runs, {} trials, {samples} samples, {} MB, {seconds} s",
        file.display(),
        written,
        bytes / 1_000_000
    );
    Ok(true)
}

/// Writes the runs and returns the number of their trials. One thread makes them up while the other one writes.
pub(crate) fn fill(file: &Path, runs: u32, samples: u64, seed: u64) -> Result<u64> {
    let mut store = Sqlite::open(file).context("the store")?;
    let maker = Maker::new(seed, runs);
    let (start, mut told, mut trials) = (Instant::now(), Instant::now(), 0);
    let (made, taken) = sync_channel(MADE_AHEAD);
    std::thread::scope(|scope| {
        scope.spawn(move || {
            for nth in 0..runs {
                // The writer has given up where it takes no further one.
                if made.send(maker.run(nth, share(samples, nth, runs))).is_err() {
                    break;
                }
            }
        });
        let counted = taken.into_iter().enumerate().map(|(nth, (record, rounds))| {
            if told.elapsed() >= SILENCE {
                told = Instant::now();
                eprintln!("     {nth} of {runs} runs after {} s", start.elapsed().as_secs());
            }
            trials += record.trials.len() as u64;
            (record, rounds)
        });
        store.fill(counted)
    })?;
    Ok(trials)
}

/// What falls to part `nth` of `parts`, so that all together are the whole.
fn share(whole: u64, nth: u32, parts: u32) -> u64 {
    let until = |nth: u64| (u128::from(whole) * u128::from(nth) / u128::from(parts)) as u64;
    until(u64::from(nth) + 1) - until(nth.into())
}

#[cfg(test)]
mod tests {
    use store::Store;

    use super::*;

    #[test]
    fn a_store_has_as_many_runs_and_samples_as_asked_for() {
        let records = |seed: u64| {
            let folder = tempfile::tempdir().expect("a folder");
            let file = folder.path().join("large.sqlite");
            fill(&file, 7, 3001, seed).expect("written");
            let store = Sqlite::open_read_only(&file).expect("a store");
            let runs = store.runs().expect("runs");
            assert_eq!(runs.iter().map(|run| run.samples).sum::<u64>(), 3001);
            // The latest first.
            assert!(runs.windows(2).all(|two| two[0].id > two[1].id && two[0].started > two[1].started));
            assert!(runs.iter().all(|run| run.complete && run.families.len() > 1));
            runs.iter().map(|run| store.load(&run.id).expect("a run")).collect::<Vec<_>>()
        };
        let made = records(1);
        assert_eq!(made.len(), 7);
        assert_eq!(made, records(1));
        assert_ne!(made, records(2));
        // It is judged like a measured one.
        let rankings = judge::rank(&made[0]);
        assert!(rankings.len() > 1 && rankings.iter().all(|ranking| !ranking.entries.is_empty()));
    }

    #[test]
    fn the_parts_of_a_number_are_the_whole() {
        for (whole, parts) in [(10, 3), (2, 7), (u64::MAX, 1000)] {
            let sum: u128 = (0..parts).map(|nth| u128::from(share(whole, nth, parts))).sum();
            assert_eq!(sum, u128::from(whole));
        }
    }
}
