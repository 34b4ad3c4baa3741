//! A small run in which every column of a store has a value.

use std::collections::BTreeMap;

use model::{
    Along, Design, Durability, Fact, Failure, FailureKind, Fingerprint, Host, Kind, Note, Preset, Proof,
    Record, Residency, RunId, Sample, Setting, Shortfall, Tool, Topic, TrialRecord, Usage, Volume, Workload,
};

pub(crate) fn record() -> Record {
    let twin = TrialRecord { twin_of: Some("plain".into()), kind: Kind::Twin, ..trial("plain twin", 100) };
    let mut failed = trial("failing", 0);
    failed.samples.clear();
    failed.failures = vec![Failure {
        round: Some(1),
        position: Some(2),
        kind: FailureKind::Crash,
        reason: "was killed by signal 11 (SIGSEGV)".into(),
        shortfall: Some(Shortfall { budget_ns: Some(1), needed_ns: Some(2) }),
    }];
    Record {
        tool: Tool { name: "bakeoff".into(), version: "0.1.0".into(), commit: Some("abc".into()) },
        id: RunId("20261121T100000-aa".into()),
        started: "2026-11-21T10:00:00+01:00".into(),
        seed: 7,
        preset: Preset::Quick,
        complete: true,
        command: vec!["bakeoff".into(), "run".into()],
        design: Design {
            baselines: [("copy".into(), "plain".into())].into(),
            curves: [("copy".into(), Along { axis: "bytes".into(), ..Along::default() })].into(),
            threads: [("copy".to_owned(), [("4K".to_owned(), 2)].into())].into(),
            questions: [("logs".into(), "How do I pack a log?".into())].into(),
            ..Design::usual(vec![6, 8])
        },
        host: Host {
            fingerprint: Some(Fingerprint("0123456789abcdef".into())),
            name: Some("lab".into()),
            load: Some([0.1, 0.2, 0.3]),
            ..Host::default()
        },
        volumes: vec![Volume {
            directory: "/data".into(),
            file_system: Some("ext4".into()),
            mount_point: Some("/".into()),
            mount_options: Some("rw".into()),
            device: Some("vda".into()),
            rotational: Some(false),
            read_ahead_bytes: Some(128 << 10),
            scheduler: Some("none".into()),
            total_bytes: Some(1 << 40),
            free_bytes: Some(1 << 39),
            block_bytes: Some(4096),
        }],
        facts: vec![
            Fact::number("clock", "step", "tsc", 20.5, "ns"),
            Fact::words("clock", "source", "", "tsc"),
        ],
        trials: vec![trial("plain", 100), trial("fast", 50), twin, failed],
        canaries: (0..9).map(|round| (round, 1_000, 2_000)).collect(),
        notes: vec![Note { topic: Topic::Steal, text: "2 % of the time was stolen".into() }],
    }
}

fn trial(technique: &str, work_us: u64) -> TrialRecord {
    let mut setting = Setting::warm("/data", Durability::Returned);
    setting.conditions.file_system = Some("ext4".into());
    setting.conditions.processors = vec![0, 1];
    setting.conditions.memory_limit_bytes = Some(1 << 30);
    TrialRecord {
        family: "copy".into(),
        technique: technique.into(),
        aliases: vec!["cpW".into()],
        variant_of: Some("plain".into()).filter(|_| technique == "fast"),
        command: vec!["cp".into()],
        workload: Workload {
            files: vec!["/data/a".into()],
            ..Workload::of_bytes("1MB", 1_000_000).with("order", "random")
        },
        setting,
        looks: vec![6, 8],
        samples: (0..9).map(|round| sample(round, 1_000 * work_us + u64::from(round * 37 % 11))).collect(),
        ..TrialRecord::default()
    }
}

fn sample(round: u32, work_ns: u64) -> Sample {
    let mut usage = Usage::default();
    for (nth, part) in (0..).zip(usage.parts_mut()) {
        *part = Some(nth * 1_000);
    }
    Sample {
        round,
        position: round % 4,
        work_ns: Some(work_ns),
        process_ns: Some(work_ns + 1_000_000),
        repetitions: 1,
        usage,
        processor_before: Some(0),
        processor_after: Some(1),
        resident_before: Some(Residency { resident_pages: 1, total_pages: 2 }),
        proof: Proof { bytes: 1_000_000, digest: "00ff".into() },
        values: BTreeMap::from([("open_ns".into(), 17.0)]),
        histograms: BTreeMap::from([("handover".into(), "SElT".into())]),
        notes: vec!["fell back: EXDEV".into()],
        ..Sample::default()
    }
}
