//! The rows as another program reads them.

use model::{FailureKind, Kind, Shortfall};

use super::*;
use crate::fixture::{ODD, record};

fn read(text: &str) -> Vec<std::collections::HashMap<String, String>> {
    ::csv::Reader::from_reader(text.as_bytes()).deserialize().map(|row| row.expect("a row")).collect()
}

#[test]
fn every_sample_is_a_row_whatever_its_names_hold() {
    let rows = read(&samples(&record(), &[]));
    assert_eq!(rows.len(), 7, "six samples and a failure");
    assert_eq!(rows[4]["technique"], ODD);
    assert_eq!(rows[4]["notes"], "fell back: \"EXDEV\", then\nread");
    assert_eq!(rows[4]["values"], "open_ns=17");
    assert_eq!((rows[3]["kind"].as_str(), rows[3]["twin_of"].as_str()), ("twin", "read_write@256K"));
    assert!(rows.iter().all(|row| row["setting"] == "in the page cache, ext4 in ., not flushed"));
}

#[test]
fn counters_that_joined_later_share_a_column() {
    let mut record = record();
    let usage = &mut record.trials[0].samples[0].usage;
    (usage.read_calls, usage.write_calls) = (Some(3), Some(2));
    let rows = read(&samples(&record, &[]));
    assert_eq!(rows[0]["counters"], "read_calls=3; write_calls=2");
    assert_eq!(rows[1]["counters"], "");
}

#[test]
fn the_first_columns_are_those_that_judge_reads() {
    let text = samples(&record(), &[]);
    assert!(text.starts_with("family,workload,setting,round,inner,position,technique,value,"), "{text}");
    let rows = read(&text);
    let row = &rows[1];
    let told = ["round", "position", "value", "metric", "work_ns"].map(|column| row[column].as_str());
    assert_eq!(told, ["1", "0", "7000000", "process_ns", "6000000"]);
}

#[test]
fn what_is_not_known_is_an_empty_cell() {
    let rows = read(&samples(&record(), &[]));
    for column in ["value", "process_ns", "user_ns", "peak_memory_bytes"] {
        assert_eq!(rows[5][column], "", "{column}");
    }
    assert_eq!(rows[3]["user_ns"], "0", "a zero that was measured stays one");
}

#[test]
fn a_failure_is_a_row_without_a_value() {
    let mut record = record();
    record.trials[3].failures.push(Failure::before_the_rounds(FailureKind::Missing, "no such call, here"));
    let rows = read(&samples(&record, &[]));
    let told =
        |row: usize| ["technique", "round", "value", "failure", "reason"].map(|c| rows[row][c].clone());
    assert_eq!(told(6), ["mmap_to_mmap", "0", "", "crash", "ended by signal 7 (bus error)"]);
    assert_eq!(told(7), ["mmap_to_mmap", "", "", "missing", "no such call, here"]);
    assert_eq!(rows[0]["failure"], "");
}

#[test]
fn conditions_and_looks_stand_in_columns_of_their_own() {
    let mut record = record();
    record.trials[0].setting.conditions.processors = vec![0, 2];
    record.trials[0].workload.point.set("threads", 8);
    record.trials[1].attempt = 1;
    let rows = read(&samples(&record, &[]));
    let columns = ["cache", "durability", "directory", "file_system", "processors", "memory_limit_bytes"];
    let cells = columns.map(|column| rows[0][column].as_str());
    assert_eq!(cells, ["warm", "returned", ".", "ext4", "0 2", ""]);
    assert_eq!(rows[0]["workload_numbers"], "bytes=25600000; threads=8");
    assert_eq!((rows[0]["looks"].as_str(), rows[0]["shared_by"].as_str()), ("10 20", "1"));
    assert_eq!((rows[0]["attempt"].as_str(), rows[3]["attempt"].as_str()), ("0", "1"));
    assert!(rows.iter().all(|row| row["workload"] == "25.6MB"));
}

#[test]
fn the_level_of_a_curve_stands_in_columns_of_its_own() {
    let mut record = record();
    let along = model::Along { axis: "bytes".into(), ..model::Along::default() };
    record.design.curves.insert("copy".into(), along);
    record.trials[1].workload = model::Workload { name: "as-given".into(), ..model::Workload::default() };
    let rows = read(&samples(&record, &[]));
    for (at, level) in [(0, ["bytes", "25600000"]), (1, ["", ""])] {
        let technique = &record.trials[at].technique;
        let row = rows.iter().find(|row| row["technique"] == *technique).expect("a row");
        assert_eq!(["curve", "level"].map(|column| row[column].as_str()), level, "{technique}");
    }
}

/// Returns a trial that failed in some rounds.
fn failing(mut trial: TrialRecord, rounds: &[u32], kind: FailureKind) -> TrialRecord {
    trial.samples.retain(|sample| !rounds.contains(&sample.round));
    trial.failures.extend(rounds.iter().map(|&round| Failure {
        round: Some(round),
        position: Some(1),
        ..Failure::before_the_rounds(kind, format!("what happened, in \"{round}\""))
    }));
    trial
}

/// Returns a run with a twin, a limit, a class of its own, a second setting, a second attempt and failures of every kind.
fn eventful() -> Record {
    let mut record = record();
    let proto = record.trials[0].clone();
    let sample = proto.samples[0].clone();
    (record.design.looks, record.design.shared_by) = (vec![8, 10, 13, 16, 20, 25], 3);
    record.design.baselines.insert("copy".into(), "a".into());
    let trial = |name: &str, kind: Kind, base: u64, seed: u64| {
        let samples = (0..21).map(|round| Sample {
            round: round as u32,
            position: ((round + seed) % 5) as u32,
            process_ns: Some(base + base / 100 * ((round * 7 + seed * 5) % 11) / 10),
            ..sample.clone()
        });
        TrialRecord { technique: name.into(), kind, samples: samples.collect(), ..proto.clone() }
    };
    let twin = TrialRecord { twin_of: Some("b".into()), ..trial("b twin", Kind::Twin, 8_000_000, 3) };
    let mut clone = trial("clone", Kind::BuiltIn, 20_000, 5);
    clone.samples.iter_mut().for_each(|sample| sample.notes = vec!["reflinked".into()]);
    let mut missing = TrialRecord { samples: Vec::new(), ..trial("ring", Kind::BuiltIn, 1, 0) };
    missing.failures = vec![Failure::before_the_rounds(FailureKind::Missing, "no ring")];
    let mut unpaid = trial("unpaid", Kind::BuiltIn, 10_000_000, 1);
    unpaid.samples.truncate(1);
    let shortfall = Shortfall { needed_ns: Some(90_000_000_000), ..Shortfall::default() };
    unpaid.failures = vec![Failure::skipped("a budget of 5 s pays for 7 of 8 entries", shortfall)];
    let mut early = trial("far", Kind::Command, 80_000_000, 6);
    early.samples.truncate(14);
    let mut unknown = trial("unknown", Kind::BuiltIn, 9_000_000, 2);
    unknown.samples[20].process_ns = None;
    // A wrong answer ends it.
    let mut liar = failing(trial("liar", Kind::BuiltIn, 1_000_000, 1), &[3], FailureKind::Wrong);
    liar.samples.truncate(3);
    let mut trials = vec![
        trial("a", Kind::BuiltIn, 8_010_000, 1),
        trial("b", Kind::BuiltIn, 8_000_000, 2),
        twin,
        trial("limit", Kind::Ceiling, 2_000_000, 3),
        clone,
        missing,
        unpaid,
        early,
        failing(trial("sometimes", Kind::BuiltIn, 9_000_000, 3), &[4, 9], FailureKind::Crash),
        liar,
    ];
    let mut first: Vec<TrialRecord> = trials.iter().take(3).cloned().collect();
    first[1].samples.iter_mut().for_each(|sample| sample.process_ns = Some(1));
    trials.iter_mut().for_each(|trial| trial.attempt = 1);
    let mut cold =
        vec![trial("a", Kind::BuiltIn, 9_000_000, 1), trial("b", Kind::BuiltIn, 8_000_000, 2), unknown];
    cold.iter_mut().for_each(|trial| trial.setting.conditions.cache = Some(model::Cache::Cold));
    record.trials = [first, trials, cold].concat();
    record
}

#[test]
fn judging_the_exported_samples_says_what_the_run_said() {
    let run = eventful();
    let document = serde_json::to_string(&judge::Document::new(&run, &judge::decide(&run)));
    says_the_same(&run, &samples(&run, &judge::rank(&run)));
    says_the_same(&run, &document.expect("text"));
}

#[test]
fn an_exported_run_is_judged_as_the_run_was() {
    let mut run = eventful();
    (run.design.alpha, run.design.delta, run.host.clock_step_ns) = (0.2, 0.1, Some(20_000));
    let read = |run: &Record| {
        let document = judge::Document::new(run, &judge::decide(run));
        let text = serde_json::to_string(&document).expect("text");
        judge::read_samples(&text, None, None).expect("our own export")
    };
    let usual = judge::Options::default();
    let decided = read(&run).decide(&usual);
    assert_eq!(decided, judge::decide(&run));
    assert!(decided.rankings[0].flags.iter().any(|flag| flag.name == "clock"), "{decided:?}");
    let named = judge::Options {
        alpha: Some(0.01),
        alpha_report: true,
        delta: Some(0.03),
        looks: vec![6, 7],
        baseline: Some("b".into()),
        ..usual.clone()
    };
    let by_named = read(&run).decide(&named).rankings.remove(0);
    // Three contests: one is folded into another.
    assert!((by_named.alpha - 0.01 / 3.0).abs() < 1e-12, "{}", by_named.alpha);
    assert_eq!((by_named.delta, by_named.baseline.as_deref()), (0.03, Some("b")));
    assert_ne!(by_named.rounds, decided.rankings[0].rounds);
    let text = "7 MiB were swapped in".to_owned();
    run.notes.push(model::Note { topic: model::Topic::Swap, text });
    assert!(read(&run).decide(&usual).rankings.iter().all(|one| one.state == judge::State::Refused));
}

/// What a contest must say whatever it was read from.
fn said_of(of: &Ranking) -> impl PartialEq + std::fmt::Debug + use<> {
    let answer = json!([of.state, of.sentence, of.advice, of.leader, of.candidates, of.baseline]);
    let figures = json!([of.rounds, of.alpha, of.at_most_slower, of.twin_difference]);
    let about = json!([of.workload, of.metric, of.alone]);
    let entries = of.entries.iter().map(|e| {
        let figures = (e.median, e.factor, e.factor_low, e.factor_high, e.rounds);
        format!("{} {:?} {:?} {figures:?}", e.technique, e.kind, e.standing)
    });
    let entries: Vec<String> = entries.collect();
    let failed = of.failures.iter().chain(&of.not_available);
    let mut failed: Vec<String> = failed.map(|line| format!("{line:?}")).collect();
    failed.sort();
    (answer, figures, about, entries, failed)
}

fn says_the_same(run: &Record, text: &str) {
    let of_run = judge::rank(run);
    let read = judge::read_samples(text, None, None).expect("our own export");
    let of_file = read.decide(&judge::Options::default()).rankings;
    // The clone is alone in its class, and stands with the contest of the others.
    assert_eq!((of_run.len(), of_file.len()), (2, 2));
    assert!(of_run.iter().any(|one| !one.alone.is_empty()));
    for one in &of_run {
        let mut others = of_file.iter();
        let same = others.find(|other| other.setting == one.setting && other.class == one.class);
        assert_eq!(said_of(one), said_of(same.expect("the same contest")));
    }
    assert!(of_run[0].entries.iter().any(|entry| entry.standing == judge::Standing::Ceiling));
    assert!(of_run[0].twin_difference.is_some());
    assert_eq!(of_run[0].baseline.as_deref(), Some("a"));
}

#[test]
fn every_row_says_where_its_entry_stands() {
    let run = eventful();
    let rankings = judge::rank(&run);
    let rows = read(&samples(&run, &rankings));
    let [far, liar, limit] = ["far", "liar", "limit"].map(|name| {
        let row = rows.iter().find(|row| row["technique"] == name && row["attempt"] == "1").expect("a row");
        ["standing", "factor", "left_after_round"].map(|column| row[column].as_str())
    });
    assert_eq!((far[0], far[2]), ("slower", "13"));
    assert!(far[1].parse::<f64>().is_ok_and(|factor| factor > 9.0), "{far:?}");
    assert_eq!((liar, limit[0]), (["failed", "", ""], "ceiling"));
}

#[test]
fn no_name_is_a_formula_in_a_spreadsheet() {
    let mut run = eventful();
    for trial in run.trials.iter_mut().filter(|trial| trial.technique == "far") {
        trial.technique = "=HYPERLINK(\"http://x\")".into();
    }
    for trial in run.trials.iter_mut().filter(|trial| trial.technique == "sometimes") {
        trial.technique = "'@SUM(1)".into();
    }
    let text = samples(&run, &judge::rank(&run));
    for row in read(&text) {
        for cell in row.values().filter(|cell| cell.parse::<f64>().is_err()) {
            assert!(!cell.starts_with(['=', '+', '-', '@']), "{cell}");
        }
    }
    // One that begins like a guarded one is guarded too, so that it is read back as it was.
    assert!(text.contains("\"'=HYPERLINK(") && text.contains(",''@SUM(1),"), "{text}");
    says_the_same(&run, &text);
}
