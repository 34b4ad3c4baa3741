//! A store in memory.

use std::collections::BTreeMap;

use model::{Began, Fingerprint, Increment, Record, RunId, Setting, Summary, TrialRecord, Workload};

use crate::resolve::unknown;
use crate::{LATEST_RUNS, Result, Store, StoreError, medians};

/// A store that ends with the process: for tests, and for runs that shall leave nothing behind.
#[derive(Debug, Clone, Default)]
pub struct Memory {
    /// In the order in which they were stored.
    records: Vec<Record>,
}

impl Memory {
    /// Makes an empty store.
    pub fn new() -> Self {
        Self::default()
    }

    fn place(&self, id: &RunId) -> Result<usize> {
        let place = self.records.iter().position(|record| record.id == *id);
        place.ok_or_else(|| {
            unknown(&id.0, &self.latest_first().iter().map(|record| record.id.clone()).collect::<Vec<_>>())
        })
    }

    /// Returns the one that began last first; of those that report no difference, the one that was stored last.
    fn latest_first(&self) -> Vec<&Record> {
        let mut records: Vec<&Record> = self.records.iter().collect();
        records.sort_by_key(|record| Began::of(&record.started, &record.id));
        records.reverse();
        records
    }
}

impl Store for Memory {
    fn begin(&mut self, record: &Record) -> Result<()> {
        if self.place(&record.id).is_ok() {
            return Err(StoreError::AlreadyStored(record.id.clone()));
        }
        self.records.push(record.clone());
        Ok(())
    }

    fn append(&mut self, id: &RunId, increment: &Increment) -> Result<()> {
        let place = self.place(id)?;
        let record = &mut self.records[place];
        let trials = (record.trials.len() + increment.trials.len()) as u32;
        check_trials(id, increment, trials)?;
        record.apply(increment);
        Ok(())
    }

    fn finish(&mut self, id: &RunId, complete: bool) -> Result<()> {
        let place = self.place(id)?;
        self.records[place].complete = complete;
        Ok(())
    }

    fn runs(&self) -> Result<Vec<Summary>> {
        Ok(self.latest_first().into_iter().map(Record::summary).collect())
    }

    fn hosts(&self) -> Result<Vec<(RunId, Option<Fingerprint>)>> {
        let records = self.records.iter().rev();
        Ok(records.map(|record| (record.id.clone(), record.host.fingerprint.clone())).collect())
    }

    fn load(&self, id: &RunId) -> Result<Record> {
        Ok(self.records[self.place(id)?].clone())
    }

    fn earlier_times(
        &self,
        host: &Fingerprint,
        family: &str,
        workload: &Workload,
        setting: &Setting,
    ) -> Result<BTreeMap<String, u64>> {
        let fits = |trial: &&TrialRecord| {
            trial.family == family && trial.workload == *workload && trial.setting == *setting
        };
        let runs = self.latest_first().into_iter().filter(|record| {
            record.host.fingerprint.as_ref() == Some(host) && record.trials.iter().any(|trial| fits(&trial))
        });
        let trials = runs.take(LATEST_RUNS).flat_map(|record| record.trials.iter().filter(fits));
        Ok(medians(trials.flat_map(|trial| {
            let times = trial.samples.iter().filter_map(|sample| sample.process_ns.or(sample.work_ns));
            times.map(|ns| (trial.technique.clone(), ns))
        })))
    }

    fn delete(&mut self, id: &RunId) -> Result<()> {
        self.records.remove(self.place(id)?);
        Ok(())
    }
}

/// Refuses an increment with a row of a trial that is not there: a sample without its trial would be lost in silence.
pub(crate) fn check_trials(id: &RunId, increment: &Increment, trials: u32) -> Result<()> {
    let samples = increment.samples.iter().map(|(trial, _)| *trial);
    let mut named = samples.chain(increment.failures.iter().map(|(trial, _)| *trial));
    let Some(index) = named.find(|&trial| trial >= trials) else { return Ok(()) };
    Err(StoreError::UnknownTrial { id: id.clone(), index, trials })
}
