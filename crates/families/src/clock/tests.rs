//! Every clock is read as often as asked, moves, and keeps what it promises.

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use model::{Durability, FactValue, Preset, Proof, Setting, Workload};

use super::facts::facts;
use super::job::{ClockJob, proof_of_calls};
use super::time_source::{Measures, TimeSource};
use super::{CLOCK, TECHNIQUES};
use crate::testing::{done_twice, named, ready, trial};

fn workload(calls: u64, chain_steps: u64) -> Workload {
    let any = CLOCK.workloads(Preset::Quick).remove(0);
    any.with("calls", calls).with("chain_steps", chain_steps)
}

fn performed(technique: &str, workload: &Workload) -> std::io::Result<Proof> {
    let trial = trial(CLOCK, technique, workload, Path::new("unused"), Durability::Returned);
    done_twice(CLOCK, &trial).map(|(proof, _)| proof)
}

#[test]
fn every_available_clock_proves_the_calls_asked_for() {
    for name in ready(CLOCK, &Setting::default(), |_| true) {
        for (calls, chain_steps) in [(1, 0), (255, 0), (256, 3), (257, 0), (1_000, 16)] {
            let workload = workload(calls, chain_steps);
            let expected = CLOCK.expected(&workload, Path::new("unused")).expect("known");
            assert_eq!(performed(&name, &workload).expect(&name), expected, "{name} {calls}");
        }
    }
}

/// Gives the numbers of a list in turn.
struct Listed<const BREAK: u64>(AtomicU64);

impl<const BREAK: u64> TimeSource for Listed<BREAK> {
    type Reading = u64;
    const EMPTY: u64 = 0;
    const MEASURES: Measures = Measures::ElapsedTime;

    fn open() -> std::io::Result<Self> {
        Ok(Self(AtomicU64::new(100)))
    }

    fn read(&self, place: &mut u64) {
        let next = self.0.fetch_add(1, Ordering::Relaxed) + 1;
        *place = if next == BREAK { 7 } else { next };
    }

    fn number(&self, reading: &u64) -> u64 {
        *reading
    }
}

fn proof_of_listed<const BREAK: u64>(calls: u64) -> std::io::Result<Proof> {
    let job = ClockJob { calls, ..ClockJob::default() };
    let mut prepared = job.prepared::<Listed<BREAK>>()?;
    prepared.repeat(1)?;
    prepared.proof()
}

#[test]
fn a_clock_that_breaks_its_promise_gives_no_proof() {
    // Among the last readings, and at the edge between two portions of those before.
    for backwards in [proof_of_listed::<750>(700), proof_of_listed::<357>(700)] {
        let sentence = backwards.expect_err("it went backwards").to_string();
        assert!(sentence.starts_with("the clock went backwards, from "), "{sentence}");
        assert!(sentence.ends_with(" to 7"), "{sentence}");
    }
    assert_eq!(proof_of_listed::<0>(700).expect("ascending"), proof_of_calls(700));
}

#[test]
fn numbers_out_of_range_are_refused_with_the_range() {
    let mut any = workload(1, 0);
    for value in ["0", "-1", "1000000001", "1e3", ""] {
        let refused = CLOCK.set(&mut any, "calls", value).expect_err(value);
        assert!(refused.contains("whole number") && refused.contains("for example 1"), "{refused}");
    }
    CLOCK.set(&mut any, "chain_steps", "0").expect("no other work");
    CLOCK.set(&mut any, "calls", "25").expect("a number");
    assert_eq!((any.number("calls"), any.number("chain_steps")), (Some(25), Some(0)));
}

#[test]
fn a_workload_without_its_numbers_is_refused_by_name() {
    let nameless = Workload { name: "foreign".to_owned(), ..Workload::default() };
    let refused = performed("std_instant", &nameless).expect_err("no number of calls");
    assert!(refused.to_string().contains("'foreign'"), "{refused}");
}

#[test]
fn every_available_clock_has_its_facts() {
    let facts = facts();
    let of = |clock: &str, name: &str| {
        facts.iter().find(|fact| fact.about == clock && fact.name == name).map(|fact| fact.value.clone())
    };
    for name in ready(CLOCK, &Setting::default(), |name| !named(TECHNIQUES, name).ceiling) {
        let costs = ["cost of a call, median", "cost of a call, 99th percentile"];
        let [median_ns, p99_ns] = costs.map(|cost| match of(&name, cost) {
            Some(FactValue::Number { number, unit }) if unit == "ns" => number,
            other => panic!("{name}: {cost} is {other:?}"),
        });
        assert!(median_ns <= p99_ns, "{name}: {median_ns} {p99_ns}");
        assert!(of(&name, "smallest step").is_some(), "{name} has no step and does not say so");
        for words in ["within a thread", "across processors", "kernel"] {
            assert!(matches!(of(&name, words), Some(FactValue::Words { .. })), "{name}: {words}");
        }
    }
    for fact in &facts {
        assert!(!matches!(fact.value, FactValue::Number { number, .. } if !number.is_finite()), "{fact:?}");
    }
}
