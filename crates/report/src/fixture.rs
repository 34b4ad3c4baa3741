//! A fabricated run for the tests of every page: failures, twins, commands, values that are not known, and names that
//! try to break out of their cell. No figure in it was measured.

use std::collections::BTreeMap;

use judge::{
    Absence, Absent, Asked, Choice, Curve, Decided, Entry, FailureLine, KeptAnswers, Level, Line, Median,
    Question, Range, Ranking, Ratio, Standing, State, advise,
};
use model::{
    Account, Class, Design, Durability, FailureKind, Host, Kind, Mark, Metric, Note, Point, Proof, Record,
    Residency, RunId, Sample, Setting, SystemCall, Tool, Topic, TrialRecord, Unit, Usage, Volume, Workload,
};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::pages::{
    AdvicePage, Context, ExplainedTechnique, Listing, ListingRow, NoisePage, NoiseRow, RunPage, TimePage,
};
use crate::text::Style;
use crate::{Format, render};

/// A command whose name holds whatever breaks a table, a cell or a terminal.
pub(crate) const ODD: &str = "größer, \"x\" | `y`\n<z> *w*\u{1b}[31m";

pub(crate) fn setting() -> Setting {
    let mut setting = Setting::warm(".", Durability::Returned);
    setting.conditions.file_system = Some("ext4".into());
    setting
}

pub(crate) fn workload() -> Workload {
    Workload::of_bytes("25.6MB", 25_600_000)
}

fn trial(technique: &str, kind: Kind, samples: Vec<Sample>) -> TrialRecord {
    TrialRecord { kind, workload: workload(), setting: setting(), samples, ..testkit::trial(technique) }
}

fn sample(round: u32, position: u32, process_ns: Option<u64>, usage: Usage) -> Sample {
    Sample {
        work_ns: process_ns.map(|ns| ns - 1_000_000),
        process_ns,
        usage,
        processor_before: Some(0),
        processor_after: Some(1),
        resident_before: Some(Residency { resident_pages: 6250, total_pages: 6250 }),
        proof: Proof { bytes: 25_600_000, digest: "00ff".into() },
        ..testkit::sample(round, position, 0)
    }
}

fn usage(user_ns: u64, system_ns: u64) -> Usage {
    Usage {
        user_ns: Some(user_ns),
        system_ns: Some(system_ns),
        peak_memory_bytes: Some(2_500_000),
        ..Usage::default()
    }
}

pub(crate) fn record() -> Record {
    let small = TrialRecord {
        aliases: vec!["cpW".into()],
        ..trial(
            "read_write@256K",
            Kind::BuiltIn,
            vec![
                sample(0, 1, Some(5_000_000), usage(1_000_000, 3_000_000)),
                sample(1, 0, Some(7_000_000), usage(2_000_000, 4_000_000)),
                sample(2, 2, Some(6_000_000), usage(3_000_000, 5_000_000)),
            ],
        )
    };
    let twin = TrialRecord {
        twin_of: Some("read_write@256K".into()),
        ..trial("read_write@256K twin", Kind::Twin, vec![sample(0, 0, Some(5_500_000), usage(0, 4_000_000))])
    };
    let mut odd = TrialRecord {
        command: vec!["cp".into(), "{input}".into(), "{output}".into()],
        ..trial(
            ODD,
            Kind::Command,
            vec![sample(0, 2, Some(9_000_000), Usage::default()), sample(1, 2, None, Usage::default())],
        )
    };
    odd.samples[0].notes = vec!["fell back: \"EXDEV\", then\nread".into()];
    odd.samples[0].values = BTreeMap::from([("open_ns".into(), 17.0)]);
    let broken = TrialRecord {
        failures: vec![testkit::failure(0, FailureKind::Crash, "ended by signal 7 (bus error)")],
        ..trial("mmap_to_mmap", Kind::BuiltIn, Vec::new())
    };
    Record {
        tool: Tool { name: "bakeoff".into(), version: "0.1.0".into(), commit: Some("abc".into()) },
        started: "2026-11-21T10:00:00+01:00".into(),
        seed: u64::MAX,
        command: vec!["bakeoff".into(), "run".into(), "copy".into()],
        design: Design { metric: Metric::PROCESS, ..Design::usual(vec![10, 20]) },
        host: host(),
        volumes: vec![volume()],
        trials: vec![small, twin, odd, broken],
        canaries: vec![(0, 1_000_000, 2_000_000)],
        notes: vec![Note { topic: Topic::Steal, text: "2 % of the time was taken by other guests.".into() }],
        ..testkit::record("20261121T100000-aa")
    }
}

pub(crate) fn host() -> Host {
    known(json!({
        "fingerprint": "0123456789abcdef", "name": "lab", "os": { "family": "linux", "kernel": "6.1.0" },
        "processor": {
            "model": "Some | Processor", "architecture": "x86_64", "logical": 2, "allowed": [0, 1], "hypervisor": "KVM",
            "caches": [],
        },
        "memory": {}, "limits": {}, "clock_source": "tsc", "load": [0.1, 0.25, 1e-3],
    }))
}

pub(crate) fn volume() -> Volume {
    known(json!({ "directory": ".", "file_system": "ext4", "rotational": false, "free_bytes": 1_u64 << 34 }))
}

pub(crate) fn ns(median: f64) -> Median {
    Median::new(Some(Unit::Nanoseconds), Some(median))
}

/// The clear contest with the same figures of another metric.
pub(crate) fn clear_by(metric: Metric) -> Ranking {
    let mut ranking = Ranking { metric, ..clear() };
    let unit = ranking.metric.unit();
    ranking.entries.iter_mut().for_each(|entry| entry.median = Median::new(Some(unit), entry.median.value()));
    ranking
}

/// Returns a value in which only what is named is known.
pub(crate) fn known<T: DeserializeOwned>(value: Value) -> T {
    serde_json::from_value(value).expect("all that must be known")
}

fn entry(technique: &str, kind: Kind, standing: Standing) -> Entry {
    known(json!({ "technique": technique, "kind": kind, "standing": standing, "rounds": 20 }))
}

fn entries() -> Vec<Entry> {
    known(json!([
        {
            "technique": "copy_file_range", "kind": "built-in", "standing": "tied", "rounds": 20,
            "median_ns": 5_412_345.0, "factor": 1.0, "factor_low": 1.0, "factor_high": 1.066, "mean_ratio": 1.0,
            "bytes_per_s": 4.73e9, "cpu_ns": 5.21e6, "user_ns": 310e3, "system_ns": 4.9e6,
            "peak_memory_bytes": 2_512_000.0, "faults": 120.0, "switches": 3.0, "preemptions": 1.0, "run_delay_ns": 17e3,
            "values": { "read_ns": 2.2e6, "write_ns": 3.1e6 },
            "noise": { "robust_spread": 0.012, "p95_over_median": 1.08, "max_over_median": 1.314, "far_out": 1 },
        },
        {
            "technique": "sendfile", "kind": "built-in", "standing": "tied", "rounds": 20,
            "median_ns": 5_433_994.0, "factor": 1.004, "factor_low": 1.0, "factor_high": 1.111,
        },
        {
            "technique": ODD, "kind": "command", "standing": "slower", "rounds": 10, "left_after_round": 10,
            "median_ns": 5_682_962.0, "factor": 1.05, "factor_high": 1.2,
        },
        {
            "technique": "read_write@256K", "aliases": ["cpW"], "kind": "built-in", "standing": "slower", "rounds": 20,
            "median_ns": 9_092_740.0, "factor": 1.68, "factor_low": 1.53, "factor_high": 2.04, "bytes_per_s": 2.82e9,
            "cpu_ns": 8e6, "notes": ["fell back: read and write"],
        },
        {
            "technique": "read_write@4K", "kind": "built-in", "standing": "slower", "rounds": 20,
            "median_ns": 66_788_337.0, "factor": 12.34, "factor_low": 11.2, "factor_high": 14.6,
        },
        {
            "technique": "memory_copy", "kind": "ceiling", "standing": "ceiling", "rounds": 20,
            "median_ns": 2e6, "factor": 0.37,
        },
        { "technique": "mmap_to_mmap", "kind": "built-in", "standing": "failed", "rounds": 20 },
    ]))
}

/// Returns what might be said of the run.
pub(crate) fn ranking() -> Ranking {
    let ranking = known(json!({
        "family": "copy", "workload": workload(), "setting": setting(), "class": "moves-bytes",
        "metric": Metric::PROCESS, "state": "tied",
        "choice": {
            "entry": "copy_file_range", "baseline": { "factor": 1.68, "low": 1.53, "high": 2.04 }, "at_most_slower": 0.066,
        },
        "sentence": "copy_file_range leads; tied with sendfile, and at most 7 % slower than the fastest. 3 others are slower.",
        "advice": "Use copy_file_range: read_write@256K is slower by 1.7x (1.5-2.1x).",
        "leader": "copy_file_range", "fastest": ["copy_file_range", "sendfile"],
        "at_most_slower": 0.066, "at_most_slower_proved": 0.11, "confidence": 0.95, "rounds": 20, "delta": 0.02,
        "alpha": 0.05, "baseline": "read_write@256K", "twin_difference": 0.004,
        "entries": entries(),
        "failures": [{
            "technique": "mmap_to_mmap", "kind": "crash", "count": 3, "reason": "ended by signal 7 (bus error)",
        }],
        "not_available": [{
            "technique": "reflink", "kind": "missing", "count": 1, "reason": "ext4 shares no extents; btrfs and XFS do",
        }],
        "flags": [
            {
                "name": "ratio_moved", "important": true,
                "text": "sendfile slowed down against copy_file_range during the run, from 1.00x to 1.09x; repeat the run to be sure",
            },
            {
                "name": "drift", "important": false,
                "text": "the processor slowed by 6 % during the run; pairing protects the answer.",
            },
        ],
        "best_parameters": [{ "technique": "read_write", "value": "256K", "as_good": ["128K", "256K", "512K"] }],
        "further": { "rounds": 65, "more_ns": 38e9, "at_most_slower": 0.02 },
    }));
    Ranking { unit_is_known: true, first_counted: Some(1), ..ranking }
}

/// Returns what might be said of the run, with what holds over no contests.
pub(crate) fn judged() -> Decided {
    decided(&[ranking()])
}

/// The same contest with one fastest technique, nothing failed, by the work, without a twin.
pub(crate) fn clear() -> Ranking {
    let mut entries = entries();
    entries[0].standing = Standing::Wins;
    entries[0].factor_high = Some(1.0);
    entries[2].factor_low = Some(1.02);
    entries.retain(|entry| matches!(entry.standing, Standing::Wins | Standing::Slower));
    Ranking {
        state: State::Wins,
        choice: Some(known(json!({ "entry": "copy_file_range", "at_most_slower": 0.0 }))),
        sentence: "copy_file_range wins; 3 others are slower.".into(),
        advice: Some("Use copy_file_range: 3 others are slower.".into()),
        candidates: vec!["copy_file_range".into()],
        at_most_slower: Some(0.0),
        metric: Metric::WORK,
        baseline: None,
        twin_difference: None,
        entries,
        failures: Vec::new(),
        not_available: Vec::new(),
        flags: Vec::new(),
        best_parameters: Vec::new(),
        further: None,
        ..ranking()
    }
}

pub(crate) fn context() -> Context {
    Context {
        questions: BTreeMap::from([("copy".into(), "How do I copy a file?".into())]),
        ideas: ["copy_file_range", "sequential"]
            .map(|name| (("copy".to_owned(), name.to_owned()), "as its name says".to_owned()))
            .into(),
        command: ["bakeoff", "run", "copy"].map(str::to_owned).to_vec(),
        stored_in: Some("state/runs.sqlite".into()),
        ..Context::default()
    }
}

/// A technique of a listing that is not available here, with names that hold markup.
pub(crate) fn listing() -> Listing {
    let row = ListingRow {
        name: "a|b".into(),
        aliases: vec!["cpW".into()],
        idea: "read | write <all>".into(),
        source: "a page".into(),
        variant_of: Some("c|d".into()),
        available: Err("no _ring_".into()),
    };
    Listing { family: "copy".into(), question: "How?".into(), rows: vec![row], ..Listing::default() }
}

pub(crate) fn timed() -> TimePage {
    TimePage {
        command: "gzip -k \"a b\"".into(),
        real_ns: Some(1_050_000_000),
        user_ns: Some(840_000_000),
        system_ns: Some(10_500_000),
        peak_memory_bytes: Some(12_345_678),
        counted_by: Some("its process group".into()),
        failures: Vec::new(),
    }
}

pub(crate) fn noise() -> NoisePage {
    let row = NoiseRow {
        sample_ns: Some(1e6),
        rounds: 20,
        smallest: Some(0.034),
        measured_floor: Some(0.004),
        robust_spread: Some(0.021),
        told_apart: false,
    };
    NoisePage {
        rows: vec![
            NoiseRow { smallest: None, measured_floor: None, rounds: 4, ..row.clone() },
            NoiseRow { sample_ns: Some(1e8), told_apart: true, ..row },
            NoiseRow { rounds: 0, ..NoiseRow::default() },
        ],
        alpha: 0.01,
        seed: 7,
        notes: vec!["2 % of the time was stolen".into()],
    }
}

pub(crate) fn run(decided: &Decided, format: Format) -> String {
    let page = RunPage { record: &record(), decided, context: &context(), findings: &[] };
    render(&page, format, &Style::default())
}

pub(crate) fn call(name: &str, calls: u64, bytes: Option<u64>) -> SystemCall {
    SystemCall { name: name.to_owned(), calls, bytes, ..SystemCall::default() }
}

/// A technique that made these calls.
pub(crate) fn explained(name: &str, calls: Vec<SystemCall>) -> ExplainedTechnique {
    let usage = Usage { minor_faults: Some(69), major_faults: Some(0), ..Usage::default() };
    let account = Account { usage, calls: Some(calls), ..Account::default() };
    ExplainedTechnique { name: name.to_owned(), account: Some(account), ..ExplainedTechnique::default() }
}

/// Returns what `bakeoff advise` says along a curve from this run alone.
pub(crate) fn advised(decided: &Decided, curve: &Curve) -> AdvicePage {
    let id = RunId("20261121T100000-aa".into());
    let kept = [KeptAnswers { id: &id, started: "2026-11-21T10:00:00Z", decided }];
    let conditions = curve.setting.conditions.clone();
    let question = Question {
        family: &curve.family,
        conditions: &conditions,
        metric: &curve.metric.key,
        among: &[],
        values: &|_| Point::default(),
    };
    let workload = decided.rankings.iter().find(|one| curve.holds(one)).expect("a level").workload.clone();
    let asked = Asked { workload: workload.clone(), axis: Some(curve.axis.clone()), is_level: false };
    AdvicePage {
        family: curve.family.clone(),
        question: "?".into(),
        workload: workload.without_axis(&curve.axis),
        along: None,
        advice: advise(&question, &[asked], &kept),
        conditions,
        set_aside: Vec::new(),
        measure_with: None,
        profile: None,
        profile_keeps: None,
    }
}

/// The run and what is said of it, with all its trials and the contest once more in another setting.
pub(crate) fn twice(change: impl Fn(&mut Setting)) -> (Record, Decided) {
    let (mut record, mut decided) = (record(), judged());
    let mut again = record.trials.clone();
    again.iter_mut().for_each(|trial| change(&mut trial.setting));
    decided.rankings.push(Ranking { setting: again[0].setting.clone(), ..ranking() });
    record.trials.extend(again);
    (record, decided)
}

const LEVELS: [u64; 4] = [4 << 10, 32 << 10, 256 << 10, 2 << 20];
const REFUSED: u64 = LEVELS[2];

/// Contests and what follows from them, without a curve.
pub(crate) fn decided(rankings: &[Ranking]) -> Decided {
    Decided { rankings: rankings.to_vec(), curves: Vec::new() }
}

fn files_of(at: u64) -> Workload {
    let files = Workload::of_bytes(format!("files of {at}"), 64 * at).with("file_bytes", at);
    files.with("file_count", 64).with("kind", "files")
}

/// The curve with the contests at its levels, one of them refused.
pub(crate) fn with_levels() -> Decided {
    let curve = curve();
    let mut rankings: Vec<Ranking> = (0..LEVELS.len()).map(|nth| level(&curve, nth)).collect();
    let skipped = entry("another", Kind::BuiltIn, Standing::Skipped);
    rankings[1].entries.push(Entry { factor: Some(3.1), rounds: 0, ..skipped });
    rankings[1].skipped = vec![FailureLine {
        technique: "another".into(),
        kind: FailureKind::Skipped,
        count: 1,
        reason: "beyond the 10 s of the budget; --budget 20s measures all".into(),
    }];
    Decided { rankings, curves: vec![curve] }
}

fn level(curve: &Curve, nth: usize) -> Ranking {
    let Level { at, tied, choice, .. } = curve.levels[nth].clone();
    let points = curve.techniques.iter().flat_map(|line| &line.points).filter(|point| point.at == at);
    let entries = points.map(|point| {
        let standing = match tied.len() {
            0 => Standing::Unjudged,
            1 if point.may_be_fastest => Standing::Wins,
            _ if point.may_be_fastest => Standing::Tied,
            _ => Standing::Slower,
        };
        let judge::Point { median, factor, factor_low, factor_high, .. } = *point;
        let entry = entry(&point.entry, Kind::BuiltIn, standing);
        Entry { median, factor, factor_low, factor_high, ..entry }
    });
    let mut entries: Vec<Entry> = entries.collect();
    entries.sort_by(|one, other| one.factor.partial_cmp(&other.factor).expect("figures"));
    let (state, sentence, advice) = match nth {
        0 => (
            State::Wins,
            "sequential wins; 3 others are slower, thread_pool by 2.3x (2.1-2.6x).",
            Some("Use sequential, the baseline: nothing is faster."),
        ),
        1 => (
            State::Tied,
            "sequential leads; tied with thread_pool, and at most 2 % slower than the fastest. process_per_file is slower by 12x (10-14x). another was \
             skipped for time.",
            Some("Use sequential, the baseline: nothing is faster."),
        ),
        2 => (State::Refused, "Refused: the disk was full while a ran. Make room and measure again.", None),
        _ => (
            State::Wins,
            "thread_pool wins; 3 others are slower, sequential by 1.9x (1.8-2.1x).",
            Some("Use thread_pool: sequential is slower by 1.9x (1.8-2.1x)."),
        ),
    };
    let choice_limit = choice.as_ref().and_then(|choice| choice.at_most_slower);
    Ranking {
        family: "search".into(),
        workload: files_of(at),
        state,
        choice,
        sentence: sentence.into(),
        advice: advice.map(str::to_owned),
        leader: tied.first().cloned(),
        at_most_slower: choice_limit,
        candidates: tied,
        baseline: Some("sequential".into()),
        confidence: Some(0.95).filter(|_| state != State::Refused),
        entries,
        ..clear()
    }
}

fn line(technique: &str, factors: [f64; 4]) -> Line {
    let points = LEVELS.into_iter().zip(factors).map(|(at, factor)| judge::Point {
        at,
        entry: technique.into(),
        median: ns(factor * 1e3 * at as f64),
        factor: Some(factor),
        factor_low: Some(1.0 + (factor - 1.0) * 0.9).filter(|_| at != REFUSED),
        factor_high: Some(factor * 1.1).filter(|_| at != REFUSED),
        may_be_fastest: factor < 1.01 && at != REFUSED,
    });
    Line {
        technique: technique.into(),
        points: points.collect(),
        absent: Vec::new(),
        spread: None,
        is_named: false,
    }
}

/// The same figures, as of memory.
pub(crate) fn curve_by_memory() -> Curve {
    let mut curve = Curve { metric: Metric::MEMORY, ..curve() };
    for point in curve.techniques.iter_mut().flat_map(|line| &mut line.points) {
        point.median = Median::new(Some(Unit::Bytes), point.median.value());
    }
    curve
}

/// The first technique of a curve as one that spreads the same work.
pub(crate) fn spread(mut curve: Curve) -> Curve {
    curve.marks = [(48 << 10, "L1"), (1 << 30, "L3")].map(|(at, name)| Mark { at, name: name.into() }).into();
    curve.techniques[0].spread = Some(known(json!({
        "entry": "sequential", "best": &LEVELS[..2], "chosen": LEVELS[0],
        "gain": { "at": LEVELS[0], "over": LEVELS[3], "factor": 3.4, "low": 3.2, "high": 3.6 },
        "overhead": {
            "at": LEVELS[3], "base": LEVELS[0], "processors": 8192, "factor": 1.9, "low": 1.8, "high": 2.0,
        },
        "law": {
            "is_oversubscribed": true, "contention": 0.12, "contention_low": 0.11, "contention_high": 0.13,
            "coherence": 2.5e-5, "coherence_low": 0.0, "coherence_high": 3e-5, "peak": 64.0, "worst_residual": 0.04,
        },
    })));
    curve
}

pub(crate) fn curve() -> Curve {
    let tied: [&[&str]; 4] = [&["sequential"], &["sequential", "thread_pool"], &[], &["thread_pool"]];
    let plain: Choice = known(json!({ "entry": "sequential", "is_baseline": true, "at_most_slower": 0.0 }));
    let tied_plain = Choice { at_most_slower: Some(0.02), ..plain.clone() };
    let baseline = Some(Ratio { factor: 1.9, low: Some(1.81), high: Some(2.09) });
    let pool = Choice { entry: "thread_pool".into(), is_baseline: false, baseline, ..plain.clone() };
    let choices = [Some(plain), Some(tied_plain.clone()), None, Some(pool.clone())];
    let levels = LEVELS.into_iter().zip(tied).zip(choices).map(|((at, tied), choice)| Level {
        at,
        workload: files_of(at).name,
        tied: tied.iter().map(|&name| name.to_owned()).collect(),
        choice,
        rivals_not_measured: Vec::new(),
        compared: if at == LEVELS[1] { 3 } else { 4 },
        not_compared: (at == LEVELS[1]).then(|| "another".to_owned()).into_iter().collect(),
        rounds: 20,
    });
    let mut another = line("another", [3.0, 3.1, 3.2, 3.3]);
    another.points.remove(1);
    another.absent = vec![Absent { at: LEVELS[1], why: Absence::Skipped }];
    Curve {
        family: "search".into(),
        axis: "file_bytes".into(),
        workload: files_of(1).without_axis("file_bytes"),
        setting: setting(),
        class: Class::MovesBytes,
        metric: Metric::WORK,
        unit_is_known: true,
        sentence: "Use sequential at 4 KiB and 32 KiB (the baseline); thread_pool at 2 MiB (sequential is slower by \
                   1.9x, 1.8-2.1x). No answer at 256 KiB."
            .into(),
        confidence: Some(0.95),
        ranges: vec![
            Range { from: LEVELS[0], to: LEVELS[1], choice: tied_plain },
            Range { from: LEVELS[3], to: LEVELS[3], choice: pool },
        ],
        levels: levels.collect(),
        marks: Vec::new(),
        techniques: vec![
            line("sequential", [1.0, 1.0, 1.4, 1.9]),
            line("thread_pool", [2.3, 1.005, 1.0, 1.0]),
            line("process_per_file", [40.0, 12.0, 5.0, 2.5]),
            another,
        ],
        baseline: Some("sequential".into()),
    }
}
