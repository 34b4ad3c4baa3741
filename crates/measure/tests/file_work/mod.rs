//! Work on files that is not timed has limits, and the first interruption ends it.

use super::*;

const MINUTE: Duration = Duration::from_secs(60);

fn takes(work: FileWork, time: Duration, change: impl FnOnce(&mut Request)) -> Outcome {
    FakeFamily::leaked("slow", &CLEAR).run(6, |request, workers| {
        change(request);
        workers.files_take = Some((work, time));
    })
}

fn from_outside(request: &mut Request) {
    request.metric = Some("process".to_owned());
}

fn interrupted(work: FileWork) -> Outcome {
    let show = FakeFamily::leaked("stopped", &CLEAR).run(6, |request, workers: &mut FakeWorkers| {
        from_outside(request);
        workers.stops_while = Some(work);
    });
    assert!(matches!(show.ending, Ok(Ending::Interrupted)), "{:?}", show.ending);
    show
}

#[test]
fn an_interruption_while_inputs_are_made_begins_nothing() {
    assert!(interrupted(FileWork::Generate).record.trials.is_empty());
}

#[test]
fn an_interruption_while_a_result_is_proven_blames_no_technique() {
    let show = interrupted(FileWork::Inspect);
    assert!(show.trials().all(|trial| trial.failures.is_empty()), "{:?}", show.record.trials);
}

#[test]
fn inputs_that_are_not_made_in_time_end_the_run_with_a_sentence() {
    let show = takes(FileWork::Generate, 2 * MINUTE, |_| ());
    let said = show.ending.expect_err("no inputs").to_string();
    assert!(said.contains("the input of slow") && said.contains("did not end within 60 s"), "{said}");
    // The time limit of a technique, a second, is none of theirs; and large ones are given more.
    let show = takes(FileWork::Generate, MINUTE / 2, |_| ());
    assert!(matches!(show.ending, Ok(Ending::Complete)), "{:?}", show.ending);
    let show = takes(FileWork::Generate, 2 * MINUTE, |request| request.sizes_bytes = vec![6 << 30]);
    assert!(matches!(show.ending, Ok(Ending::Complete)), "{:?}", show.ending);
}

#[test]
fn a_proof_that_takes_too_long_is_a_failure_of_its_trial() {
    let show = takes(FileWork::Inspect, 2 * MINUTE, from_outside);
    let failure = show.trial("a").failures.first().expect("its result was not looked at");
    assert_eq!(failure.kind, FailureKind::Hang, "{failure:?}");
    let expected = "ended well, and the process that looked at its result did not end within 60 s";
    assert!(failure.reason.starts_with(expected), "{failure:?}");
    let show = takes(FileWork::Inspect, MINUTE / 2, from_outside);
    assert!(show.trial("a").failures.is_empty(), "{:?}", show.trial("a").failures);
}
