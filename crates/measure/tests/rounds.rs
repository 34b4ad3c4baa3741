//! The coordinator against a made-up family, whose launcher answers as a worker would, so that hangs and crashes cost nothing.

mod budget;
mod curves;
mod fake;
mod file_work;
mod not_tried;
mod questions;
mod sessions;

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::time::Duration;

use fake::Behaviour::{self, Lasts, Restless, Steady};
use fake::{FakeFamily, FakeWorkers, LIMIT, Outcome, planned, request, run_fake};
use families::AnyFamily;
use measure::{
    Answer, Answers, Assignment, Ending, FileWork, Heard, Request, Selection, never_measured, parse_command,
    plan, serves, work,
};
use model::{
    Cache, Durability, FailureKind, Host, Kind, Metric, Preset, Record, Setting, Trial, TrialRecord,
};
use stats::contest::LAST_LOOK;

/// The first is faster, and that shows at the first look.
const CLEAR: [(&str, Behaviour); 2] = [("a", Steady(1e6)), ("b", Steady(1.1e6))];
/// Two of which it stays open which one is faster.
const OPEN: [(&str, Behaviour); 2] = [("a", Restless(1e6)), ("b", Restless(1e6))];
const BEATEN: [(&str, Behaviour); 3] = [("a", Restless(1e6)), ("b", Restless(1e6)), ("slow", Steady(9e6))];

/// Returns the entries of [`CLEAR`] and these.
fn with(further: &[(&'static str, Behaviour)]) -> Vec<(&'static str, Behaviour)> {
    CLEAR.iter().chain(further).copied().collect()
}

fn ran(name: &'static str, behaviours: &[(&'static str, Behaviour)], rounds: u32) -> Outcome {
    FakeFamily::leaked(name, behaviours).ran(rounds, |_| ())
}

fn rounds_of(trial: &TrialRecord) -> Vec<u32> {
    trial.samples.iter().map(|sample| sample.round).collect()
}

fn twin(show: &Outcome) -> Option<&TrialRecord> {
    show.trials().find(|trial| trial.kind == Kind::Twin)
}

#[test]
fn every_entry_runs_once_a_round_from_round_0_on() {
    let show = ran("two", &[("a", Steady(1e6)), ("b", Steady(1.001e6))], 20);
    let (a, b) = (show.trial("a"), show.trial("b"));
    assert_eq!(rounds_of(a), rounds_of(b));
    assert_eq!(rounds_of(a), (0..a.samples.len() as u32).collect::<Vec<_>>());
    let firsts = a.samples.iter().filter(|sample| sample.position == 0).count();
    assert!(firsts > 0 && firsts < a.samples.len(), "the order is drawn again");
}

#[test]
fn work_is_done_untimed_before_round_0_unless_it_is_long() {
    let show = ran("untimed", &[("long", Lasts(150)), ("middling", Lasts(90))], 20);
    let [long, middling] = ["long", "middling"].map(|name| {
        let own = show.workers.untimed_first.iter().filter(|(technique, _)| technique == name);
        own.map(|(_, is_untimed)| *is_untimed).collect::<Vec<bool>>()
    });
    assert!(long.len() > 3 && !long.contains(&true), "{long:?}");
    assert!(middling[0] && !middling[1..].contains(&true), "{middling:?}");
}

#[test]
fn a_clear_race_ends_at_its_first_look_without_a_twin() {
    let show = ran("clear", &CLEAR, 20);
    assert_eq!(show.taken("a"), 1 + 8);
    assert!(twin(&show).is_none());
    // The plan that follows from round 0 is recorded with every trial.
    assert_eq!(show.trial("a").looks, [8, 10, 13, 16, 20]);
    assert_eq!(show.record.design.looks, [8, 10, 13, 16, 20]);
    assert_eq!(show.record.design.baselines["clear"], "a");
}

#[test]
fn a_contest_ends_when_its_leader_costs_no_more_than_asked() {
    let family = FakeFamily::leaked("until", &[OPEN[0], OPEN[1], ("c", Restless(1e6))]);
    let early = family.ran(LAST_LOOK, |request| request.delta = 0.5).taken("a");
    let late = family.ran(LAST_LOOK, |_| ()).taken("a");
    assert!(early < late, "{early} and {late}");
    assert_eq!(late, 1 + LAST_LOOK as usize);
}

#[test]
fn a_technique_that_fails_is_a_row_and_the_run_goes_on() {
    let failing = [
        ("liar", Behaviour::Lies, FailureKind::Wrong),
        ("hangs", Behaviour::Hangs, FailureKind::Hang),
        ("crashes", Behaviour::Crashes, FailureKind::Crash),
        ("refused", Behaviour::Refused, FailureKind::Refused),
    ];
    let show = ran("failures", &with(&failing.map(|(name, behaviour, _)| (name, behaviour))), 20);
    for (name, _, kind) in failing {
        let [failure] = &show.trial(name).failures[..] else { panic!("{name} has not failed once") };
        assert_eq!((show.taken(name), failure.kind, failure.round), (0, kind, None), "{name}");
    }
    assert_eq!(show.taken("b"), 1 + 8);
}

#[test]
fn a_disk_that_fills_up_in_a_round_is_no_refusal() {
    let show = ran("full disk", &with(&[("full", Behaviour::FullDiskAfter(4))]), 20);
    let full = show.trial("full");
    assert!(!full.samples.is_empty() && !full.failures.is_empty(), "{full:?}");
    for failure in &full.failures {
        assert!(failure.kind == FailureKind::DiskFull && failure.round.is_some(), "{failure:?}");
        assert!(failure.reason.starts_with("write output: "), "{failure:?}");
    }
}

#[test]
fn a_technique_that_fails_in_a_session_is_out_before_round_1() {
    let behaviours = with(&[("crashes", Behaviour::Crashes)]);
    let show = FakeFamily::leaked_session("session failures", &behaviours).ran(20, |_| ());
    let crashes = show.trial("crashes");
    assert_eq!((crashes.samples.len(), crashes.failures.len()), (0, 1));
    assert_eq!(crashes.failures[0].round, None);
    assert!(rounds_of(show.trial("a")).contains(&8));
}

#[test]
fn a_technique_that_crashes_now_and_then_leaves_after_three() {
    let behaviours = [("a", Steady(1e6)), ("b", Steady(1.001e6)), ("frail", Behaviour::CrashesAfter(5))];
    let show = ran("frail", &behaviours, 20);
    // One call was the trial.
    assert_eq!((show.taken("frail"), show.trial("frail").failures.len()), (4, 3));
    assert!(show.taken("a") > 8, "the others went on");
}

#[test]
fn who_is_beaten_leaves_at_a_look_and_the_leader_gets_a_twin() {
    const LAST: u32 = 60;
    let show = ran("far", &BEATEN, LAST);
    let slow = show.taken("slow") as u32;
    assert_eq!(show.taken("a"), 1 + LAST as usize);
    assert!(show.trial("a").looks.contains(&(slow - 1)), "{slow} samples end at no look");
    assert!(slow < 30, "{slow}");
    let twin = twin(&show).expect("a twin");
    assert!(["a", "b"].contains(&twin.twin_of.as_deref().expect("an original")));
    assert_eq!(rounds_of(twin), (slow..=LAST).collect::<Vec<_>>());
}

#[test]
fn where_none_is_beaten_the_twin_joins_after_13_rounds() {
    assert_eq!(twin(&ran("late twin", &OPEN, LAST_LOOK)).expect("a twin").samples[0].round, 14);
}

#[test]
fn a_baseline_that_is_named_is_the_one_of_the_design() {
    let family = FakeFamily::leaked("named", &[("a", Steady(1e6)), ("b@64K", Steady(1.1e6))]);
    let show = family.ran(20, |request| {
        request.selections[0].entries = Some(vec!["a".to_owned()]);
        request.baseline = Some("b".to_owned());
    });
    assert_eq!(show.record.design.baselines["named"], "b@64K");
    assert!(show.taken("b@64K") > 0, "it takes part although it was not selected");
    let mut request = request(family, 20);
    request.baseline = Some("absent".to_owned());
    let refused = planned(&[request]).err().expect("refused").to_string();
    assert!(refused.contains("--baseline absent"), "{refused}");
}

#[test]
fn an_instrument_that_distinguishes_twins_measures_again() {
    let behaviours = ["a", "b"].map(|name| (name, Behaviour::TwinIsSlower(1e6)));
    // Nothing is decided before the twins have their looks.
    let show =
        FakeFamily::leaked_session("broken", &behaviours).ran(LAST_LOOK, |request| request.alpha = 1e-9);
    assert_eq!(show.again, 1);
    let attempts: Vec<u32> = show.trials().map(|trial| trial.attempt).collect();
    assert_eq!(attempts, [0, 0, 0, 1, 1, 1]);
    assert!(show.trials().all(|trial| !trial.samples.is_empty()));
    assert_eq!(show.record.trials[3].samples[0].round, 0, "the second attempt has a round 0 of its own");
}

#[test]
fn an_instrument_that_recovers_is_not_measured_a_third_time() {
    let behaviours = ["a", "b"].map(|name| (name, Behaviour::TwinIsSlowerUntil(1e6, 300)));
    let show =
        FakeFamily::leaked_session("recovers", &behaviours).ran(LAST_LOOK, |request| request.alpha = 1e-9);
    assert_eq!(show.again, 1);
    let second = show.trials().filter(|trial| trial.attempt == 1);
    assert!(second.flat_map(rounds_of).max() >= Some(13), "the second attempt ran to its own looks");
}

#[test]
fn a_technique_that_becomes_slower_stays_until_it_is_beaten() {
    let show = ran("drifts", &[("a", Steady(1e6)), ("drifts", Behaviour::Drifts(0.99e6))], LAST_LOOK);
    assert!(show.taken("drifts") >= 9);
}

#[test]
fn a_session_counts_as_one_round_and_keeps_its_inner_rounds() {
    let show = FakeFamily::leaked_session("session", &CLEAR).ran(20, |_| ());
    let a = show.trial("a");
    let rounds: BTreeSet<u32> = rounds_of(a).into_iter().collect();
    assert_eq!(rounds.len(), 1 + 8);
    assert!(a.samples.len() > rounds.len());
    assert!(a.samples.iter().any(|sample| sample.inner > 0));
}

#[test]
fn an_interrupted_run_keeps_its_whole_rounds() {
    // 2 launches are trials, 2 are a round: this is in the middle of the fifth round.
    let show =
        FakeFamily::leaked("stop", &OPEN).run(20, |_, workers| workers.interrupt_at = Some(2 + 4 * 2 + 1));
    assert!(matches!(show.ending, Ok(Ending::Interrupted)));
    assert!(show.taken("a") >= 4);
    assert!(show.record.notes.iter().any(|note| note.topic == model::Topic::Interrupted));
}

#[test]
fn what_dies_of_the_interruption_itself_has_not_crashed() {
    let family = FakeFamily::leaked("both", &[("a", Steady(1e6)), ("b", Steady(1e6))]);
    // In a trial, in the middle of a round, and at the end of one.
    for launch in [1, 10, 11] {
        let show = family.run(20, |_, workers| {
            (workers.interrupt_at, workers.dies_of_interruption) = (Some(launch), true);
        });
        assert!(matches!(show.ending, Ok(Ending::Interrupted)));
        assert!(show.trials().all(|trial| trial.failures.is_empty()), "{:?}", show.record.trials);
    }
}

#[test]
fn an_interruption_before_round_0_is_over_leaves_no_record() {
    let family = FakeFamily::leaked("early", &[("a", Steady(1e6)), ("b", Steady(1e6))]);
    for launch in [1, 3] {
        let show = family.run(20, |_, workers| workers.interrupt_at = Some(launch));
        assert!(matches!(show.ending, Ok(Ending::Interrupted)));
        assert!(show.record.trials.is_empty() && show.rounds.is_empty());
    }
}

#[test]
fn a_store_that_refuses_ends_the_run_with_its_reason() {
    let family = FakeFamily::leaked("full", &[("a", Steady(1e6)), ("b", Steady(1e6))]);
    let show = family.run(20, |_, workers| workers.store_fails_at = Some(4));
    let refused = show.ending.as_ref().expect_err("the sink refuses").to_string();
    assert!(refused.contains("no space left"), "{refused}");
    // The first increment holds the trials, the second round 0.
    assert_eq!(show.taken("a"), 3);
}

#[test]
fn a_command_needs_its_output_and_is_compared_by_its_process() {
    let [without, mut request] = ["x=true", "x=cp {output}"].map(|command| {
        let commands = vec![parse_command(command).expect("well formed")];
        Request { commands, ..request(FakeFamily::leaked("guest", &CLEAR[..1]), 20) }
    });
    let refused = planned(&[without]).err().expect("refused").to_string();
    assert!(refused.contains("no {output}"), "{refused}");
    assert_eq!(planned(std::slice::from_ref(&request)).expect("a plan").design.metric, Metric::PROCESS);
    request.metric = Some("work".to_owned());
    assert!(planned(&[request]).is_err());
}

#[test]
fn what_earlier_runs_took_is_what_the_plan_expects() {
    let mut request = request(FakeFamily::leaked("outlook", &CLEAR), LAST_LOOK);
    request.budget_ns = 100_000_000_000;
    let unknown = plan(&request, &Host::default(), &[], &never_measured, None).expect("a plan").outlook();
    let second = BTreeMap::from(["a", "b"].map(|name| (name.to_owned(), 1_000_000_000)));
    let known = plan(&request, &Host::default(), &[], &|_, _, _| second.clone(), None);
    let known = known.expect("a plan").outlook();
    assert_eq!(unknown.trials, 2);
    assert_eq!(unknown.rounds.1, LAST_LOOK);
    assert!(known.rounds.1 < LAST_LOOK && known.elapsed_ns > unknown.elapsed_ns, "{known:?} {unknown:?}");
    assert!(known.elapsed_ns <= 100e9);
    assert!(known.is_known && !unknown.is_known, "{known:?} {unknown:?}");
}

#[test]
fn what_is_tried_out_is_tried_in_a_scratch_folder() {
    let family = FakeFamily::leaked("tried", &CLEAR);
    family.ran(6, |_| ());
    let probed_in = family.probed_in.lock().expect("no panic").clone();
    assert_eq!(probed_in.len(), 2);
    for folder in probed_in {
        let parent = folder.parent().expect("a folder in a folder");
        assert_eq!(std::fs::canonicalize(parent).ok(), std::fs::canonicalize(std::env::temp_dir()).ok());
        assert!(!folder.exists(), "{}", folder.display());
    }
}
