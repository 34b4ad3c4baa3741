//! Kept runs whose truth is known: what techniques take, on a host that is shared with others.

use findings::{Finding, Here, Judged, KeptRun, Known, judge};
use judge::Decided;
use model::{CacheLevel, Durability, Fact, Fingerprint, Record, Setting, TrialRecord, Workload};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use stats::synthetic::SHARED;
use testkit::{MS, sample, turns};

/// The behavior of a technique at one workload.
#[derive(Clone)]
pub(crate) struct Truth {
    technique: String,
    workload: Workload,
    setting: Setting,
    work_ms: f64,
    /// Processor time over elapsed time.
    cpu_share: f64,
    /// The logarithm of what the slowest of many runs takes over the fastest; all times between are as likely.
    varies: f64,
}

#[derive(Clone, Default)]
pub(crate) struct World {
    truths: Vec<Truth>,
    facts: Vec<Fact>,
    processors: u32,
    system: String,
    name: String,
}

impl World {
    pub(crate) fn new() -> Self {
        Self { processors: 2, system: "linux".to_owned(), name: "linux-2".to_owned(), ..Self::default() }
    }

    /// Adds a technique at a workload without any number.
    pub(crate) fn with(self, technique: &str, work_ms: f64) -> Self {
        self.at(technique, work_ms, &[])
    }

    /// Adds a technique at a workload with these numbers.
    pub(crate) fn at(mut self, technique: &str, work_ms: f64, numbers: &[(&str, u64)]) -> Self {
        let named = Workload { name: format!("{numbers:?}"), ..Workload::default() };
        let workload = numbers.iter().fold(named, |workload, &(axis, number)| workload.with(axis, number));
        self.truths.push(Truth {
            technique: technique.to_owned(),
            workload,
            setting: Setting::warm("/a", Durability::Returned),
            work_ms,
            cpu_share: 0.5,
            varies: 0.0,
        });
        self
    }

    /// Gives the technique that was added last another share of processor time.
    pub(crate) fn cpu_share(mut self, share: f64) -> Self {
        self.truths.last_mut().expect("a technique").cpu_share = share;
        self
    }

    /// Lets the technique that was added last take up to this many times as long in some runs.
    pub(crate) fn varying(mut self, times: f64) -> Self {
        self.truths.last_mut().expect("a technique").varies = times.ln();
        self
    }

    pub(crate) fn on(mut self, file_system: &str) -> Self {
        let setting = &mut self.truths.last_mut().expect("a technique").setting;
        *setting = Setting::warm(format!("/{file_system}"), Durability::Returned);
        setting.conditions.file_system = Some(file_system.to_owned());
        self
    }

    pub(crate) fn fact(mut self, about: &str, number: f64) -> Self {
        self.facts.push(Fact::number("copy", "size", about, number, "bytes"));
        self
    }

    pub(crate) fn host(mut self, system: &str, processors: u32) -> Self {
        self.name = format!("{system}-{processors}");
        self.system = system.to_owned();
        self.processors = processors;
        self
    }

    /// Gives the host another name.
    pub(crate) fn called(mut self, name: &str) -> Self {
        self.name = name.to_owned();
        self
    }

    /// Makes a run on this host with this many counted rounds.
    pub(crate) fn run(&self, rounds: u32, seed: u64) -> KeptRun {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        // Another day, another pace.
        let pace = random.random_range(0.98..1.02);
        let mut record = self.empty(seed);
        turns(SHARED, self.truths.len(), rounds, &mut random, |turn, random| {
            let truth = &self.truths[turn.entry];
            let slow = (truth.varies * random.random::<f64>()).exp();
            let work_ns = truth.work_ms * MS * pace * slow * turn.factor;
            let cpu_ns = truth.work_ms * MS * truth.cpu_share * random.random_range(0.95..1.05);
            let mut sample = sample(turn.round, turn.position, work_ns as u64);
            let half = Some((cpu_ns / 2.0) as u64);
            (sample.usage.user_ns, sample.usage.system_ns) = (half, half);
            record.trials[turn.entry].samples.push(sample);
        });
        KeptRun { record, decided: Decided::default() }
    }

    fn empty(&self, seed: u64) -> Record {
        let mut record = testkit::record(&format!("r{seed}"));
        record.design.looks = vec![8, 10, 13, 16, 20, 25, 30, 40, 50, 60];
        let host = &mut record.host;
        host.os.family.clone_from(&self.system);
        host.name = Some(self.name.clone());
        host.fingerprint = Some(Fingerprint(self.name.clone()));
        host.processor.logical = Some(self.processors);
        let cache = CacheLevel { level: 2, kind: "unified".into(), bytes: 1 << 20, shared_by: None };
        host.processor.caches.push(cache);
        record.facts.clone_from(&self.facts);
        record.trials.extend(self.truths.iter().map(|truth| TrialRecord {
            workload: truth.workload.clone(),
            setting: truth.setting.clone(),
            ..testkit::trial(&truth.technique)
        }));
        record
    }
}

/// Two techniques at a workload without any number.
pub(crate) fn two(one_ms: f64, other_ms: f64) -> World {
    World::new().with("a", one_ms).with("b", other_ms)
}

/// That a takes less than b.
pub(crate) const FASTER: &str = "[[faster]]\ntechnique = \"a\"\nthan = \"b\"\n";

pub(crate) fn finding(comparisons: &str) -> Finding {
    let head = "[finding]\nid = \"copy-0\"\nclaim = \"So it is.\"\nsource = \"wsp\"\nplace = \"p\"\n\
                conditions = \"c\"\n";
    Finding::read("copy/a.toml", &format!("{head}{comparisons}"))
        .unwrap_or_else(|refused| panic!("{refused}"))
}

/// Returns all names of a finding, as if this version had them.
pub(crate) fn known(finding: &Finding) -> Known {
    let names = finding.names().into_iter().map(str::to_owned).collect();
    Known::from([("copy".to_owned(), names)])
}

pub(crate) fn judged(comparisons: &str, runs: &[KeptRun]) -> Judged {
    let finding = finding(comparisons);
    judge(&finding, runs, &known(&finding), None)
}

/// Judges the same on a host that is known by this name.
pub(crate) fn judged_here(comparisons: &str, runs: &[KeptRun], host: &str, system: &str) -> Judged {
    let finding = finding(comparisons);
    let here = Here { fingerprint: Some(Fingerprint(host.to_owned())), system: system.to_owned() };
    judge(&finding, runs, &known(&finding), Some(&here))
}
