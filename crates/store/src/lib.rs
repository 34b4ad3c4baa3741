#![forbid(unsafe_code)]
//! Keeps records of runs, round by round, so that a killed run keeps what it had.
//!
//! A store is the only thing that reports read: a fresh run and an old one take the same road.

mod error;
mod memory;
mod resolve;
mod sqlite;

#[cfg(test)]
mod contract;

use std::collections::BTreeMap;

use model::{Fingerprint, Increment, Record, RunId, Setting, Summary, TrialRecord, Workload};

pub use error::{Result, StoreError};
pub use memory::Memory;
pub use sqlite::Sqlite;

/// Which trials of a run are meant: it sees the run and the trial without their samples.
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

    /// Says whether the run came to its end.
    fn finish(&mut self, id: &RunId, complete: bool) -> Result<()>;

    /// All runs, the one that began last first.
    fn runs(&self) -> Result<Vec<Summary>>;

    /// The hosts of all runs, the run that began last first: `None` for a host without a fingerprint.
    fn hosts(&self) -> Result<Vec<(RunId, Option<Fingerprint>)>>;

    /// Everything that is known of a run.
    fn load(&self, id: &RunId) -> Result<Record>;

    /// What is known of a run and of one of its families: neither trials of others nor their samples are read.
    fn load_family(&self, id: &RunId, family: &str) -> Result<Record> {
        self.load_some(id, &|_, trial| trial.family == family)
    }

    /// What is known of a run and of some of its trials: of others neither samples nor failures are read.
    fn load_some(&self, id: &RunId, is_meant: Meant<'_>) -> Result<Record> {
        let mut record = self.load(id)?;
        let trials = std::mem::take(&mut record.trials);
        record.trials = trials.into_iter().filter(|trial| is_meant(&record, trial)).collect();
        Ok(record)
    }

    /// As [`Store::load_some`]; but of each sample only its place, its repetitions and what its family is compared by are sure to be
    /// there: the rest of it may be as if nothing were known. That is read several times sooner.
    fn load_compared(&self, id: &RunId, is_meant: Meant<'_>) -> Result<Record> {
        self.load_some(id, is_meant)
    }

    /// How long one repetition took on a host in its latest runs of a workload at a setting: the median in nanoseconds, by the
    /// name of the technique. Runs of other hosts, and of those without a fingerprint, do not count.
    fn earlier_times(
        &self,
        host: &Fingerprint,
        family: &str,
        workload: &Workload,
        setting: &Setting,
    ) -> Result<BTreeMap<String, u64>>;

    /// Removes a run with all its rows.
    fn delete(&mut self, id: &RunId) -> Result<()>;

    /// The run that a user means: `last`, a full identity, or the beginning of exactly one.
    /// Errors: nothing fits (the nearest identities are named), or more than one run does.
    fn resolve(&self, text: &str) -> Result<RunId> {
        let ids: Vec<RunId> = self.runs()?.into_iter().map(|run| run.id).collect();
        resolve::resolve(text, &ids)
    }
}

/// This many of the latest runs show how long something takes.
const LATEST_RUNS: usize = 3;

/// The median of the times of each technique.
fn medians(times: impl IntoIterator<Item = (String, u64)>) -> BTreeMap<String, u64> {
    let mut all: BTreeMap<String, Vec<u64>> = BTreeMap::new();
    for (technique, ns) in times {
        all.entry(technique).or_default().push(ns);
    }
    let median = |mut times: Vec<u64>| {
        times.sort_unstable();
        times[times.len() / 2]
    };
    all.into_iter().map(|(technique, times)| (technique, median(times))).collect()
}
