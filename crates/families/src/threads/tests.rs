//! Every technique does all iterations, however they are shared out.

use std::path::Path;

use model::{Availability, Host, Preset, Proof, Setting, Trial, Workload};

use super::THREADS;
use crate::listing::assert_every_technique_is_listed;
use crate::one_at_a_time::choosing_processors;
use crate::values::Values;

fn setting() -> Setting {
    Setting::default()
}

fn trial(technique: &str, workload: Workload) -> Trial {
    Trial {
        family: "threads".to_owned(),
        technique: technique.to_owned(),
        workload,
        setting: setting(),
        scratch: "unused".into(),
        seed: 1,
    }
}

fn workload(threads: u64, iterations: u64) -> Workload {
    let usual = THREADS.workloads(Preset::Quick).remove(0);
    usual.with("threads", threads).with("iterations", iterations)
}

fn set(text: &str) -> Result<Workload, String> {
    let (axis, value) = text.split_once('=').expect("an axis and a value");
    let mut workload = workload(4, 1_000);
    THREADS.set(&mut workload, axis, value)?;
    THREADS.check(&workload)?;
    Ok(workload)
}

fn performed(trial: &Trial, times: u64) -> std::io::Result<(Proof, Values)> {
    let mut told = None;
    THREADS.perform(trial, &mut |technique| {
        technique.refresh()?;
        technique.repeat(times)?;
        let mut values = Values::default();
        technique.values(&mut values);
        told = Some((technique.proof()?, values));
        Ok(())
    })?;
    Ok(told.expect("the body ran"))
}

/// The entries that can run here.
fn entries() -> impl Iterator<Item = String> {
    let is_ready =
        |name: &String| matches!(THREADS.probe(name, &Host::default(), &setting()), Availability::Ready);
    THREADS.entries().into_iter().map(|entry| entry.name).filter(is_ready)
}

fn assert_proven(workload: &Workload) {
    let expected = THREADS.expected(workload, Path::new("unused")).expect("known");
    for entry in entries() {
        let trial = trial(&entry, workload.clone());
        let (proof, _) = performed(&trial, 2).unwrap_or_else(|error| panic!("{entry}: {error}"));
        assert_eq!(proof, expected, "{entry} {workload:?}");
    }
}

#[test]
fn every_technique_proves_all_iterations_for_any_number_of_threads() {
    for (threads, iterations) in
        [(1, 1), (1, 1_000), (2, 777), (3, 3), (7, 10_000), (64, 10_001), (300, 40_000)]
    {
        assert_proven(&workload(threads, iterations));
    }
}

#[test]
fn every_technique_proves_them_without_a_forced_yield_and_with_one_after_each_iteration() {
    for every in [0, 1, 100_000] {
        assert_proven(&workload(5, 2_000).with("iterations_per_yield", every));
    }
}

/// The C library has one sequence for all threads: nothing else in this process may draw from it.
#[test]
fn the_generator_of_the_c_library_gives_one_sum_for_all_techniques() {
    let usual = workload(9, 5_000);
    let by_library = usual.clone().with("generator", "c_library");
    assert_proven(&by_library);
    let proof = |workload: &Workload| THREADS.expected(workload, Path::new("unused")).expect("known");
    assert_ne!(proof(&by_library), proof(&usual));
}

#[test]
fn the_sum_tells_an_iteration_that_was_left_out_and_a_share_that_began_elsewhere() {
    let proof = |workload: &Workload| THREADS.expected(workload, Path::new("unused")).expect("known").digest;
    let usual = workload(4, 1_000);
    assert_eq!(proof(&usual), proof(&usual));
    assert_ne!(proof(&usual), proof(&workload(4, 999)));
    assert_ne!(proof(&usual), proof(&workload(5, 1_000)), "other shares draw other numbers");
}

#[test]
fn creating_running_and_joining_are_timed_apart() {
    for entry in entries() {
        let (_, values) = performed(&trial(&entry, workload(4, 400_000)), 1).expect(&entry);
        let told = values.hand_over().values;
        let keys: Vec<&str> = told.keys().map(String::as_str).collect();
        assert_eq!(keys, ["create_ns", "join_ns", "run_ns"], "{entry}");
        assert!(told.values().sum::<f64>() > 0.0, "{entry} {told:?}");
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
    for (text, part) in [
        ("threads=0", "a whole number from 1 to 1000000 is expected, for example 64"),
        ("threads=1000001", "a whole number from 1 to 1000000"),
        ("threads=-1", "not a whole number"),
        ("threads=many", "not a whole number"),
        ("threads=2000", "set at least iterations=2000, or fewer threads"),
        ("iterations=0", "a whole number from 1 to"),
        ("iterations=3", "4 threads cannot share them"),
        ("generator=dice", "own, c_library"),
        ("processors=3", "all, 1, 2"),
    ] {
        let refused = set(text).expect_err(text);
        assert!(refused.contains(part), "{text}: {refused}");
    }
    assert_eq!(set("iterations_per_yield=0").expect("never").number("iterations_per_yield"), Some(0));
}

#[test]
fn the_published_preset_is_the_published_curve() {
    let levels: Vec<Option<u64>> =
        THREADS.workloads(Preset::Published).iter().map(|workload| workload.number("threads")).collect();
    assert_eq!(levels, (0..14).map(|power| Some(1 << power)).collect::<Vec<_>>());
    assert_eq!(levels.last(), Some(&Some(8192)));
}

#[test]
fn every_technique_is_listed() {
    assert_every_technique_is_listed("threads");
}
