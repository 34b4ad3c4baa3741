//! A builder of runs.

use model::{Failure, FailureKind, Kind, Record, Sample, Shortfall, TrialRecord, Workload};
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::{MS, record, sample, trial};

/// A record of the family `copy`, to which entries are added.
#[derive(Debug, Clone)]
pub struct Run {
    /// The record so far.
    pub record: Record,
    /// The time of each entry, for [`Run::rounds`].
    bases_ms: Vec<f64>,
}

impl Default for Run {
    fn default() -> Self {
        Self { record: record("r"), bases_ms: Vec::new() }
    }
}

impl Run {
    /// Makes a run without entries.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds an entry that takes this time.
    pub fn with(mut self, name: &str, base_ms: f64) -> Self {
        self.add(name, base_ms);
        self
    }

    /// Adds an entry that takes this time, and returns it for changes.
    pub fn add(&mut self, name: &str, base_ms: f64) -> &mut TrialRecord {
        self.bases_ms.push(base_ms);
        self.record.trials.push(trial(name));
        self.record.trials.last_mut().expect("just added")
    }

    /// Adds an entry of another kind.
    pub fn add_kind(&mut self, name: &str, base_ms: f64, kind: Kind) -> &mut TrialRecord {
        let trial = self.add(name, base_ms);
        trial.kind = kind;
        trial
    }

    /// Adds a second entry of a technique.
    pub fn twin(mut self, of: &str, base_ms: f64) -> Self {
        self.add_kind("twin", base_ms, Kind::Twin).twin_of = Some(of.into());
        self
    }

    /// Adds an entry that failed before the rounds.
    pub fn failed(&mut self, name: &str, kind: FailureKind, reason: &str) -> &mut TrialRecord {
        let trial = self.add(name, 0.0);
        trial.failures.push(Failure::before_the_rounds(kind, reason));
        trial
    }

    /// Adds an entry that was skipped for time after round 0.
    pub fn skipped(&mut self, name: &str, base_ms: f64, reason: &str) -> &mut TrialRecord {
        let trial = self.add(name, base_ms);
        trial.samples.push(sample(0, 9, (base_ms * MS) as u64));
        trial.failures.push(Failure::skipped(reason, Shortfall::default()));
        trial
    }

    /// Fills in round 0 and this many counted rounds, in which every time jitters by up to 0.5 %.
    pub fn rounds(mut self, counted: u32) -> Self {
        let mut random = ChaCha8Rng::seed_from_u64(2);
        for round in 0..=counted {
            let mut order: Vec<usize> = (0..self.bases_ms.len()).collect();
            order.shuffle(&mut random);
            for (position, index) in (0..).zip(order) {
                let work_ns = self.bases_ms[index] * MS * random.random_range(0.995..1.005);
                self.record.trials[index].samples.push(sample(round, position, work_ns as u64));
            }
        }
        self
    }

    /// Returns the entry of this name.
    pub fn trial(&mut self, name: &str) -> &mut TrialRecord {
        self.record.trials.iter_mut().find(|trial| trial.technique == name).expect("a trial of that name")
    }

    /// Changes every sample of an entry.
    pub fn samples(&mut self, name: &str, change: impl FnMut(&mut Sample)) {
        self.trial(name).samples.iter_mut().for_each(change);
    }

    /// Moves every entry to this workload.
    pub fn at(mut self, workload: &Workload) -> Self {
        self.record.trials.iter_mut().for_each(|trial| trial.workload = workload.clone());
        self
    }

    /// Names the baseline.
    pub fn baseline(&mut self, name: &str) {
        self.record.design.baselines.insert("copy".into(), name.into());
    }
}
