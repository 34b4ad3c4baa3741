//! Promises of every store, as sentences that run against one in a file and one in memory.

use std::collections::BTreeMap;
use std::path::PathBuf;

use model::{
    Along, Cache, Class, Design, Durability, Fact, Failure, FailureKind, Fingerprint, Host, Increment, Kind,
    Metric, Note, Preset, Proof, Record, Residency, RunId, Sample, Setting, Shortfall, Tool, Topic,
    TrialRecord, Usage, Volume, Workload,
};
use serde_json::json;

use crate::{Result, Sqlite, StoreError};

/// Makes a record with every kind of value, known and unknown, and names that try to break out of their cell.
pub(crate) fn record(id: &str) -> Record {
    let rate = Metric::more("units_per_second", "units' \"a\" second");
    let mut disk = Volume { directory: ".".into(), rotational: Some(false), ..Volume::default() };
    disk.read_ahead_bytes = Some(131_072);
    disk.file_system = Some("ext4".into());
    let mut mounted = Volume { directory: "/mnt/a b".into(), total_bytes: Some(0), ..Volume::default() };
    mounted.mount_point = Some("/mnt".into());
    let along = Along { axis: "bytes".into(), named: vec!["small'_buffer".into()], ..Along::default() };
    Record {
        tool: Tool { name: "bakeoff".into(), version: "0.1.0".into(), commit: None },
        id: RunId(id.into()),
        started: "2026-11-21T10:00:00+01:00".into(),
        seed: u64::MAX - 4,
        preset: Preset::Quick,
        complete: false,
        command: vec!["run".into(), "copy'; DROP TABLE run; --".into()],
        design: Design {
            metric: Metric::PROCESS,
            metrics: [("pipes".into(), vec![rate, Metric::less("p99_ns", "p99")])].into(),
            alpha: 0.05,
            shared_by: 3,
            delta: 0.1 + 0.2,
            looks: vec![10, 20],
            baselines: [("copy".into(), "small'_buffer".into())].into(),
            curves: [("copy".into(), along)].into(),
            threads: [("copy".into(), [("small".into(), 6)].into())].into(),
            questions: [("logs".into(), "How: \"with zstd\"?".into())].into(),
        },
        host: host(),
        volumes: vec![disk, mounted],
        facts: vec![
            Fact::number("clock", "step", "tsc", 0.1 + 0.2, "ns"),
            Fact::number("threads", "most", "", 8192.0, ""),
            Fact::words("clock", "source", "", "tsc' \u{0}"),
        ],
        trials: vec![trial("small_buffer")],
        canaries: vec![(0, 1, 2)],
        notes: vec![Note { topic: Topic::Steal, text: "2 % of the time was stolen".into() }],
    }
}

/// Makes a record that compares no time, so that all of its samples is always read.
fn whole_samples(id: &str) -> Record {
    let mut record = record(id);
    record.design.metric = Metric::MEMORY;
    record
}

/// Makes a machine of which everything is known.
pub(crate) fn host() -> Host {
    let known = json!({
        "fingerprint": "0123456789abcdef", "name": "größer\n\"host\"",
        "os": { "family": "linux", "name": "Debian", "kernel": "6.1", "c_library": "glibc 2.36" },
        "processor": {
            "model": "Some Processor", "architecture": "x86_64", "logical": 8, "allowed": [0, 1], "cores": 4,
            "microcode": "0x1", "sockets": 1, "numa_nodes": 1, "governor": "performance", "frequency_max_hz": 4_000_000_000_u64,
            "caches": [{ "level": 1, "kind": "data", "bytes": 32768, "shared_by": 2 }], "turbo": true,
            "hypervisor": "none", "vector_sets": ["AVX2"], "mitigations": ["spectre_v2"],
        },
        "memory": {
            "total_bytes": 5, "available_bytes": 4, "swap_bytes": 3, "page_bytes": 4096, "huge_pages": "never",
            "handed_back_bytes": 7,
        },
        "limits": { "privileged": true, "open_files": 9, "ring_refused": "it is switched off" },
        "load": [0.1, 0.2, 1e-300], "uptime_s": 6, "clock_source": "tsc", "clock_step_ns": 20,
    });
    serde_json::from_value(known).expect("a host")
}

pub(crate) fn trial(technique: &str) -> TrialRecord {
    let mut setting = Setting::warm("/tmp/a'b", Durability::Durable);
    setting.conditions.cache = Some(Cache::Cold);
    setting.conditions.processors = vec![0, 3];
    setting.conditions.memory_limit_bytes = Some(1 << 28);
    TrialRecord {
        family: "copy".into(),
        technique: technique.into(),
        aliases: vec!["cpW".into()],
        kind: Kind::BuiltIn,
        twin_of: None,
        variant_of: Some("read_write".into()),
        class: Class::MovesBytes,
        command: Vec::new(),
        workload: Workload {
            files: vec![PathBuf::from("/data/a b")],
            ..Workload::of_bytes("odd", u64::MAX).with("threads", 8).with("pattern", "a\nb'\"")
        },
        setting,
        attempt: 1,
        looks: vec![8, 10],
        samples: Vec::new(),
        failures: Vec::new(),
    }
}

/// Makes a sample in which every value depends on `seed`, with unknowns and extremes among them.
pub(crate) fn sample(seed: u64) -> Sample {
    let maybe = |bit: u64, value: u64| (seed >> bit & 1 == 1).then_some(value);
    let mut usage = Usage::default();
    for (nth, part) in (0..).zip(usage.parts_mut()) {
        *part = maybe((nth + 2) % 8, if nth == 1 { 1 << 63 } else { nth });
    }
    Sample {
        round: seed as u32,
        inner: (seed % 3) as u32,
        position: 7,
        work_ns: maybe(0, u64::MAX - seed),
        process_ns: maybe(1, 0),
        repetitions: seed,
        usage,
        processor_before: maybe(1, 0).map(|processor| processor as u32),
        processor_after: maybe(6, 4_095).map(|processor| processor as u32),
        resident_before: maybe(3, 9).map(|pages| Residency { resident_pages: 0, total_pages: pages }),
        proof: Proof { bytes: u64::MAX, digest: format!("{seed:016x}") },
        values: maybe(4, 0).map(|_| ("sort, then | merge_ns".to_owned(), 1e17 / 3.0)).into_iter().collect(),
        histograms: maybe(6, 0).map(|_| ("hand'over".to_owned(), "SElT+/=".to_owned())).into_iter().collect(),
        notes: maybe(5, 0).map(|_| "fell back:\n\"EXDEV\" \u{0}".into()).into_iter().collect(),
    }
}

pub(crate) fn round(number: u32) -> Increment {
    let mut hang = Failure::before_the_rounds(FailureKind::Hang, "no end after 10 s");
    hang.round = Some(number);
    let shortfall = Shortfall { budget_ns: Some(u64::MAX), needed_ns: None };
    Increment {
        samples: vec![(0, sample(number.into())), (0, sample(u64::from(number) * 37 + 255))],
        failures: vec![(0, hang), (0, Failure::skipped("the budget was needed for others", shortfall))],
        canaries: vec![(number, u64::MAX, 0)],
        ..Increment::default()
    }
}

/// Runs every sentence of the contract against stores made by `fresh`.
fn holds(mut fresh: impl FnMut() -> Sqlite) {
    type Sentence = fn(&mut Sqlite) -> Result<()>;
    let sentences: [(&str, Sentence); 10] = [
        ("round trip", what_was_stored_comes_back_bit_by_bit),
        ("increments", a_record_is_the_sum_of_its_increments),
        ("summary", the_summary_is_that_of_the_record),
        ("last run", the_run_that_began_last_is_the_last_whatever_was_stored_last),
        ("earlier times", earlier_times_are_the_medians_of_the_latest_runs_that_fit),
        ("one family", a_family_is_loaded_without_the_others),
        ("two writers", runs_that_are_written_at_the_same_time_are_read_apart),
        ("any metric", any_compared_metric_is_loaded),
        ("refused round", a_refused_round_leaves_nothing),
        ("identities", unknown_and_double_identities_are_refused),
    ];
    for (name, sentence) in sentences {
        sentence(&mut fresh()).expect(name);
    }
}

fn what_was_stored_comes_back_bit_by_bit(store: &mut Sqlite) -> Result<()> {
    let mut full = record("20261121T100000-aa");
    full.complete = true;
    full.trials[0].samples = (0..256).map(sample).collect();
    full.trials.push(TrialRecord {
        kind: Kind::Twin,
        twin_of: Some("small_buffer".into()),
        ..trial("twin, \"of\" | it\n")
    });
    full.trials.push(TrialRecord { setting: Setting::default(), ..trial("without files") });
    store.begin(&full)?;
    assert_eq!(store.load(&full.id)?, full);
    Ok(())
}

fn a_record_is_the_sum_of_its_increments(store: &mut Sqlite) -> Result<()> {
    let mut expected = record("20261121T100000-aa");
    store.begin(&expected)?;
    let other = record("20261121T100001-bb");
    store.begin(&other)?;
    for number in 0..5 {
        let mut increment = round(number);
        if number == 2 {
            increment.trials = vec![trial("late"), trial("command")];
            increment.samples.push((2, sample(3)));
            increment.notes = vec![Note { topic: Topic::ColdNotProven, text: String::new() }];
        }
        expected.apply(&increment);
        store.append(&expected.id, &increment)?;
        assert_eq!(store.load(&expected.id)?, expected, "after round {number}");
    }
    store.finish(&expected.id)?;
    expected.complete = true;
    assert_eq!(store.load(&expected.id)?, expected);
    assert_eq!(store.load(&other.id)?, other, "the other run was not touched");
    Ok(())
}

fn the_summary_is_that_of_the_record(store: &mut Sqlite) -> Result<()> {
    assert_eq!(store.runs()?, []);
    let mut first = record("20261121T100000-aa");
    first.trials.push(TrialRecord { family: "blocks".into(), ..trial("whole") });
    first.apply(&round(0));
    let second = record("20261122T100000-aa");
    let nothing = Record { trials: Vec::new(), host: Host::default(), ..record("20261120T100000-aa") };
    for one in [&first, &second, &nothing] {
        store.begin(one)?;
    }
    // They began in the same second, and their names do not say which came first: the one that was stored last counts as the last.
    assert_eq!(store.runs()?, [nothing.summary(), second.summary(), first.summary()]);
    assert_eq!(store.runs()?[2].families, ["blocks", "copy"]);
    assert_eq!(store.resolve("last")?, nothing.id);
    assert_eq!(store.resolve("20261121")?, first.id);
    Ok(())
}

fn the_run_that_began_last_is_the_last_whatever_was_stored_last(store: &mut Sqlite) -> Result<()> {
    let (here, there) = ("2026-11-21T10:00:00+01:00", "2026-11-21T13:00:00+05:00");
    let last = Record { started: here.into(), ..record("20261121T090000.007Z-aaaaaaaa") };
    let in_the_same_second = Record { started: here.into(), ..record("20261121T090000.005Z-zzzzzzzz") };
    // Its local time is the greatest.
    let imported = Record { started: there.into(), ..record("20261121T080000.000Z-aaaaaaaa") };
    for one in [&last, &in_the_same_second, &imported] {
        store.begin(one)?;
    }
    assert_eq!(store.runs()?, [last.summary(), in_the_same_second.summary(), imported.summary()]);
    assert_eq!(store.resolve("last")?, last.id);
    assert_eq!(store.resolve("latest")?, last.id);
    Ok(())
}

fn earlier_times_are_the_medians_of_the_latest_runs_that_fit(store: &mut Sqlite) -> Result<()> {
    let timed = |ns: u64| Sample { work_ns: Some(ns), process_ns: None, ..sample(0) };
    for (run, times) in [("a", [9, 9, 9]), ("b", [1, 2, 90]), ("c", [3, 80, 4]), ("d", [5, 70, 6])] {
        let mut run = record(run);
        run.trials = vec![trial("x"), trial("y")];
        run.trials[0].samples = times.map(timed).to_vec();
        store.begin(&run)?;
    }
    let elsewhere = [Some(Fingerprint("f".into())), None];
    for (run, fingerprint) in ["e", "f"].into_iter().zip(elsewhere) {
        let mut run = record(run);
        run.host.fingerprint = fingerprint;
        run.trials = vec![trial("x")];
        run.trials[0].samples = vec![timed(1)];
        store.begin(&run)?;
    }
    let (host, like) = (record("a").host.fingerprint.expect("known"), trial("x"));
    let times = |host: &Fingerprint, work| store.earlier_times(host, &like.family, work, &like.setting);
    // Of b, c and d the one in the middle; y has no sample. E and f are of other hosts, whatever their names.
    assert_eq!(times(&host, &like.workload)?, BTreeMap::from([("x".to_owned(), 5)]));
    assert!(times(&Fingerprint("another".into()), &like.workload)?.is_empty());
    assert!(times(&host, &like.workload.clone().with("bytes", 7))?.is_empty());
    let mut pinned = like.setting.clone();
    pinned.conditions.processors = vec![0];
    assert!(store.earlier_times(&host, &like.family, &like.workload, &pinned)?.is_empty());
    assert_eq!(store.hosts()?.len(), 6);
    assert_eq!(store.hosts()?[&RunId("f".into())], None);
    assert_eq!(store.hosts()?[&RunId("a".into())], Some(host));
    Ok(())
}

fn a_family_is_loaded_without_the_others(store: &mut Sqlite) -> Result<()> {
    let mut full = whole_samples("a1");
    full.trials.push(TrialRecord { family: "blocks".into(), ..trial("whole") });
    full.trials.push(trial("third"));
    let rows = (0..3).flat_map(|trial| [(trial, sample(u64::from(trial) + 8)), (trial, sample(40))]);
    let mut increment = Increment { samples: rows.collect(), ..Increment::default() };
    increment.failures = round(0).failures;
    full.apply(&increment);
    store.begin(&full)?;
    for family in ["copy", "blocks", "sort"] {
        let mut expected = full.clone();
        expected.trials.retain(|trial| trial.family == family);
        let loaded = store.load_compared(&full.id, &|_, trial| trial.family == family)?;
        assert_eq!(loaded, expected, "{family}");
    }
    assert_eq!(store.load(&full.id)?, full);
    let mut third = full.clone();
    third.trials.retain(|trial| trial.technique == "third");
    let is_third = |run: &Record, trial: &TrialRecord| run.id == full.id && trial.technique == "third";
    assert_eq!(store.load_compared(&full.id, &is_third)?, third);
    let unknown = store.load_compared(&RunId("b1".into()), &|_, _| true);
    assert!(matches!(unknown, Err(StoreError::UnknownRun(..))));
    Ok(())
}

/// Writes the rows of the first run in front of and behind those of the others.
fn runs_that_are_written_at_the_same_time_are_read_apart(store: &mut Sqlite) -> Result<()> {
    let mut runs = ["a1", "a2", "a3"].map(whole_samples);
    // By time, less is read of each sample.
    runs[1].design.metric = Metric::PROCESS;
    for run in &mut runs {
        run.trials = ["one", "without samples", "two"].map(trial).to_vec();
        store.begin(run)?;
    }
    let rounds: [(usize, u32); 6] = [(0, 0), (1, 2), (0, 1), (1, 40), (2, 20), (0, 2)];
    for (which, number) in rounds {
        let run: &mut Record = &mut runs[which];
        let times = if number >= 20 { number } else { 1 };
        let samples =
            (0..times).flat_map(|nth| [(0, sample((number + nth).into())), (2, sample(nth.into()))]);
        let increment = Increment { samples: samples.collect(), ..Increment::default() };
        run.apply(&increment);
        store.append(&run.id, &increment)?;
    }
    for run in &runs {
        assert_eq!(store.load(&run.id)?, *run);
        let is_asked = |trial: &TrialRecord| trial.technique != "one";
        let found = store.load_compared(&run.id, &|_, trial| is_asked(trial))?;
        let parts = |one: &Sample| {
            let memory = Metric::MEMORY.of(one).filter(|_| run.id != runs[1].id);
            (one.round, one.position, one.process_ns, memory)
        };
        let [found, expected] = [&found, run].map(|record| {
            let trials = record.trials.iter().filter(|trial| is_asked(trial));
            trials.map(|trial| trial.samples.iter().map(parts).collect()).collect::<Vec<Vec<_>>>()
        });
        assert_eq!(found, expected);
    }
    Ok(())
}

/// Checks each metric, in whichever part of a sample it stands.
fn any_compared_metric_is_loaded(store: &mut Sqlite) -> Result<()> {
    let value = Metric::more("units_per_second", "units a second");
    let measured = (0..256).map(|nth| {
        let values = [("units_per_second".into(), nth as f64 + 0.5)].into();
        Sample { values, ..sample(nth) }
    });
    let measured: Vec<Sample> = measured.collect();
    let metrics = Metric::BUILT_IN.into_iter().chain([value]);
    for (nth, metric) in metrics.enumerate() {
        let mut run = record(&format!("a{nth}"));
        run.design.metric = metric.clone();
        run.trials.push(trial("other"));
        for trial in &mut run.trials {
            trial.samples = measured.clone();
        }
        store.begin(&run)?;
        let brief = store.load_compared(&run.id, &|_, trial| trial.technique == "other")?;
        let [found, expected] = [&brief, &run].map(|record| {
            let samples = &record.trials.last().expect("a trial").samples;
            let parts = samples
                .iter()
                .map(|one| (one.round, one.inner, one.position, one.repetitions, metric.of(one)));
            parts.collect::<Vec<_>>()
        });
        assert_eq!((brief.trials.len(), found), (1, expected), "{metric}");
        assert_eq!(brief.trials[0].failures, run.trials[1].failures);
    }
    Ok(())
}

fn a_refused_round_leaves_nothing(store: &mut Sqlite) -> Result<()> {
    let before = record("a1");
    store.begin(&before)?;
    let mut increment = round(0);
    increment.samples.push((1, sample(1)));
    let refused = store.append(&before.id, &increment).expect_err("there is no trial 1");
    assert_eq!(refused.to_string(), "run a1 has 1 trials and no trial 1; nothing of this round was stored");
    assert_eq!(store.load(&before.id)?, before);
    Ok(())
}

fn unknown_and_double_identities_are_refused(store: &mut Sqlite) -> Result<()> {
    let known = record("20261121T100000-aa");
    store.begin(&known)?;
    assert!(matches!(store.begin(&known), Err(StoreError::AlreadyStored(..))));
    let unknown = RunId("20261121T100000-ab".into());
    let refusals = [
        store.append(&unknown, &Increment::default()).map(drop),
        store.finish(&unknown),
        store.load(&unknown).map(drop),
        store.resolve(&unknown.0).map(drop),
    ];
    for refusal in refusals {
        let text = refusal.expect_err("no run has this name").to_string();
        assert!(text.contains("nearest are 20261121T100000-aa"), "{text}");
    }
    Ok(())
}

#[test]
fn a_store_in_memory_keeps_the_contract() {
    holds(|| Sqlite::in_memory().expect("memory"));
}

#[test]
fn the_sqlite_store_keeps_the_contract() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut number = 0;
    holds(|| {
        number += 1;
        Sqlite::open(folder.path().join(format!("{number}.sqlite"))).expect("a new store")
    });
}
