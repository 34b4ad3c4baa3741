//! The coordinator against a family that is pure fiction: its launcher starts no process but answers as a
//! worker would, with times from a script, so that lies, hangs and crashes cost nothing.

mod fiction;

use families::Mode;
use fiction::{Actors, Fiction, Memory, Part, request, show, show_with};
use measure::{Ending, default_looks, parse_contender, plan};
use model::{FailureKind, Host, Kind, Metric};

#[test]
fn everybody_runs_once_a_round_and_the_twin_with_them() {
    let show = show("two", Mode::Process, &[("a", Part::Steady(1e6)), ("b", Part::Steady(1.05e6))]);
    assert!(matches!(show.ending, Ok(Ending::Complete)));
    let (a, b) = (show.trial("a"), show.trial("b"));
    assert_eq!(a.samples.len(), b.samples.len());
    assert!(a.samples.len() >= 10);
    assert!(a.samples.iter().enumerate().all(|(round, sample)| sample.round as usize == round));
    let twin = show.trial("a (twin)");
    assert_eq!((twin.kind, twin.samples.len()), (Kind::Twin, a.samples.len()));
    let firsts = a.samples.iter().filter(|sample| sample.position == 0).count();
    assert!(firsts > 0 && firsts < a.samples.len(), "the order is drawn anew");
}

#[test]
fn a_clear_race_ends_at_the_first_look_that_can_say_so() {
    let show = show("clear", Mode::Process, &[("a", Part::Steady(1e6)), ("b", Part::Steady(1.1e6))]);
    assert_eq!(show.trial("a").samples.len(), 10);
}

#[test]
fn who_lies_is_out_before_the_first_round_and_shown() {
    let show = show("lies", Mode::Process, &[("a", Part::Steady(1e6)), ("liar", Part::Lies)]);
    let liar = show.trial("liar");
    assert!(liar.samples.is_empty());
    assert_eq!(liar.failures.iter().map(|failure| failure.kind).collect::<Vec<_>>(), [FailureKind::Wrong]);
}

#[test]
fn who_hangs_crashes_or_is_refused_is_a_row_and_the_run_goes_on() {
    let parts = [
        ("a", Part::Steady(1e6)),
        ("b", Part::Steady(1.1e6)),
        ("hangs", Part::Hangs),
        ("crashes", Part::Crashes),
        ("refused", Part::Refused),
    ];
    let show = show("failures", Mode::Process, &parts);
    assert!(matches!(show.ending, Ok(Ending::Complete)));
    let kind = |name: &str| show.trial(name).failures[0].kind;
    assert_eq!(kind("hangs"), FailureKind::Hang);
    assert_eq!(kind("crashes"), FailureKind::Crash);
    assert_eq!(kind("refused"), FailureKind::Refused);
    assert_eq!(show.trial("b").samples.len(), 10);
}

#[test]
fn who_crashes_now_and_then_keeps_its_rounds_and_leaves_after_three() {
    let parts = [("a", Part::Steady(1e6)), ("b", Part::Steady(1.001e6)), ("frail", Part::CrashesAfter(5))];
    let show = show("frail", Mode::Process, &parts);
    let frail = show.trial("frail");
    // Two calls were calibration.
    assert_eq!((frail.samples.len(), frail.failures.len()), (3, 3));
    assert!(show.trial("a").samples.len() >= 10);
}

#[test]
fn who_is_far_behind_leaves_early_and_the_others_go_on() {
    // Nothing can be said of the restless one, so that the rounds go on.
    let parts = [("a", Part::Steady(1e6)), ("restless", Part::Restless(1e6)), ("slow", Part::Steady(9e6))];
    let family = Fiction::leaked("far", Mode::Process, &parts);
    let mut request = request(family, default_looks(false, false));
    request.alpha = 1e-3;
    let show = show_with(family, &request, Actors::new(family), Memory::default());
    let (a, slow) = (show.trial("a").samples.len(), show.trial("slow").samples.len());
    assert!(slow < a, "{slow} rounds of the slow one, {a} of the leader");
    assert_eq!(a, 60);
    assert!((15..=20).contains(&slow), "{slow}: the first look at which this level allows a claim");
}

#[test]
fn an_instrument_that_tells_twins_apart_measures_again_and_keeps_both_attempts() {
    let family =
        Fiction::leaked("broken", Mode::Session, &[("a", Part::TwinIsSlower(1e6)), ("b", Part::Steady(1e6))]);
    let show = show_with(family, &request(family, vec![10, 15, 20]), Actors::new(family), Memory::default());
    assert!(matches!(show.ending, Ok(Ending::Complete)));
    assert_eq!(show.again, 1);
    let attempts: Vec<u32> = show.record.trials.iter().map(|trial| trial.attempt).collect();
    assert_eq!(attempts, [0, 0, 0, 1, 1, 1]);
    assert!(show.record.trials.iter().all(|trial| !trial.samples.is_empty()));
}

#[test]
fn a_session_counts_as_one_round_and_keeps_its_inner_rounds() {
    let show = show("session", Mode::Session, &[("a", Part::Steady(1e6)), ("b", Part::Steady(1.1e6))]);
    assert!(matches!(show.ending, Ok(Ending::Complete)));
    let a = show.trial("a");
    let rounds: std::collections::BTreeSet<u32> = a.samples.iter().map(|sample| sample.round).collect();
    assert_eq!(rounds.len(), 10);
    assert!(a.samples.len() > rounds.len());
    assert!(a.samples.iter().any(|sample| sample.inner > 0));
}

#[test]
fn an_interrupted_run_keeps_its_whole_rounds() {
    let family =
        Fiction::leaked("stop", Mode::Process, &[("a", Part::Steady(1e6)), ("b", Part::Steady(1e6))]);
    let mut actors = Actors::new(family);
    // 6 launches are calibration, 3 are a round: this is in the middle of the fifth round.
    actors.interrupt_at = Some(6 + 4 * 3 + 1);
    let show = show_with(family, &request(family, vec![10, 15, 20]), actors, Memory::default());
    assert!(matches!(show.ending, Ok(Ending::Interrupted)));
    assert!(show.trial("a").samples.len() >= 4);
    assert!(show.record.notes.iter().any(|note| note.topic == "interrupted"));
}

#[test]
fn an_interruption_before_the_first_round_leaves_no_record() {
    let family =
        Fiction::leaked("early", Mode::Process, &[("a", Part::Steady(1e6)), ("b", Part::Steady(1e6))]);
    let mut actors = Actors::new(family);
    actors.interrupt_at = Some(2);
    let show = show_with(family, &request(family, vec![10]), actors, Memory::default());
    assert!(matches!(show.ending, Ok(Ending::Interrupted)));
    assert!(show.record.trials.is_empty() && show.rounds.is_empty());
}

#[test]
fn a_store_that_refuses_ends_the_run_with_its_reason() {
    let family =
        Fiction::leaked("full", Mode::Process, &[("a", Part::Steady(1e6)), ("b", Part::Steady(1e6))]);
    let sink = Memory { fails_at: Some(4), ..Memory::default() };
    let show = show_with(family, &request(family, vec![10]), Actors::new(family), sink);
    let refused = show.ending.as_ref().expect_err("the sink refuses").to_string();
    assert!(refused.contains("no space left"), "{refused}");
    assert_eq!(show.trial("a").samples.len(), 3);
}

#[test]
fn a_budget_that_is_too_small_is_refused_with_one_that_would_do() {
    let family =
        Fiction::leaked("hurry", Mode::Process, &[("a", Part::Steady(1e6)), ("b", Part::Steady(1e6))]);
    let mut request = request(family, vec![10, 15, 20]);
    request.budget_ns = 1_000_000;
    let show = show_with(family, &request, Actors::new(family), Memory::default());
    let refused = show.ending.as_ref().expect_err("no time").to_string();
    assert!(refused.contains("--budget") && refused.contains("0 rounds"), "{refused}");
}

#[test]
fn a_contender_without_its_output_is_refused_before_anything_runs() {
    let family = Fiction::leaked("guest", Mode::Process, &[("a", Part::Steady(1e6))]);
    let mut request = request(family, vec![10]);
    request.contenders = vec![parse_contender("x=true").expect("well formed")];
    let refused = plan(&request, &Host::default(), &[]).err().expect("refused").to_string();
    assert!(refused.contains("no {output}"), "{refused}");
}

#[test]
fn contenders_turn_the_metric_to_process_time() {
    let family = Fiction::leaked("metric", Mode::Process, &[("a", Part::Steady(1e6))]);
    let mut request = request(family, vec![10]);
    request.contenders = vec![parse_contender("x=cp {output}").expect("well formed")];
    assert_eq!(plan(&request, &Host::default(), &[]).expect("a plan").design.metric, Metric::Process);
    request.metric = Some(Metric::Work);
    assert!(plan(&request, &Host::default(), &[]).is_err());
}
