//! What is seen of records of which everything is known.

use model::{FailureKind, Usage};
use testkit::{Run, failure, sample};

use super::*;
use crate::decide;

/// Times by technique, round by round; `None` is a failure.
fn record(times: &[(&str, &[Option<u64>])]) -> Record {
    let mut run = Run::new();
    for (technique, times) in times {
        let trial = run.add(technique, 0.0);
        trial.looks = vec![6, 8, 10];
        for (round, ns) in (0..).zip(*times) {
            match ns {
                Some(ns) => trial.samples.push(sample(round, 0, *ns)),
                None => trial.failures.push(failure(round, FailureKind::Crash, "it fell")),
            }
        }
    }
    run.record
}

fn of(record: &Record) -> (Decided, Seen) {
    let decided = decide(record);
    let seen = seen(record, &decided);
    (decided, seen)
}

/// Rounds that grow slower and slower: the host drifts, the ratios stay.
const DRIFTING: [u64; 11] = [900, 100, 110, 120, 130, 140, 150, 160, 170, 180, 190];

#[test]
fn samples_are_related_to_the_fastest_of_their_round() {
    let fast = DRIFTING.map(Some);
    let slow = DRIFTING.map(|ns| Some(3 * ns));
    let (decided, seen) = of(&record(&[("slow", &slow), ("fast", &fast)]));
    assert_eq!(decided.rankings[0].leader.as_deref(), Some("fast"));
    let [fast, slow] = &seen.contests[0].entries[..] else { panic!("two entries") };
    assert_eq!(fast.dots.first(), Some(&Dot { round: 1, ratio: 1.0 }));
    assert_eq!(fast.dots.len(), 10);
    assert!(slow.dots.iter().all(|dot| (dot.ratio - 3.0).abs() < 1e-12), "{slow:?}");
    let drift = seen.contests[0].drift.as_ref().expect("ten rounds");
    assert_eq!(drift.rounds[0], (1, 100.0 / 145.0));
}

#[test]
fn a_round_that_failed_has_no_dot() {
    let fast = DRIFTING.map(Some);
    let mut other = DRIFTING.map(|ns| Some(2 * ns));
    other[4] = None;
    let (decided, seen) = of(&record(&[("fast", &fast), ("other", &other)]));
    let at = decided.rankings[0].entries.iter().position(|entry| entry.technique == "other");
    let rounds: Vec<u32> =
        seen.contests[0].entries[at.expect("it took part")].dots.iter().map(|dot| dot.round).collect();
    assert_eq!(rounds, [1, 2, 3, 5, 6, 7, 8, 9, 10]);
}

#[test]
fn a_run_of_one_round_shows_what_it_has() {
    let (_, seen) = of(&record(&[("a", &[Some(100)]), ("b", &[Some(150)])]));
    let dots: Vec<usize> = seen.contests[0].entries.iter().map(|cloud| cloud.dots.len()).collect();
    assert_eq!(dots, [1, 1]);
    assert_eq!(seen.contests[0].drift, None);
    assert!(seen.canaries.is_empty());
}

#[test]
fn canaries_are_related_to_their_median() {
    let mut record = record(&[("a", &[Some(100), Some(100)])]);
    record.canaries = vec![(0, 100, 10), (1, 110, 10), (2, 90, 10)];
    let (_, seen) = of(&record);
    assert_eq!(seen.canaries[0].rounds, [(0, 1.0), (1, 1.1), (2, 0.9)]);
    assert!((seen.canaries[0].spread - 0.148_26).abs() < 1e-9, "{:?}", seen.canaries[0]);
    assert_eq!(seen.canaries[1].spread, 0.0);
}

#[test]
fn times_are_those_of_one_repetition_in_counted_rounds() {
    let measured = |ns: u64, repetitions: u64| {
        let mut record = record(&[("a", &[Some(9 * ns), Some(ns), Some(ns), Some(ns)])]);
        for sample in &mut record.trials[0].samples {
            sample.repetitions = repetitions;
            sample.usage =
                Usage { user_ns: Some(60_000_000), system_ns: Some(8_000_000), ..Usage::default() };
        }
        let decided = decide(&record);
        let times = seen(&record, &decided).contests[0].entries[0].times;
        // The table of a contest and the bars below it have one basis.
        let entry = &decided.rankings[0].entries[0];
        assert_eq!((entry.cpu_ns, entry.user_ns.zip(entry.system_ns)), (times.cpu_ns, times.apart_ns));
        times
    };
    let known = Times { real_ns: Some(20e6), cpu_ns: Some(17e6), apart_ns: Some((15e6, 2e6)) };
    assert_eq!(measured(20_000_000, 4), known);
    // A stretch of 8 ms is shorter than a tick: its parts are not distinguished.
    assert_eq!(measured(2_000_000, 4), Times { real_ns: Some(2e6), apart_ns: None, ..known });
}

#[test]
fn what_the_system_does_not_report_is_no_time() {
    let record = record(&[("a", &[Some(20_000_000), Some(20_000_000)])]);
    let decided = decide(&record);
    let times = seen(&record, &decided).contests[0].entries[0].times;
    assert_eq!(times, Times { real_ns: Some(20e6), cpu_ns: None, apart_ns: None });
}

#[test]
fn of_work_that_nothing_here_can_do_nothing_is_seen() {
    let mut run = Run::new();
    for name in ["a", "b"] {
        run.failed(name, FailureKind::Missing, "no such call here");
    }
    let record = run.record;
    let seen = seen(&record, &decide(&record));
    assert!(seen.contests.iter().all(|contest| contest.entries.is_empty()), "{:?}", seen.contests);
    assert_eq!(seen.contests.len(), 1);
}
