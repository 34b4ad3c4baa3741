//! The rows as another program reads them.

use super::*;
use crate::fixture::{ODD, record};

fn read(text: &str) -> Vec<std::collections::HashMap<String, String>> {
    ::csv::Reader::from_reader(text.as_bytes()).deserialize().map(|row| row.expect("a row")).collect()
}

#[test]
fn every_sample_is_a_row_whatever_its_names_hold() {
    let rows = read(&samples(&record()));
    assert_eq!(rows.len(), 7, "six samples and a failure");
    assert_eq!(rows[4]["technique"], ODD);
    assert_eq!(rows[4]["notes"], "fell back: \"EXDEV\", then\nread");
    assert_eq!(rows[4]["phases_ns"], "open=17");
    assert_eq!((rows[3]["kind"].as_str(), rows[3]["twin_of"].as_str()), ("twin", "read_write@256K"));
    assert!(rows.iter().all(|row| row["setting"] == "warm cache, ext4 in ., returned"));
}

#[test]
fn the_first_columns_are_those_that_judge_reads() {
    let text = samples(&record());
    assert!(text.starts_with("family,workload,setting,round,inner,position,technique,value,"), "{text}");
    let rows = read(&text);
    let row = &rows[1];
    assert_eq!(
        (row["round"].as_str(), row["position"].as_str(), row["value"].as_str()),
        ("1", "0", "7000000")
    );
    assert_eq!((row["metric"].as_str(), row["work_ns"].as_str()), ("process_ns", "6000000"));
}

#[test]
fn what_is_not_known_is_an_empty_cell() {
    let rows = read(&samples(&record()));
    for column in ["value", "process_ns", "user_ns", "peak_memory_bytes"] {
        assert_eq!(rows[5][column], "", "{column}");
    }
    assert_eq!(rows[3]["user_ns"], "0", "a zero that was measured stays one");
}

#[test]
fn a_failure_is_a_row_without_a_value() {
    let mut record = record();
    record.trials[3].failures.push(model::Failure {
        round: None,
        position: None,
        kind: FailureKind::Missing,
        reason: "no such call, here".into(),
    });
    let rows = read(&samples(&record));
    let told =
        |row: usize| ["technique", "round", "value", "failure", "reason"].map(|c| rows[row][c].clone());
    assert_eq!(told(6), ["mmap_to_mmap", "0", "", "crash", "ended by signal 7 (bus error)"]);
    assert_eq!(told(7), ["mmap_to_mmap", "", "", "missing", "no such call, here"]);
    assert_eq!(rows[0]["failure"], "");
}

#[test]
fn conditions_and_looks_stand_in_columns_of_their_own() {
    let mut record = record();
    record.trials[0].setting.processors = vec![0, 2];
    record.trials[0].workload.numbers.insert("threads".into(), 8);
    record.trials[1].attempt = 1;
    let rows = read(&samples(&record));
    assert_eq!(
        ["cache", "durability", "directory", "file_system", "processors", "memory_limit_bytes"]
            .map(|column| rows[0][column].as_str()),
        ["warm", "returned", ".", "ext4", "0 2", ""]
    );
    assert_eq!(rows[0]["workload_numbers"], "bytes=25600000; threads=8");
    assert_eq!((rows[0]["looks"].as_str(), rows[0]["cells"].as_str()), ("10 20", "1"));
    assert_eq!((rows[0]["attempt"].as_str(), rows[3]["attempt"].as_str()), ("0", "1"));
    assert!(rows.iter().all(|row| row["workload"] == "25.6MB"));
}

/// A run with a twin, a limit, a class of its own, a second setting, a second attempt and failures of every kind.
fn eventful() -> Record {
    let mut record = record();
    let proto = record.trials[0].clone();
    let sample = proto.samples[0].clone();
    (record.design.looks, record.design.cells) = (vec![10, 15, 20, 25], 3);
    let trial = |name: &str, kind: Kind, base: u64, seed: u64| {
        let value = |round: u64| base + base / 100 * ((round * 7 + seed * 5) % 11) / 10;
        let samples = (0..20).map(|round| Sample {
            round: round as u32,
            position: ((round + seed) % 5) as u32,
            process_ns: Some(value(round)),
            ..sample.clone()
        });
        TrialRecord { technique: name.into(), kind, samples: samples.collect(), ..proto.clone() }
    };
    let failing = |mut trial: TrialRecord, rounds: &[u32], kind: FailureKind| {
        trial.samples.retain(|sample| !rounds.contains(&sample.round));
        trial.failures.extend(rounds.iter().map(|&round| Failure {
            round: Some(round),
            position: Some(1),
            kind,
            reason: format!("what happened, in \"{round}\""),
        }));
        trial
    };
    let twin = TrialRecord { twin_of: Some("b".into()), ..trial("b twin", Kind::Twin, 8_000_000, 4) };
    let mut clone = trial("clone", Kind::BuiltIn, 20_000, 5);
    clone.samples.iter_mut().for_each(|sample| sample.notes = vec!["reflinked".into()]);
    let mut missing = TrialRecord { samples: Vec::new(), ..trial("ring", Kind::BuiltIn, 1, 0) };
    missing.failures =
        vec![Failure { round: None, position: None, kind: FailureKind::Missing, reason: "no ring".into() }];
    let mut early = trial("far", Kind::Contender, 80_000_000, 6);
    early.samples.truncate(10);
    let mut unknown = trial("unknown", Kind::BuiltIn, 9_000_000, 2);
    unknown.samples[19].process_ns = None;
    let mut trials = vec![
        trial("a", Kind::BuiltIn, 8_010_000, 1),
        trial("b", Kind::BuiltIn, 8_000_000, 2),
        twin,
        trial("limit", Kind::Ceiling, 2_000_000, 3),
        clone,
        missing,
        early,
        failing(trial("sometimes", Kind::BuiltIn, 9_000_000, 3), &[4, 9], FailureKind::Crash),
        failing(trial("liar", Kind::BuiltIn, 1_000_000, 1), &[3], FailureKind::Wrong),
    ];
    let mut first: Vec<TrialRecord> = trials.iter().take(3).cloned().collect();
    first[1].samples.iter_mut().for_each(|sample| sample.process_ns = Some(1));
    trials.iter_mut().for_each(|trial| trial.attempt = 1);
    let mut cold =
        vec![trial("a", Kind::BuiltIn, 9_000_000, 1), trial("b", Kind::BuiltIn, 8_000_000, 2), unknown];
    cold.iter_mut().for_each(|trial| trial.setting.cache = model::Cache::Cold);
    record.trials = [first, trials, cold].concat();
    record
}

#[test]
fn judging_the_exported_samples_says_what_the_run_said() {
    let run = eventful();
    says_the_same(&run, &samples(&run));
    says_the_same(&run, &crate::json::run(&run, &judge::rank(&run)).to_string());
}

fn says_the_same(run: &Record, text: &str) {
    let of_run = judge::rank(run);
    let read = judge::read_samples(text, None).expect("our own export");
    let of_file = judge::rank_observations(&read, &judge::Options::default());
    assert_eq!((of_run.len(), of_file.len()), (3, 3));
    for one in &of_run {
        let same = |other: &&judge::Ranking| other.setting == one.setting && other.class == one.class;
        let other = of_file.iter().find(same).expect("the same contest");
        assert_eq!(
            (one.verdict, &one.sentence, &one.winner),
            (other.verdict, &other.sentence, &other.winner)
        );
        assert_eq!((&one.tied, one.rounds, one.alpha), (&other.tied, other.rounds, other.alpha));
        assert_eq!(
            (one.delta, one.measured_floor, one.metric),
            (other.delta, other.measured_floor, other.metric)
        );
        assert_eq!(one.workload, other.workload);
        let told = |ranking: &judge::Ranking| -> Vec<String> {
            let line = |p: &judge::Place| {
                let figures = (p.median, p.ratio, p.ratio_low, p.ratio_high, p.rounds);
                format!("{} {:?} {:?} {figures:?}", p.technique, p.kind, p.place)
            };
            ranking.places.iter().map(line).collect()
        };
        assert_eq!(told(one), told(other));
        let failed = |ranking: &judge::Ranking| {
            let mut lines: Vec<String> = ranking.failures.iter().map(|line| format!("{line:?}")).collect();
            lines.sort();
            lines
        };
        assert_eq!(failed(one), failed(other));
    }
    assert!(of_run[0].places.iter().any(|place| place.place == judge::Standing::Limit));
    assert!(of_run[0].measured_floor.is_some());
}
