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

use model::{Fingerprint, Increment, Record, RunId, Setting, Summary, TrialRecord, Workload};

pub use error::{Result, StoreError};
pub use sqlite::Sqlite;

/// A choice of trials of a run: it sees the run and the trial without their samples.
pub type Meant<'a> = &'a dyn Fn(&Record, &TrialRecord) -> bool;

/// Keeps records. A stored record is what was begun plus every increment that was appended.
///
/// Errors: the store cannot be read or written, or has no run of the identity that is named.
pub trait Store {
    /// Stores a new record with everything that it holds already.
    /// Errors: a run of this identity is stored already.
    fn begin(&mut self, record: &Record) -> Result<()>;

    /// Adds what a round found out: all of it or, on an error, nothing.
    /// Errors: a row names a trial that the run does not have.
    fn append(&mut self, id: &RunId, increment: &Increment) -> Result<()>;

    /// Marks the run as complete or not.
    fn finish(&mut self, id: &RunId, complete: bool) -> Result<()>;

    /// Returns all runs, the one that began last first.
    fn runs(&self) -> Result<Vec<Summary>>;

    /// Returns the hosts of all runs, the run that began last first: `None` for a host without a fingerprint.
    fn hosts(&self) -> Result<Vec<(RunId, Option<Fingerprint>)>>;

    /// Loads a whole run.
    fn load(&self, id: &RunId) -> Result<Record>;

    /// Loads a run with one of its families: neither trials of others nor their samples are read.
    fn load_family(&self, id: &RunId, family: &str) -> Result<Record> {
        self.load_some(id, &|_, trial| trial.family == family)
    }

    /// Loads a run with some of its trials: of others neither samples nor failures are read.
    fn load_some(&self, id: &RunId, is_meant: Meant<'_>) -> Result<Record>;

    /// Loads as [`Store::load_some`], several times faster; of each sample only place, repetitions and compared metric are sure.
    fn load_compared(&self, id: &RunId, is_meant: Meant<'_>) -> Result<Record>;

    /// Returns the median time of one repetition in nanoseconds by the technique, in a host's latest runs of a workload at a
    /// setting. Hosts without a fingerprint have none.
    fn earlier_times(
        &self,
        host: &Fingerprint,
        family: &str,
        workload: &Workload,
        setting: &Setting,
    ) -> Result<BTreeMap<String, u64>>;

    /// Removes a run with all its rows.
    fn delete(&mut self, id: &RunId) -> Result<()>;

    /// Finds the run that a user means: `last`, a full identity, or the beginning of exactly one.
    /// Errors: nothing fits (the nearest identities are named), or more than one run does.
    fn resolve(&self, text: &str) -> Result<RunId>;
}

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
