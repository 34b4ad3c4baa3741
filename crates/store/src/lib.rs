#![forbid(unsafe_code)]
//! Keeps records of runs, round by round, so that a killed run keeps what it had.
//!
//! A store is the only thing that reports read: a fresh run and an old one take the same road.

mod error;
mod resolve;
mod sqlite;

#[cfg(test)]
mod contract;

use std::collections::BTreeMap;

use model::{Record, TrialRecord};

pub use error::{Result, StoreError};
pub use sqlite::Sqlite;

/// A choice of trials of a run: it sees the run and the trial without their samples.
pub type Meant<'a> = &'a dyn Fn(&Record, &TrialRecord) -> bool;

/// This many of the latest runs show how long something takes.
const LATEST_RUNS: usize = 3;

/// Returns the median of the times of each technique.
fn medians(times: impl IntoIterator<Item = (String, u64)>) -> BTreeMap<String, u64> {
    let mut all: BTreeMap<String, Vec<u64>> = BTreeMap::new();
    for (technique, ns) in times {
        all.entry(technique).or_default().push(ns);
    }
    let medians = all.into_iter().map(|(technique, mut times)| {
        times.sort_unstable();
        (technique, times[times.len() / 2])
    });
    medians.collect()
}
