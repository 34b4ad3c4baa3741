//! Records with nothing in them: made-up runs fill in what matters to them.

use std::collections::BTreeMap;

use model::{
    Class, Design, Host, Kind, Preset, Proof, Record, RunId, Sample, Setting, Tool, TrialRecord, Usage,
    Workload,
};

pub(crate) fn record(id: String, design: Design) -> Record {
    Record {
        tool: Tool { name: "bakeoff".into(), version: env!("CARGO_PKG_VERSION").into(), commit: None },
        id: RunId(id),
        started: "2026-11-21T10:00:00+00:00".into(),
        seed: 0,
        preset: Preset::Quick,
        complete: true,
        command: ["bakeoff", "run"].map(str::to_owned).to_vec(),
        design,
        host: Host::default(),
        volumes: Vec::new(),
        facts: Vec::new(),
        trials: Vec::new(),
        canaries: Vec::new(),
        notes: Vec::new(),
    }
}

pub(crate) fn trial(family: &str, technique: &str, workload: Workload) -> TrialRecord {
    TrialRecord {
        family: family.to_owned(),
        technique: technique.to_owned(),
        aliases: Vec::new(),
        kind: Kind::BuiltIn,
        twin_of: None,
        variant_of: None,
        class: Class::MovesBytes,
        command: Vec::new(),
        workload,
        setting: Setting::default(),
        attempt: 0,
        looks: Vec::new(),
        samples: Vec::new(),
        failures: Vec::new(),
    }
}

pub(crate) fn sample(round: u32, work_ns: u64) -> Sample {
    Sample {
        round,
        inner: 0,
        position: 0,
        work_ns: Some(work_ns),
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
