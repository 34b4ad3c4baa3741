//! Records, trials and samples of which only what matters to a test is chosen.

use std::collections::BTreeMap;

use model::{
    Class, Design, Host, Kind, Preset, Proof, Record, RunId, Sample, Setting, Tool, TrialRecord, Usage,
    Workload,
};

/// A run without contests.
pub(crate) fn record(id: &str, started: &str, host: Host) -> Record {
    Record {
        tool: Tool { name: "bakeoff".into(), version: "0.1.0".into(), commit: None },
        id: RunId(id.into()),
        started: started.into(),
        seed: 1,
        preset: Preset::Quick,
        complete: true,
        command: Vec::new(),
        design: Design::usual(vec![8, 10, 13, 16, 20]),
        host,
        volumes: Vec::new(),
        facts: Vec::new(),
        trials: Vec::new(),
        canaries: Vec::new(),
        notes: Vec::new(),
    }
}

/// A technique of the family `copy` without samples.
pub(crate) fn trial(technique: &str, setting: Setting) -> TrialRecord {
    TrialRecord {
        family: "copy".into(),
        technique: technique.into(),
        aliases: Vec::new(),
        kind: Kind::BuiltIn,
        twin_of: None,
        variant_of: None,
        class: Class::MovesBytes,
        command: Vec::new(),
        workload: Workload::of_bytes("w", 25_600_000),
        setting,
        attempt: 0,
        looks: Vec::new(),
        samples: Vec::new(),
        failures: Vec::new(),
    }
}

/// A sample that took so long.
pub(crate) fn sample(round: u32, position: u32, work_ns: u64) -> Sample {
    Sample {
        round,
        inner: 0,
        position,
        work_ns: Some(work_ns),
        process_ns: None,
        repetitions: 1,
        usage: Usage::default(),
        processor_before: None,
        processor_after: None,
        resident_before: None,
        proof: Proof { bytes: 1, digest: "00".into() },
        values: BTreeMap::new(),
        histograms: BTreeMap::new(),
        notes: Vec::new(),
    }
}
