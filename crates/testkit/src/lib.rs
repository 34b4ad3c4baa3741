//! Made-up runs for the tests of other crates: records of which everything is known. A test sets what matters to it; the rest
//! is as usual.

#![forbid(unsafe_code)]

mod run;

use model::{
    Design, Durability, Failure, FailureKind, Proof, Record, RunId, Sample, Setting, Tool, TrialRecord,
    Workload,
};
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use stats::synthetic::{NoisyHost, SyntheticNoise};

pub use run::Run;

/// Nanoseconds in a millisecond.
pub const MS: f64 = 1e6;

/// Makes a complete run without contests, which may take 20 counted rounds.
pub fn record(id: &str) -> Record {
    Record {
        tool: Tool { name: "bakeoff".into(), version: "0.1.0".into(), commit: None },
        id: RunId(id.into()),
        started: "2026-01-01T00:00:00+00:00".into(),
        seed: 1,
        complete: true,
        design: Design::usual(vec![8, 10, 13, 16, 20]),
        ..Record::default()
    }
}

/// Makes a technique of the family `copy` on 25.6 MB, without samples.
pub fn trial(technique: &str) -> TrialRecord {
    TrialRecord {
        family: "copy".into(),
        technique: technique.into(),
        workload: Workload::of_bytes("w", 25_600_000),
        setting: Setting::warm("/scratch", Durability::Returned),
        ..TrialRecord::default()
    }
}

/// Makes a sample that took this time.
pub fn sample(round: u32, position: u32, work_ns: u64) -> Sample {
    Sample {
        round,
        position,
        work_ns: Some(work_ns),
        repetitions: 1,
        proof: Proof { bytes: 1, digest: "00".into() },
        ..Sample::default()
    }
}

/// Makes a failure in a round.
pub fn failure(round: u32, kind: FailureKind, reason: &str) -> Failure {
    Failure { round: Some(round), ..Failure::before_the_rounds(kind, reason) }
}

/// An entry's turn in a round.
#[derive(Debug, Clone, Copy)]
pub struct Turn {
    /// Number of the round.
    pub round: u32,
    /// Place in the order of the round.
    pub position: u32,
    /// Index of the entry.
    pub entry: usize,
    /// Time of work now over its usual time.
    pub factor: f64,
}

/// Takes every turn of rounds 0 to `last`, in an order that is drawn for each round.
pub fn turns(
    host: NoisyHost, entries: usize, last: u32, random: &mut ChaCha8Rng,
    mut take: impl FnMut(Turn, &mut ChaCha8Rng),
) {
    let mut noise = SyntheticNoise::new(host, (last + 1) * entries as u32, random);
    let mut order: Vec<usize> = (0..entries).collect();
    for round in 0..=last {
        order.shuffle(random);
        for (position, &entry) in (0..).zip(&order) {
            let factor = noise.next_factor(position, random);
            take(Turn { round, position, entry, factor }, random);
        }
    }
}
