//! A store that ends with the process.

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
    /// An empty store.
    pub fn new() -> Self {
        Self::default()
    }

    fn place(&self, id: &RunId) -> Option<usize> {
        self.records.iter().position(|record| record.id == *id)
    }

    /// The one that began last first; of those that report no difference, the one that was stored last.
    fn latest_first(&self) -> Vec<&Record> {
        let mut records: Vec<&Record> = self.records.iter().collect();
        records.sort_by_key(|record| Began::of(&record.started, &record.id));
        records.reverse();
        records
    }

    fn missing(&self, id: &RunId) -> StoreError {
        unknown(&id.0, &self.latest_first().iter().map(|record| record.id.clone()).collect::<Vec<_>>())
    }

    fn get_mut(&mut self, id: &RunId) -> Result<&mut Record> {
        let missing = self.missing(id);
        self.records.iter_mut().find(|record| record.id == *id).ok_or(missing)
    }
}

impl Store for Memory {
    fn begin(&mut self, record: &Record) -> Result<()> {
        if self.place(&record.id).is_some() {
            return Err(StoreError::AlreadyStored(record.id.clone()));
        }
        self.records.push(record.clone());
        Ok(())
    }

    fn append(&mut self, id: &RunId, increment: &Increment) -> Result<()> {
        let record = self.get_mut(id)?;
        let trials = (record.trials.len() + increment.trials.len()) as u32;
        check_trials(id, increment, trials)?;
        record.apply(increment);
        Ok(())
    }

    fn finish(&mut self, id: &RunId, complete: bool) -> Result<()> {
        self.get_mut(id)?.complete = complete;
        Ok(())
    }

    fn runs(&self) -> Result<Vec<Summary>> {
        Ok(self.latest_first().into_iter().map(Record::summary).collect())
    }

    fn hosts(&self) -> Result<Vec<(RunId, Option<Fingerprint>)>> {
        let host = |record: &Record| (record.id.clone(), record.host.fingerprint.clone());
        Ok(self.records.iter().rev().map(host).collect())
    }

    fn load(&self, id: &RunId) -> Result<Record> {
        let place = self.place(id).ok_or_else(|| self.missing(id))?;
        Ok(self.records[place].clone())
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
        let of_host =
            self.latest_first().into_iter().filter(|record| record.host.fingerprint.as_ref() == Some(host));
        let runs = of_host.filter(|record| record.trials.iter().any(|trial| fits(&trial)));
        let trials = runs.take(LATEST_RUNS).flat_map(|record| record.trials.iter().filter(fits));
        Ok(medians(trials.flat_map(|trial| {
            let times = trial.samples.iter().filter_map(|sample| sample.process_ns.or(sample.work_ns));
            times.map(|ns| (trial.technique.clone(), ns))
        })))
    }

    fn delete(&mut self, id: &RunId) -> Result<()> {
        let place = self.place(id).ok_or_else(|| self.missing(id))?;
        self.records.remove(place);
        Ok(())
    }
}

/// Refuses an increment with a row of a trial that is not there: a sample without its trial would be lost in silence.
pub(crate) fn check_trials(id: &RunId, increment: &Increment, trials: u32) -> Result<()> {
    let samples = increment.samples.iter().map(|(trial, _)| *trial);
    let failures = increment.failures.iter().map(|(trial, _)| *trial);
    match samples.chain(failures).find(|&trial| trial >= trials) {
        None => Ok(()),
        Some(index) => Err(StoreError::UnknownTrial { id: id.clone(), index, trials }),
    }
}
