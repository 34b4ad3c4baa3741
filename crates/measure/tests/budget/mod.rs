//! What a budget pays for, and who is left out when it is short.

use std::time::Duration;

use families::Isolation;
use measure::{Ending, Selection};
use model::{Durability, FailureKind, TrialRecord};
use stats::contest::LAST_LOOK;

use crate::fake::{Behaviour, FakeFamily, FakeWorkers, LIMIT, Memory, Outcome, request, run_fake_with};

const LASTING: [(&str, Behaviour); 8] = [
    ("a", Behaviour::Lasts(20)),
    ("b", Behaviour::Lasts(21)),
    ("c", Behaviour::Lasts(22)),
    ("d", Behaviour::Lasts(40)),
    ("e", Behaviour::Lasts(60)),
    ("f", Behaviour::Lasts(80)),
    ("g", Behaviour::Lasts(100)),
    ("h", Behaviour::Lasts(120)),
];

/// A run of techniques that take time of the budget.
fn hurried(name: &'static str, budget: Duration, behaviours: &[(&'static str, Behaviour)]) -> Outcome {
    hurried_after(Duration::ZERO, name, budget, behaviours)
}

/// The same, where the first sample waits before its work begins.
fn hurried_after(
    first_waits: Duration,
    name: &'static str,
    budget: Duration,
    behaviours: &[(&'static str, Behaviour)],
) -> Outcome {
    let family = FakeFamily::leaked(name, Isolation::Sample, behaviours);
    let mut request = request(family, LAST_LOOK);
    request.budget_ns = budget.as_nanos() as u64;
    let mut workers = FakeWorkers::new(family);
    workers.first_waits = first_waits;
    run_fake_with(family, &request, workers, Memory::default())
}

fn skipped(show: &Outcome) -> Vec<&TrialRecord> {
    let left =
        |trial: &&TrialRecord| trial.failures.iter().any(|failure| failure.kind == FailureKind::Skipped);
    show.record.trials.iter().filter(left).collect()
}

#[test]
fn what_the_user_named_is_not_skipped_for_the_catalogue() {
    let family = FakeFamily::leaked("named and slow", Isolation::Sample, &LASTING);
    let mut request = request(family, LAST_LOOK);
    request.budget_ns = 2_900_000_000;
    request.baseline = Some("h".to_owned());
    let show = run_fake_with(family, &request, FakeWorkers::new(family), Memory::default());
    let left: Vec<&str> = skipped(&show).iter().map(|trial| trial.technique.as_str()).collect();
    assert!(!left.is_empty() && !left.contains(&"h"), "{left:?}");
    let reasons: std::collections::BTreeSet<&String> =
        skipped(&show).iter().map(|trial| &trial.failures[0].reason).collect();
    assert_eq!(reasons.len(), 1, "one budget for all: {reasons:?}");
}

#[test]
fn a_budget_that_pays_for_few_rounds_thins_the_field_and_the_fastest_stay() {
    // Trials and round 0 take about 1.8 s; 463 ms a round of all are too much for what remains.
    let show = hurried("thin", Duration::from_millis(2_900), &LASTING);
    assert!(matches!(show.ending, Ok(Ending::Complete)), "{:?}", show.ending);
    let left = skipped(&show);
    assert!(!left.is_empty() && left.len() <= 6, "{}", left.len());
    for trial in &left {
        assert!(trial.samples.len() <= 1, "{}: nothing beyond round 0", trial.technique);
        let [failure] = trial.failures.as_slice() else { panic!("{:?}", trial.failures) };
        assert!(failure.round.is_none(), "{failure:?}");
    }
    assert!(left.iter().any(|trial| trial.failures[0].reason.contains("--budget")));
    let kept = LASTING.len() - left.len();
    let samples = |name: &str| show.trial(name).samples.len();
    assert!(LASTING[..kept].iter().all(|(name, _)| samples(name) > 2), "the fastest {kept} stay");
}

#[test]
fn a_budget_is_kept_with_everything_included() {
    let budget = Duration::from_millis(3_500);
    let show = hurried("kept", budget, &LASTING);
    assert!(matches!(show.ending, Ok(Ending::Complete)), "{:?}", show.ending);
    let limit_ns = budget.mul_f64(1.1).as_nanos() as u64;
    assert!(show.launched_ns.iter().all(|&launched_ns| launched_ns < limit_ns), "{:?}", show.launched_ns);
}

#[test]
fn a_budget_that_does_not_even_pay_for_round_0_leaves_an_answer_of_two() {
    let show = hurried("tiny", Duration::from_millis(1), &LASTING);
    assert!(matches!(show.ending, Ok(Ending::Complete)), "{:?}", show.ending);
    assert_eq!(skipped(&show).len(), 6);
    assert_eq!(show.record.trials.iter().filter(|trial| !trial.samples.is_empty()).count(), 2);
}

#[test]
fn with_budget_left_an_open_contest_goes_on_to_its_last_look() {
    let behaviours = [("a", Behaviour::Restless(1e6)), ("b", Behaviour::Restless(1e6))];
    let show = hurried("goes on", Duration::from_secs(600), &behaviours);
    assert_eq!(show.trial("a").samples.len(), 1 + LAST_LOOK as usize);
}

#[test]
fn a_budget_that_was_not_given_stretches_to_a_short_contest_of_all() {
    let family = FakeFamily::leaked("stretches", Isolation::Sample, &LASTING[..3]);
    let mut request = request(family, LAST_LOOK);
    (request.budget_ns, request.budget_stretches) = (1, true);
    let show = run_fake_with(family, &request, FakeWorkers::new(family), Memory::default());
    assert!(skipped(&show).is_empty());
    assert!(show.record.trials.iter().take(3).all(|trial| trial.samples.len() > 6));
    assert_eq!(show.trial("a").looks[0], 6);
}

#[test]
fn a_limit_is_none_of_the_two_entries_that_are_always_tried() {
    let behaviours = [(LIMIT, Behaviour::Lasts(1)), ("a", Behaviour::Lasts(20)), ("b", Behaviour::Lasts(21))];
    let show = hurried("limit", Duration::from_millis(1), &behaviours);
    assert!(["a", "b"].iter().all(|name| !show.trial(name).samples.is_empty()), "both are tried");
}

#[test]
fn a_first_turn_that_had_to_wait_costs_no_entry_its_place_and_no_round() {
    // The first turn of the run waits ten times as long as a turn takes: later ones would not.
    let entries = [("a", Behaviour::Lasts(50)), ("b", Behaviour::Lasts(51)), ("c", Behaviour::Lasts(52))];
    let show = hurried_after(Duration::from_secs(1), "waits", Duration::from_millis(3_500), &entries);
    assert!(skipped(&show).is_empty(), "{:?}", skipped(&show));
    assert!(show.trial("a").looks[0] >= 6, "{:?}", show.trial("a").looks);
}

#[test]
fn contests_that_share_a_budget_look_early_unless_it_pays_for_many_rounds_of_all() {
    let entries = [("a", 10), ("b", 11), ("c", 12), ("d", 13)].map(|(name, ms)| (name, Behaviour::Lasts(ms)));
    let first_look = |name, budget_ms: u64, durabilities: &[Durability]| {
        let family = FakeFamily::leaked(name, Isolation::Sample, &entries);
        let mut request = request(family, LAST_LOOK);
        request.budget_ns = budget_ms * 1_000_000;
        request.durabilities = durabilities.to_vec();
        let show = run_fake_with(family, &request, FakeWorkers::new(family), Memory::default());
        show.record.trials.iter().map(|trial| trial.looks[0]).collect::<std::collections::BTreeSet<u32>>()
    };
    let two = [Durability::Returned, Durability::Durable];
    // A round of one contest takes 50 ms, and what comes before the rounds about 200.
    assert_eq!(first_look("two, few rounds", 2_000, &two), [6].into());
    assert_eq!(first_look("two, many rounds", 5_000, &two), [8].into());
    assert_eq!(first_look("one", 1_000, &two[..1]), [8].into());
}

/// What a run came to of three families whose twins all differ, so that each contest is to be measured again.
fn all_differ(budget: Duration) -> Outcome {
    let behaviours = [("a", Behaviour::TwinIsSlower(5e6)), ("b", Behaviour::TwinIsSlower(5e6))];
    let names = ["first of three", "second of three", "third of three"];
    let families = names.map(|name| FakeFamily::leaked(name, Isolation::Session, &behaviours));
    let mut request = request(families[0], LAST_LOOK);
    request.selections = families.iter().map(|&family| Selection { family, entries: None }).collect();
    // Nothing is decided before the twins have their looks.
    request.alpha = 1e-9;
    request.budget_ns = budget.as_nanos() as u64;
    run_fake_with(families[0], &request, FakeWorkers::new(families[0]), Memory::default())
}

#[test]
fn a_budget_is_kept_where_all_contests_are_to_be_measured_again_and_none_is_begun_in_vain() {
    let mut again = 0;
    for tenths in (10..110).step_by(2) {
        let budget = Duration::from_millis(100 * tenths);
        let show = all_differ(budget);
        assert!(matches!(show.ending, Ok(Ending::Complete)), "{:?}", show.ending);
        let last_ns = show.launched_ns.iter().max().copied().unwrap_or(0);
        assert!(last_ns < budget.mul_f64(1.1).as_nanos() as u64, "{last_ns} ns of {budget:?}");
        for trial in show.record.trials.iter().filter(|trial| trial.attempt == 1 && trial.twin_of.is_none()) {
            let last = trial.samples.last().map(|sample| sample.round);
            assert!(last >= Some(trial.looks[0]), "{budget:?}: {last:?} of {:?}", trial.looks);
        }
        again += show.again;
    }
    assert!(again > 0, "no budget pays for another attempt");
}

#[test]
fn what_has_no_time_left_because_the_budget_ends_did_not_fail() {
    let behaviours = [("a", Behaviour::Steady(1e6)), ("b", Behaviour::HangsAfter(5))];
    let hurried = |name, budget: Duration| {
        let family = FakeFamily::leaked(name, Isolation::Sample, &behaviours);
        let mut request = request(family, LAST_LOOK);
        request.budget_ns = budget.as_nanos() as u64;
        // With it no process is given less than 10 s for its own sake.
        request.time_limit_ns = Duration::from_secs(60).as_nanos() as u64;
        run_fake_with(family, &request, FakeWorkers::new(family), Memory::default())
    };
    let short = hurried("stopped by the budget", Duration::from_secs(5));
    assert!(matches!(short.ending, Ok(Ending::Complete)), "{:?}", short.ending);
    assert!(short.trial("b").failures.is_empty(), "{:?}", short.trial("b").failures);
    assert!(short.trial("b").samples.len() > 1, "it had counted rounds");
    let long = hurried("hangs by itself", Duration::from_secs(600));
    let kinds: Vec<FailureKind> = long.trial("b").failures.iter().map(|failure| failure.kind).collect();
    assert!(kinds.contains(&FailureKind::Hang), "{kinds:?}");
}
