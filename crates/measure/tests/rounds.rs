//! The coordinator against a family that is made up: its launcher starts no process but answers as a worker would, with times
//! from a script, so that lies, hangs and crashes cost nothing.

mod behind;
mod budget;
mod curves;
mod fake;
mod file_work;
mod questions;
mod sessions;

use fake::{Behaviour, FakeFamily, FakeWorkers, Memory, Outcome, never, request, run_fake, run_fake_with};
use families::Isolation;
use measure::{Ending, parse_command, plan};
use model::{FailureKind, Host, Kind, Metric, TrialRecord};
use stats::contest::LAST_LOOK;

fn rounds_of(trial: &TrialRecord) -> Vec<u32> {
    trial.samples.iter().map(|sample| sample.round).collect()
}

#[test]
fn every_entry_runs_once_a_round_from_round_0_on() {
    let show = run_fake(
        "two",
        Isolation::Sample,
        &[("a", Behaviour::Steady(1e6)), ("b", Behaviour::Steady(1.001e6))],
    );
    assert!(matches!(show.ending, Ok(Ending::Complete)));
    let (a, b) = (show.trial("a"), show.trial("b"));
    assert_eq!(rounds_of(a), rounds_of(b));
    assert_eq!(rounds_of(a), (0..a.samples.len() as u32).collect::<Vec<_>>());
    let firsts = a.samples.iter().filter(|sample| sample.position == 0).count();
    assert!(firsts > 0 && firsts < a.samples.len(), "the order is drawn anew");
}

#[test]
fn work_is_done_untimed_before_its_sample_of_round_0_unless_its_trial_took_long() {
    let behaviours = [("long", Behaviour::Lasts(150)), ("middling", Behaviour::Lasts(90))];
    let show = run_fake("untimed", Isolation::Sample, &behaviours);
    let of = |name: &str| {
        let own = show.untimed_first.iter().filter(|(technique, _)| technique == name);
        own.map(|(_, is_untimed)| *is_untimed).collect::<Vec<bool>>()
    };
    let (long, middling) = (of("long"), of("middling"));
    assert!(long.len() > 3 && !long.contains(&true), "{long:?}");
    assert!(middling[0] && !middling[1..].contains(&true), "{middling:?}");
}

#[test]
fn the_plan_that_follows_from_round_0_is_recorded_with_every_trial() {
    let show = run_fake(
        "plan",
        Isolation::Sample,
        &[("a", Behaviour::Steady(1e6)), ("b", Behaviour::Steady(1.1e6))],
    );
    assert_eq!(show.trial("a").looks, [8, 10, 13, 16, 20]);
    assert_eq!(show.record.design.looks, [8, 10, 13, 16, 20]);
    assert_eq!(show.record.design.baselines["plan"], "a");
}

#[test]
fn a_clear_race_ends_at_the_first_look_and_needs_no_twin() {
    let show = run_fake(
        "clear",
        Isolation::Sample,
        &[("a", Behaviour::Steady(1e6)), ("b", Behaviour::Steady(1.1e6))],
    );
    assert_eq!(show.trial("a").samples.len(), 1 + 8);
    assert!(show.record.trials.iter().all(|trial| trial.kind != Kind::Twin));
}

#[test]
fn a_contest_ends_as_soon_as_its_leader_costs_no_more_than_was_asked_for() {
    let behaviours =
        [("a", Behaviour::Restless(1e6)), ("b", Behaviour::Restless(1e6)), ("c", Behaviour::Restless(1e6))];
    let family = FakeFamily::leaked("until", Isolation::Sample, &behaviours);
    let mut wide = request(family, LAST_LOOK);
    wide.delta = 0.5;
    let early = run_fake_with(family, &wide, FakeWorkers::new(family), Memory::default());
    let late =
        run_fake_with(family, &request(family, LAST_LOOK), FakeWorkers::new(family), Memory::default());
    let rounds = |show: &Outcome| show.trial("a").samples.len();
    assert!(rounds(&early) < rounds(&late), "{} and {}", rounds(&early), rounds(&late));
    assert_eq!(rounds(&late), 1 + LAST_LOOK as usize);
}

#[test]
fn a_technique_that_lies_is_out_before_the_first_round_and_shown() {
    let behaviours =
        [("a", Behaviour::Steady(1e6)), ("b", Behaviour::Steady(1.1e6)), ("liar", Behaviour::Lies)];
    let show = run_fake("lies", Isolation::Sample, &behaviours);
    let liar = show.trial("liar");
    assert!(liar.samples.is_empty());
    assert_eq!(liar.failures.iter().map(|failure| failure.kind).collect::<Vec<_>>(), [FailureKind::Wrong]);
    assert_eq!(liar.failures[0].round, None);
}

#[test]
fn a_technique_that_hangs_crashes_or_is_refused_is_a_row_and_the_run_goes_on() {
    let behaviours = [
        ("a", Behaviour::Steady(1e6)),
        ("b", Behaviour::Steady(1.1e6)),
        ("hangs", Behaviour::Hangs),
        ("crashes", Behaviour::Crashes),
        ("refused", Behaviour::Refused),
    ];
    let show = run_fake("failures", Isolation::Sample, &behaviours);
    assert!(matches!(show.ending, Ok(Ending::Complete)));
    let kind = |name: &str| show.trial(name).failures[0].kind;
    assert_eq!(kind("hangs"), FailureKind::Hang);
    assert_eq!(kind("crashes"), FailureKind::Crash);
    assert_eq!(kind("refused"), FailureKind::Refused);
    assert_eq!(show.trial("b").samples.len(), 1 + 8);
}

#[test]
fn a_disk_that_fills_up_in_a_round_is_told_from_a_refusal_of_the_technique() {
    let behaviours = [
        ("a", Behaviour::Steady(1e6)),
        ("b", Behaviour::Steady(1.1e6)),
        ("full", Behaviour::FullDiskAfter(4)),
    ];
    let show = run_fake("full disk", Isolation::Sample, &behaviours);
    assert!(matches!(show.ending, Ok(Ending::Complete)));
    let full = show.trial("full");
    assert!(!full.samples.is_empty() && !full.failures.is_empty(), "{full:?}");
    for failure in &full.failures {
        assert!(failure.kind == FailureKind::DiskFull && failure.round.is_some(), "{failure:?}");
        assert!(failure.reason.starts_with("write output: "), "{failure:?}");
    }
}

#[test]
fn a_technique_that_fails_in_a_session_is_out_before_the_first_round_too() {
    let behaviours =
        [("a", Behaviour::Steady(1e6)), ("b", Behaviour::Steady(1.1e6)), ("crashes", Behaviour::Crashes)];
    let show = run_fake("session failures", Isolation::Session, &behaviours);
    assert!(matches!(show.ending, Ok(Ending::Complete)), "{:?}", show.ending);
    let crashes = show.trial("crashes");
    assert_eq!((crashes.samples.len(), crashes.failures.len()), (0, 1));
    assert_eq!(crashes.failures[0].round, None);
    assert!(rounds_of(show.trial("a")).contains(&8));
}

#[test]
fn a_technique_that_crashes_now_and_then_keeps_its_rounds_and_leaves_after_three() {
    let behaviours = [
        ("a", Behaviour::Steady(1e6)),
        ("b", Behaviour::Steady(1.001e6)),
        ("frail", Behaviour::CrashesAfter(5)),
    ];
    let show = run_fake("frail", Isolation::Sample, &behaviours);
    let frail = show.trial("frail");
    // One call was the trial.
    assert_eq!((frail.samples.len(), frail.failures.len()), (4, 3));
    assert!(show.trial("a").samples.len() > 8, "the others went on");
}

#[test]
fn a_technique_that_is_beaten_leaves_at_the_look_that_shows_it_and_the_leader_gets_a_twin() {
    const LAST: u32 = 60;
    let behaviours =
        [("a", Behaviour::Restless(1e6)), ("b", Behaviour::Restless(1e6)), ("slow", Behaviour::Steady(9e6))];
    let family = FakeFamily::leaked("far", Isolation::Sample, &behaviours);
    let show = run_fake_with(family, &request(family, LAST), FakeWorkers::new(family), Memory::default());
    let (a, slow) = (show.trial("a").samples.len(), show.trial("slow").samples.len());
    assert_eq!(a, 1 + LAST as usize);
    assert!(show.trial("a").looks.contains(&(slow as u32 - 1)), "{slow} samples end at no look");
    assert!(slow < 30, "{slow}");
    let twin = show.record.trials.iter().find(|trial| trial.kind == Kind::Twin).expect("a twin");
    assert!(["a", "b"].contains(&twin.twin_of.as_deref().expect("an original")));
    assert_eq!(rounds_of(twin), (slow as u32..=LAST).collect::<Vec<_>>());
}

#[test]
fn where_none_is_beaten_the_leader_gets_its_twin_after_13_rounds() {
    let behaviours = [("a", Behaviour::Restless(1e6)), ("b", Behaviour::Restless(1e6))];
    let family = FakeFamily::leaked("late twin", Isolation::Sample, &behaviours);
    let show =
        run_fake_with(family, &request(family, LAST_LOOK), FakeWorkers::new(family), Memory::default());
    let twin = show.record.trials.iter().find(|trial| trial.kind == Kind::Twin).expect("a twin");
    assert_eq!(twin.samples[0].round, 14);
}

#[test]
fn a_baseline_that_is_named_is_the_one_of_the_design() {
    let behaviours = [("a", Behaviour::Steady(1e6)), ("b@64K", Behaviour::Steady(1.1e6))];
    let family = FakeFamily::leaked("named", Isolation::Sample, &behaviours);
    let mut request = request(family, 20);
    request.selections[0].entries = Some(vec!["a".to_owned()]);
    request.baseline = Some("b".to_owned());
    let show = run_fake_with(family, &request, FakeWorkers::new(family), Memory::default());
    assert_eq!(show.record.design.baselines["named"], "b@64K");
    assert!(!show.trial("b@64K").samples.is_empty(), "it takes behaviour although it was not selected");
    request.baseline = Some("absent".to_owned());
    let refused = plan(&request, &Host::default(), &[], &never, None).err().expect("refused").to_string();
    assert!(refused.contains("--baseline absent"), "{refused}");
}

#[test]
fn an_instrument_that_tells_twins_apart_measures_again_and_keeps_both_attempts() {
    let behaviours = [("a", Behaviour::TwinIsSlower(1e6)), ("b", Behaviour::TwinIsSlower(1e6))];
    let family = FakeFamily::leaked("broken", Isolation::Session, &behaviours);
    let mut request = request(family, LAST_LOOK);
    // Nothing is decided before the twins have their looks.
    request.alpha = 1e-9;
    let show = run_fake_with(family, &request, FakeWorkers::new(family), Memory::default());
    assert!(matches!(show.ending, Ok(Ending::Complete)));
    assert_eq!(show.again, 1);
    let attempts: Vec<u32> = show.record.trials.iter().map(|trial| trial.attempt).collect();
    assert_eq!(attempts, [0, 0, 0, 1, 1, 1]);
    assert!(show.record.trials.iter().all(|trial| !trial.samples.is_empty()));
    assert_eq!(show.record.trials[3].samples[0].round, 0, "the second attempt has a round 0 of its own");
}

#[test]
fn an_instrument_that_recovers_is_not_measured_a_third_time() {
    let behaviours =
        [("a", Behaviour::TwinIsSlowerUntil(1e6, 300)), ("b", Behaviour::TwinIsSlowerUntil(1e6, 300))];
    let family = FakeFamily::leaked("recovers", Isolation::Session, &behaviours);
    let mut request = request(family, LAST_LOOK);
    request.alpha = 1e-9;
    let show = run_fake_with(family, &request, FakeWorkers::new(family), Memory::default());
    assert_eq!(show.again, 1);
    let second = show.record.trials.iter().filter(|trial| trial.attempt == 1);
    assert!(second.flat_map(rounds_of).max() >= Some(13), "the second attempt ran to its own looks");
}

#[test]
fn a_technique_that_becomes_slower_during_the_run_stays_until_it_is_beaten() {
    let behaviours = [("a", Behaviour::Steady(1e6)), ("drifts", Behaviour::Drifts(0.99e6))];
    let family = FakeFamily::leaked("drifts", Isolation::Sample, &behaviours);
    let show =
        run_fake_with(family, &request(family, LAST_LOOK), FakeWorkers::new(family), Memory::default());
    assert!(matches!(show.ending, Ok(Ending::Complete)));
    assert!(show.trial("drifts").samples.len() >= 9);
}

#[test]
fn a_session_counts_as_one_round_and_keeps_its_inner_rounds() {
    let show = run_fake(
        "session",
        Isolation::Session,
        &[("a", Behaviour::Steady(1e6)), ("b", Behaviour::Steady(1.1e6))],
    );
    assert!(matches!(show.ending, Ok(Ending::Complete)));
    let a = show.trial("a");
    let rounds: std::collections::BTreeSet<u32> = a.samples.iter().map(|sample| sample.round).collect();
    assert_eq!(rounds.len(), 1 + 8);
    assert!(a.samples.len() > rounds.len());
    assert!(a.samples.iter().any(|sample| sample.inner > 0));
}

#[test]
fn an_interrupted_run_keeps_its_whole_rounds() {
    let family = FakeFamily::leaked(
        "stop",
        Isolation::Sample,
        &[("a", Behaviour::Restless(1e6)), ("b", Behaviour::Restless(1e6))],
    );
    let mut workers = FakeWorkers::new(family);
    // 2 launches are trials, 2 are a round: this is in the middle of the fifth round.
    workers.interrupt_at = Some(2 + 4 * 2 + 1);
    let show = run_fake_with(family, &request(family, 20), workers, Memory::default());
    assert!(matches!(show.ending, Ok(Ending::Interrupted)));
    assert!(show.trial("a").samples.len() >= 4);
    assert!(show.record.notes.iter().any(|note| note.topic == model::Topic::Interrupted));
}

#[test]
fn what_dies_of_the_interruption_itself_has_not_crashed() {
    let family = FakeFamily::leaked(
        "both",
        Isolation::Sample,
        &[("a", Behaviour::Steady(1e6)), ("b", Behaviour::Steady(1e6))],
    );
    // In a trial, in the middle of a round, and at the end of one.
    for launch in [1, 10, 11] {
        let mut workers = FakeWorkers::new(family);
        workers.interrupt_at = Some(launch);
        workers.dies_of_interruption = true;
        let show = run_fake_with(family, &request(family, 20), workers, Memory::default());
        assert!(matches!(show.ending, Ok(Ending::Interrupted)));
        assert!(show.record.trials.iter().all(|trial| trial.failures.is_empty()), "{:?}", show.record.trials);
    }
}

#[test]
fn an_interruption_before_round_0_is_over_leaves_no_record() {
    let family = FakeFamily::leaked(
        "early",
        Isolation::Sample,
        &[("a", Behaviour::Steady(1e6)), ("b", Behaviour::Steady(1e6))],
    );
    for launch in [1, 3] {
        let mut workers = FakeWorkers::new(family);
        workers.interrupt_at = Some(launch);
        let show = run_fake_with(family, &request(family, 20), workers, Memory::default());
        assert!(matches!(show.ending, Ok(Ending::Interrupted)));
        assert!(show.record.trials.is_empty() && show.rounds.is_empty());
    }
}

#[test]
fn a_store_that_refuses_ends_the_run_with_its_reason() {
    let family = FakeFamily::leaked(
        "full",
        Isolation::Sample,
        &[("a", Behaviour::Steady(1e6)), ("b", Behaviour::Steady(1e6))],
    );
    let sink = Memory { fails_at: Some(4), ..Memory::default() };
    let show = run_fake_with(family, &request(family, 20), FakeWorkers::new(family), sink);
    let refused = show.ending.as_ref().expect_err("the sink refuses").to_string();
    assert!(refused.contains("no space left"), "{refused}");
    // The first increment holds the trials, the second round 0.
    assert_eq!(show.trial("a").samples.len(), 3);
}

#[test]
fn a_command_without_its_output_is_refused_before_anything_runs() {
    let family = FakeFamily::leaked("guest", Isolation::Sample, &[("a", Behaviour::Steady(1e6))]);
    let mut request = request(family, 20);
    request.commands = vec![parse_command("x=true").expect("well formed")];
    let refused = plan(&request, &Host::default(), &[], &never, None).err().expect("refused").to_string();
    assert!(refused.contains("no {output}"), "{refused}");
}

#[test]
fn commands_turn_the_metric_to_process_time() {
    let family = FakeFamily::leaked("metric", Isolation::Sample, &[("a", Behaviour::Steady(1e6))]);
    let mut request = request(family, 20);
    request.commands = vec![parse_command("x=cp {output}").expect("well formed")];
    assert_eq!(
        plan(&request, &Host::default(), &[], &never, None).expect("a plan").design.metric,
        Metric::PROCESS
    );
    request.metric = Some("work".to_owned());
    assert!(plan(&request, &Host::default(), &[], &never, None).is_err());
}

#[test]
fn what_earlier_runs_took_is_what_the_plan_expects() {
    let family = FakeFamily::leaked(
        "outlook",
        Isolation::Sample,
        &[("a", Behaviour::Steady(1e6)), ("b", Behaviour::Steady(1e6))],
    );
    let mut request = request(family, LAST_LOOK);
    request.budget_ns = 100_000_000_000;
    let unknown = plan(&request, &Host::default(), &[], &never, None).expect("a plan").outlook();
    let second =
        |_: &str, _: &_, _: &_| ["a", "b"].into_iter().map(|name| (name.to_owned(), 1_000_000_000)).collect();
    let known = plan(&request, &Host::default(), &[], &second, None).expect("a plan").outlook();
    assert_eq!(unknown.trials, 2);
    assert_eq!(unknown.rounds.1, LAST_LOOK);
    assert!(known.rounds.1 < LAST_LOOK && known.elapsed_ns > unknown.elapsed_ns, "{known:?} {unknown:?}");
    assert!(known.elapsed_ns <= 100e9);
    assert!(known.is_known && !unknown.is_known, "{known:?} {unknown:?}");
}

#[test]
fn what_is_tried_out_is_tried_in_a_scratch_folder_of_the_directory() {
    let family = FakeFamily::leaked(
        "tried",
        Isolation::Sample,
        &[("a", Behaviour::Steady(1e6)), ("b", Behaviour::Steady(1.1e6))],
    );
    run_fake_with(family, &request(family, 6), FakeWorkers::new(family), Memory::default());
    let probed_in = family.probed_in.lock().expect("no panic").clone();
    assert_eq!(probed_in.len(), 2);
    for folder in probed_in {
        let parent = folder.parent().expect("a folder in a folder");
        assert_eq!(std::fs::canonicalize(parent).ok(), std::fs::canonicalize(std::env::temp_dir()).ok());
        assert!(!folder.exists(), "{}", folder.display());
    }
}
