//! Work on files that is not timed has limits, and the first interruption ends it.

use std::time::Duration;

use families::Isolation;
use measure::{Ending, FileWork, Request};
use model::FailureKind;

use crate::fake::{Behaviour, FakeFamily, FakeWorkers, Memory, Outcome, request, run_fake_with};

const MINUTE: Duration = Duration::from_secs(60);

fn family(name: &'static str) -> &'static FakeFamily {
    FakeFamily::leaked(
        name,
        Isolation::Sample,
        &[("a", Behaviour::Steady(1e6)), ("b", Behaviour::Steady(1.1e6))],
    )
}

/// A run whose processes are timed from outside, so that others look at their results.
fn from_outside(family: &'static FakeFamily) -> Request {
    Request { metric: Some("process".to_owned()), ..request(family, 6) }
}

fn run(family: &'static FakeFamily, request: &Request, change: impl FnOnce(&mut FakeWorkers)) -> Outcome {
    let mut workers = FakeWorkers::new(family);
    change(&mut workers);
    run_fake_with(family, request, workers, Memory::default())
}

#[test]
fn a_run_that_is_interrupted_while_its_inputs_are_made_has_begun_nothing() {
    let family = family("early");
    let show = run(family, &request(family, 6), |workers| workers.stops_while = Some(FileWork::Generate));
    assert!(matches!(show.ending, Ok(Ending::Interrupted)), "{:?}", show.ending);
    assert!(show.record.trials.is_empty());
}

#[test]
fn inputs_that_are_not_made_in_time_end_the_run_with_a_sentence() {
    let family = family("slow");
    let takes =
        |takes| move |workers: &mut FakeWorkers| workers.files_take = Some((FileWork::Generate, takes));
    let show = run(family, &request(family, 6), takes(2 * MINUTE));
    let said = show.ending.expect_err("no inputs").to_string();
    assert!(said.contains("the input of slow") && said.contains("did not end within 60 s"), "{said}");
    // The time limit of a technique, a second, is none of theirs; and large ones are given more.
    let show = run(family, &request(family, 6), takes(MINUTE / 2));
    assert!(matches!(show.ending, Ok(Ending::Complete)), "{:?}", show.ending);
    let mut large = request(family, 6);
    large.sizes_bytes = vec![6 << 30];
    let show = run(family, &large, takes(2 * MINUTE));
    assert!(matches!(show.ending, Ok(Ending::Complete)), "{:?}", show.ending);
}

#[test]
fn a_proof_that_takes_too_long_is_a_failure_of_its_trial_that_is_told() {
    let family = family("endless");
    let takes =
        |takes| move |workers: &mut FakeWorkers| workers.files_take = Some((FileWork::Inspect, takes));
    let show = run(family, &from_outside(family), takes(2 * MINUTE));
    let failure = show.trial("a").failures.first().expect("its result was not looked at");
    assert_eq!(failure.kind, FailureKind::Hang, "{failure:?}");
    let told = "ended well, and the process that looked at its result did not end within 60 s";
    assert!(failure.reason.starts_with(told), "{failure:?}");
    let show = run(family, &from_outside(family), takes(MINUTE / 2));
    assert!(show.trial("a").failures.is_empty(), "{:?}", show.trial("a").failures);
}

#[test]
fn a_run_that_is_interrupted_while_a_result_is_proven_ends_and_blames_no_technique() {
    let family = family("stopped");
    let show = run(family, &from_outside(family), |workers| workers.stops_while = Some(FileWork::Inspect));
    assert!(matches!(show.ending, Ok(Ending::Interrupted)), "{:?}", show.ending);
    assert!(show.record.trials.iter().all(|trial| trial.failures.is_empty()), "{:?}", show.record.trials);
}
