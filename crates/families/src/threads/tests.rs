//! Every technique does all iterations, however they are shared out.

use std::path::Path;

use model::{Durability, Preset, Setting, Trial, Workload};

use super::THREADS;
use crate::testing::{self, assert_refused, changed, choosing_processors, done, done_twice, ready};

fn trial(technique: &str, workload: &Workload) -> Trial {
    testing::trial(THREADS, technique, workload, Path::new("unused"), Durability::Returned)
}

fn workload(threads: u64, iterations: u64) -> Workload {
    let usual = THREADS.workloads(Preset::Quick).remove(0);
    usual.with("threads", threads).with("iterations", iterations)
}

fn assert_proven(workload: &Workload) {
    let expected = THREADS.expected(workload, Path::new("unused")).expect("known");
    for entry in ready(THREADS, &Setting::default(), |_| true) {
        let done = done_twice(THREADS, &trial(&entry, workload));
        let (proof, _) = done.unwrap_or_else(|error| panic!("{entry}: {error}"));
        assert_eq!(proof, expected, "{entry} {workload:?}");
    }
}

#[test]
fn every_technique_proves_all_iterations() {
    for (threads, iterations) in
        [(1, 1), (1, 1_000), (2, 777), (3, 3), (7, 10_000), (64, 10_001), (300, 40_000)]
    {
        assert_proven(&workload(threads, iterations));
    }
    for every in [0, 1, 100_000] {
        assert_proven(&workload(5, 2_000).with("iterations_per_yield", every));
    }
}

/// The C library has one sequence for all threads: nothing else in this process may draw from it.
#[test]
fn all_techniques_have_one_sum_of_each_generator() {
    let usual = workload(9, 5_000);
    let by_library = usual.clone().with("generator", "c_library");
    assert_proven(&by_library);
    let proof = |workload: &Workload| THREADS.expected(workload, Path::new("unused")).expect("known");
    let published = usual.clone().with("generator", "congruence");
    assert_proven(&published);
    assert_ne!(proof(&by_library), proof(&usual));
    assert_ne!(proof(&published), proof(&usual));
}

#[test]
fn the_sum_shows_skipped_iterations_and_wrong_shares() {
    let proof = |workload: &Workload| THREADS.expected(workload, Path::new("unused")).expect("known").digest;
    let usual = workload(4, 1_000);
    assert_eq!(proof(&usual), proof(&usual));
    assert_ne!(proof(&usual), proof(&workload(4, 999)));
    assert_ne!(proof(&usual), proof(&workload(5, 1_000)), "other shares draw other numbers");
}

#[test]
fn creating_running_and_joining_are_timed_apart() {
    for entry in ready(THREADS, &Setting::default(), |_| true) {
        let timed = done(THREADS, &trial(&entry, &workload(4, 400_000)), &[1]);
        let said = timed.expect(&entry).2.values;
        let keys: Vec<&str> = said.keys().map(String::as_str).collect();
        assert_eq!(keys, ["create_ns", "join_ns", "run_ns"], "{entry}");
        assert!(said.values().sum::<f64>() > 0.0, "{entry} {said:?}");
    }
}

/// On Linux a thread is restricted, on Windows the whole process, which other tests share.
#[test]
fn what_a_trial_restricts_is_free_again_afterwards() {
    let _alone = choosing_processors();
    let before = sys::affinity::allowed();
    assert_proven(&workload(3, 1_000).with("processors", "1"));
    assert_eq!(sys::affinity::allowed(), before);
}

#[test]
fn counts_that_make_no_sense_are_refused_with_what_would() {
    let usual = workload(4, 1_000);
    let cases = [
        ("threads=0", "a whole number from 1 to 1000000 is expected, for example 64"),
        ("threads=1000001", "a whole number from 1 to 1000000"),
        ("threads=-1", "not a whole number"),
        ("threads=many", "not a whole number"),
        ("threads=2000", "set at least iterations=2000, or fewer threads"),
        ("iterations=0", "a whole number from 1 to"),
        ("iterations=3", "4 threads cannot share them"),
        ("generator=dice", "own, congruence, c_library"),
        ("processors=3", "all, 1, 2"),
    ];
    assert_refused(THREADS, &usual, &cases);
    let never = changed(THREADS, usual, &[("iterations_per_yield", "0")]).expect("never");
    assert_eq!(never.number("iterations_per_yield"), Some(0));
}
