//! Made-up runs of which everything is known: what no host shows at will.

use std::collections::BTreeMap;

use judge::Catalogue;
use model::{
    Along, Class, Design, Failure, FailureKind, Host, Kind, OperatingSystem, Preset, Processor, Proof,
    Quantity, Record, RunId, Sample, Setting, Tool, TrialRecord, Usage, Workload,
};
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use report::Context;

/// A made-up run.
pub(super) struct Made {
    pub(super) name: &'static str,
    pub(super) record: Record,
}

impl Made {
    /// Its page.
    pub(super) fn page(&self) -> String {
        let decided = judge::decide(&self.record, &Catalogue::new());
        let seen = judge::seen(&self.record, &decided);
        let questions = BTreeMap::from([("copy".to_owned(), "How do I copy a file?".to_owned())]);
        let context = Context { questions, stored_in: Some("a store".to_owned()) };
        report::html::run(&self.record, &decided, &seen, &context, &[])
    }
}

/// All made-up runs.
pub(super) fn all() -> Vec<Made> {
    vec![one(), open(), refused(), failures(), one_sample(), names(), many(), levels(), noisy(), large()]
}

/// One contest with a clear answer.
fn one() -> Made {
    let mut run = Run::new(1, 20);
    run.contest("copy", &[("presized", 1.0), ("splice", 1.02), ("std_copy", 1.7), ("read_write@4K", 12.0)]);
    run.reference("copy", "std_copy");
    run.made("one")
}

/// Two rounds: no answer yet.
fn open() -> Made {
    let mut run = Run::new(2, 3);
    run.contest("copy", &[("presized", 1.0), ("splice", 1.02), ("std_copy", 1.7)]);
    run.made("open")
}

/// A full disk spoils what comes after it.
fn refused() -> Made {
    let mut run = Run::new(3, 20);
    run.contest("copy", &[("presized", 1.0), ("splice", 1.3)]);
    run.fail("splice", Some(4), FailureKind::DiskFull, "write out: No space left on device");
    run.made("refused")
}

/// Nothing worked.
fn failures() -> Made {
    let mut run = Run::new(4, 0);
    run.contest("copy", &[("reflink", 1.0), ("mmap", 1.0), ("io_uring", 1.0)]);
    run.fail("reflink", None, FailureKind::Missing, "ext4 shares no extents; btrfs and XFS do");
    run.fail("mmap", Some(0), FailureKind::Crash, "ended by signal 7 (bus error)");
    run.fail("io_uring", Some(0), FailureKind::Refused, "io_uring_setup: Operation not permitted");
    run.made("failures")
}

fn one_sample() -> Made {
    let mut run = Run::new(5, 1);
    run.contest("copy", &[("presized", 1.0)]);
    run.made("one-sample")
}

/// Names of 40 characters, and names with markup.
fn names() -> Made {
    let mut run = Run::new(6, 20);
    run.contest(
        "copy",
        &[
            ("a_name_of_forty_characters_that_is_long_", 1.0),
            ("another_name_of_forty_characters_it_is_x", 1.01),
            ("<script>alert('x')</script>", 1.4),
            ("</title><img src=x onerror=alert(1)>", 1.6),
            ("a & b \"quoted\" 'twice'", 2.5),
            ("名前がとても長い技術の名前がとても長い技術の名前です", 30.0),
        ],
    );
    run.reference("copy", "another_name_of_forty_characters_it_is_x");
    run.made("names")
}

/// 300 entries.
fn many() -> Made {
    let mut run = Run::new(7, 12);
    let names: Vec<String> = (0..300).map(|nth| format!("technique_{nth:03}@{}K", 4 << (nth % 5))).collect();
    let factor = |nth: usize| 1.0 + (nth / 6) as f64 * 0.13 + if nth > 250 { 40.0 } else { 0.0 };
    let entries: Vec<(&str, f64)> =
        names.iter().enumerate().map(|(nth, name)| (name.as_str(), factor(nth))).collect();
    run.contest("copy", &entries);
    run.reference("copy", "technique_020@4K");
    run.made("many")
}

/// A curve of 64 levels by 8 techniques.
fn levels() -> Made {
    let mut run = Run::new(8, 12);
    for level in 0..64_u64 {
        let bytes = 4096 + level * 65_536;
        let size = bytes as f64 / 4096.0;
        let techniques =
            ["sequential", "thread_pool", "split", "mapped", "ring", "direct", "advised", "per_file"];
        let time = |nth: usize| 30.0 * nth as f64 * nth as f64 + size / (1.0 + nth as f64 * 0.4);
        let entries: Vec<(&str, f64)> =
            techniques.iter().enumerate().map(|(nth, name)| (*name, time(nth))).collect();
        run.contest_at("search", Workload::of_size(bytes), &entries);
    }
    run.record
        .design
        .curves
        .insert("search".to_owned(), Along { axis: "bytes".to_owned(), ..Along::default() });
    run.reference("search", "sequential");
    run.made("levels")
}

/// A host on which the same work takes up to twice as long from round to round.
fn noisy() -> Made {
    let mut run = Run::new(9, 40);
    run.spread = 0.25;
    run.contest(
        "copy",
        &[("presized", 1.0), ("splice", 1.1), ("sendfile", 1.2), ("std_copy", 1.9), ("dd", 6.0)],
    );
    run.contest("sort", &[("lsd_radix", 1.0), ("std_sort", 1.5), ("heap", 3.0)]);
    run.reference("copy", "std_copy");
    run.made("noisy")
}

/// 100,000 samples.
fn large() -> Made {
    let mut run = Run::new(10, 370);
    run.record.design.looks = vec![369];
    for family in ["copy", "convert", "search", "sort", "clock", "pipeline", "blocks", "threads", "memory"] {
        let names: Vec<String> = (0..30).map(|nth| format!("technique_{nth}")).collect();
        let entries: Vec<(&str, f64)> =
            names.iter().enumerate().map(|(nth, name)| (name.as_str(), 1.0 + nth as f64 * 0.09)).collect();
        run.contest(family, &entries);
        run.reference(family, "technique_9");
    }
    run.made("large")
}

/// A record in the making.
struct Run {
    record: Record,
    rounds: u32,
    spread: f64,
    random: ChaCha8Rng,
}

impl Run {
    fn new(seed: u64, rounds: u32) -> Self {
        let processor = Processor {
            model: Some("Made-up processor".into()),
            architecture: "x86_64".into(),
            logical: Some(2),
            ..Processor::default()
        };
        let os = OperatingSystem { family: "linux".into(), ..OperatingSystem::default() };
        let record = Record {
            tool: Tool { name: "bakeoff".into(), version: env!("CARGO_PKG_VERSION").into(), commit: None },
            id: RunId(format!("made-up-{seed}")),
            started: "2026-11-21T10:00:00+00:00".into(),
            seed,
            preset: Preset::Quick,
            complete: true,
            command: ["bakeoff", "run"].map(str::to_owned).to_vec(),
            design: design(),
            host: Host { processor, os, ..Host::default() },
            volumes: Vec::new(),
            facts: Vec::new(),
            trials: Vec::new(),
            canaries: Vec::new(),
            notes: Vec::new(),
        };
        Self { record, rounds, spread: 0.02, random: ChaCha8Rng::seed_from_u64(seed) }
    }

    /// A contest with the factors of its entries.
    fn contest(&mut self, family: &str, entries: &[(&str, f64)]) {
        self.contest_at(family, Workload::of_size(25_600_000), entries);
    }

    fn contest_at(&mut self, family: &str, workload: Workload, entries: &[(&str, f64)]) {
        let host: Vec<f64> = (0..self.rounds).map(|_| self.noise()).collect();
        for &(name, factor) in entries {
            let mut trial = trial(family, name, &workload);
            for round in 0..self.rounds {
                let ns = 5e6 * factor * host[round as usize] * self.noise();
                trial.samples.push(sample(round, ns as u64));
            }
            self.record.trials.push(trial);
        }
    }

    fn reference(&mut self, family: &str, name: &str) {
        self.record.design.references.insert(family.to_owned(), name.to_owned());
    }

    fn fail(&mut self, name: &str, round: Option<u32>, kind: FailureKind, reason: &str) {
        let failure = Failure { round, position: None, kind, reason: reason.to_owned(), shortfall: None };
        for trial in self.record.trials.iter_mut().filter(|trial| trial.technique == name) {
            trial.samples.retain(|sample| Some(sample.round) != round);
            trial.failures.push(failure.clone());
        }
    }

    /// About 1, with the spread of the host; now and then far above.
    fn noise(&mut self) -> f64 {
        let sum: f64 = (0..6).map(|_| self.random.random_range(-1.0..1.0)).sum();
        let far = if self.random.next_u32().is_multiple_of(50) { self.spread * 8.0 } else { 0.0 };
        (sum / 1.4 * self.spread + far).exp()
    }

    fn made(mut self, name: &'static str) -> Made {
        for round in 0..self.rounds {
            let (processor, memory) = (1e6 * self.noise(), 2e6 * self.noise());
            self.record.canaries.push((round, processor as u64, memory as u64));
        }
        Made { name, record: self.record }
    }
}

fn design() -> Design {
    Design {
        quantity: Quantity::WORK,
        quantities: BTreeMap::new(),
        alpha: 0.05,
        shared_by: 1,
        delta: 0.02,
        looks: vec![8, 10, 13, 16, 20, 25, 30, 40],
        references: BTreeMap::new(),
        curves: BTreeMap::new(),
        questions: BTreeMap::new(),
    }
}

fn trial(family: &str, name: &str, workload: &Workload) -> TrialRecord {
    TrialRecord {
        family: family.to_owned(),
        technique: name.to_owned(),
        aliases: Vec::new(),
        kind: Kind::BuiltIn,
        twin_of: None,
        variant_of: None,
        class: Class::MovesBytes,
        command: Vec::new(),
        workload: workload.clone(),
        setting: Setting::default(),
        attempt: 0,
        looks: Vec::new(),
        samples: Vec::new(),
        failures: Vec::new(),
    }
}

fn sample(round: u32, ns: u64) -> Sample {
    Sample {
        round,
        inner: 0,
        position: 0,
        work_ns: Some(ns),
        process_ns: None,
        repetitions: 1,
        usage: Usage::default(),
        processor_before: None,
        processor_after: None,
        resident_before: None,
        proof: Proof { bytes: 1, digest: "0".to_owned() },
        values: BTreeMap::new(),
        histograms: BTreeMap::new(),
        notes: Vec::new(),
    }
}

#[cfg(test)]
mod tests;
