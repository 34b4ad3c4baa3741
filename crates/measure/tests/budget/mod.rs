//! Budgets, and who is left out when they are short.

use super::*;

const LASTING: [(&str, Behaviour); 8] = [
    ("a", Lasts(20)),
    ("b", Lasts(21)),
    ("c", Lasts(22)),
    ("d", Lasts(40)),
    ("e", Lasts(60)),
    ("f", Lasts(80)),
    ("g", Lasts(100)),
    ("h", Lasts(120)),
];

fn hurried(name: &'static str, budget: Duration, behaviours: &[(&'static str, Behaviour)]) -> Outcome {
    FakeFamily::leaked(name, behaviours).ran(LAST_LOOK, |request| limit(request, budget))
}

fn limit(request: &mut Request, budget: Duration) {
    request.budget_ns = budget.as_nanos() as u64;
}

fn skipped(show: &Outcome) -> Vec<&TrialRecord> {
    let mut trials: Vec<&TrialRecord> = show.trials().collect();
    trials.retain(|trial| trial.failures.iter().any(|failure| failure.kind == FailureKind::Skipped));
    trials
}

#[test]
fn what_the_user_named_is_not_skipped_for_the_catalogue() {
    let show = FakeFamily::leaked("named and slow", &LASTING).ran(LAST_LOOK, |request| {
        limit(request, Duration::from_millis(2_900));
        request.baseline = Some("h".to_owned());
    });
    let left: Vec<&str> = skipped(&show).iter().map(|trial| trial.technique.as_str()).collect();
    assert!(!left.is_empty() && !left.contains(&"h"), "{left:?}");
    let reasons: BTreeSet<&String> = skipped(&show).iter().map(|trial| &trial.failures[0].reason).collect();
    assert_eq!(reasons.len(), 1, "one budget for all: {reasons:?}");
}

#[test]
fn a_short_budget_thins_the_field_and_the_fastest_stay() {
    // Trials and round 0 take about 1.8 s; 463 ms a round of all are too much for what remains.
    let show = hurried("thin", Duration::from_millis(2_900), &LASTING);
    let left = skipped(&show);
    assert!(!left.is_empty() && left.len() <= 6, "{}", left.len());
    for trial in &left {
        assert!(trial.samples.len() <= 1, "{}: nothing beyond round 0", trial.technique);
        let [failure] = trial.failures.as_slice() else { panic!("{:?}", trial.failures) };
        assert!(failure.round.is_none(), "{failure:?}");
    }
    assert!(left.iter().any(|trial| trial.failures[0].reason.contains("--budget")));
    let kept = LASTING.len() - left.len();
    assert!(LASTING[..kept].iter().all(|(name, _)| show.taken(name) > 2), "the fastest {kept} stay");
}

#[test]
fn published_entries_have_all_rounds_that_the_time_pays_for() {
    let behaviours = [
        ("published", Lasts(20)),
        ("published_slow", Lasts(120)),
        ("today", Lasts(5)),
        ("today_slow", Lasts(400)),
    ];
    let samples = |budget_s: f64| {
        let show = FakeFamily::leaked("as published", &behaviours).ran(5, |request| {
            limit(request, Duration::from_secs_f64(budget_s));
            request.published =
                ["PUBLISHED", "published_slow"].map(|name| format!("as published/{name}")).to_vec();
        });
        behaviours.map(|(name, _)| show.trial(name).samples.len())
    };
    let [fast, slow, today, _] = samples(30.0);
    assert_eq!([fast, slow, today], [6; 3], "far behind, too");
    let [fast, slow, _, today_slow] = samples(1.6);
    assert!(fast == slow && (2..6).contains(&slow) && today_slow <= 1, "{fast} {slow} {today_slow}");
}

#[test]
fn a_budget_is_kept_with_everything_included() {
    let budget = Duration::from_millis(3_500);
    let show = hurried("kept", budget, &LASTING);
    let last_ns = show.workers.launched_ns.iter().max().copied().expect("launches");
    assert!(last_ns < budget.mul_f64(1.1).as_nanos() as u64, "{last_ns} ns");
}

#[test]
fn a_budget_below_round_0_leaves_an_answer_of_two() {
    let show = hurried("tiny", Duration::from_millis(1), &LASTING);
    assert_eq!(skipped(&show).len(), 6);
    assert_eq!(show.trials().filter(|trial| !trial.samples.is_empty()).count(), 2);
}

#[test]
fn with_budget_left_an_open_contest_goes_on_to_its_last_look() {
    assert_eq!(hurried("goes on", Duration::from_secs(600), &OPEN).taken("a"), 1 + LAST_LOOK as usize);
}

#[test]
fn a_budget_that_was_not_given_stretches_to_a_short_contest() {
    let show = FakeFamily::leaked("stretches", &LASTING[..3]).ran(LAST_LOOK, |request| {
        (request.budget_ns, request.budget_stretches) = (1, true);
    });
    assert!(skipped(&show).is_empty());
    assert!(show.trials().take(3).all(|trial| trial.samples.len() > 6));
    assert_eq!(show.trial("a").looks[0], 6);
}

#[test]
fn a_limit_is_none_of_the_two_entries_that_are_always_tried() {
    let behaviours = [(LIMIT, Lasts(1)), ("a", Lasts(20)), ("b", Lasts(21))];
    let show = hurried("limit", Duration::from_millis(1), &behaviours);
    assert!(["a", "b"].iter().all(|name| show.taken(name) > 0), "both are tried");
}

#[test]
fn a_first_turn_that_waited_costs_no_entry_and_no_round() {
    // The first turn of the run waits ten times as long as a turn takes: later ones would not.
    let entries = [("a", Lasts(50)), ("b", Lasts(51)), ("c", Lasts(52))];
    let show = FakeFamily::leaked("waits", &entries).run(LAST_LOOK, |request, workers| {
        limit(request, Duration::from_millis(3_500));
        workers.first_waits = Duration::from_secs(1);
    });
    assert!(skipped(&show).is_empty(), "{:?}", skipped(&show));
    assert!(show.trial("a").looks[0] >= 6, "{:?}", show.trial("a").looks);
}

#[test]
fn contests_that_share_a_short_budget_look_early() {
    let entries = [("a", 10), ("b", 11), ("c", 12), ("d", 13)].map(|(name, ms)| (name, Lasts(ms)));
    let two = [Durability::Returned, Durability::Durable];
    // A round of one contest takes 50 ms, and what comes before the rounds about 200.
    for (name, budget_ms, durabilities, first_look) in [
        ("two, few rounds", 2_000, &two[..], 6),
        ("two, many rounds", 5_000, &two, 8),
        ("one", 1_000, &two[..1], 8),
    ] {
        let show = FakeFamily::leaked(name, &entries).ran(LAST_LOOK, |request| {
            limit(request, Duration::from_millis(budget_ms));
            request.durabilities = durabilities.to_vec();
        });
        let looks: BTreeSet<u32> = show.trials().map(|trial| trial.looks[0]).collect();
        assert_eq!(looks, [first_look].into(), "{name}");
    }
}

/// Returns what a run came to of three families whose twins all differ, so that each contest is to be measured again.
fn all_differ(budget: Duration) -> Outcome {
    let behaviours = [("a", Behaviour::TwinIsSlower(5e6)), ("b", Behaviour::TwinIsSlower(5e6))];
    let names = ["first of three", "second of three", "third of three"];
    let families = names.map(|name| FakeFamily::leaked_session(name, &behaviours));
    families[0].ran(LAST_LOOK, |request| {
        request.selections = families.iter().map(|&family| Selection { family, entries: None }).collect();
        // Nothing is decided before the twins have their looks.
        request.alpha = 1e-9;
        limit(request, budget);
    })
}

#[test]
fn budget_is_kept_when_all_contests_restart_and_none_in_vain() {
    let mut again = 0;
    for tenths in (10..110).step_by(2) {
        let budget = Duration::from_millis(100 * tenths);
        let show = all_differ(budget);
        let last_ns = show.workers.launched_ns.iter().max().copied().unwrap_or(0);
        assert!(last_ns < budget.mul_f64(1.1).as_nanos() as u64, "{last_ns} ns of {budget:?}");
        for trial in show.trials().filter(|trial| trial.attempt == 1 && trial.twin_of.is_none()) {
            let last = trial.samples.last().map(|sample| sample.round);
            assert!(last >= Some(trial.looks[0]), "{budget:?}: {last:?} of {:?}", trial.looks);
        }
        again += show.again;
    }
    assert!(again > 0, "no budget pays for another attempt");
}

/// Returns what a run came to of a contest that is open to its last look, next to an expensive one that ends early.
fn open_next_to_expensive(seed: u64) -> Outcome {
    let open = [("a", Restless(1e6)), ("b", Restless(1e6)), ("c", Restless(1e6))];
    let all = [&open[..], &[("long", Lasts(1_000)), ("longer", Lasts(1_500))]].concat();
    let families = ["open", "expensive"].map(|name| FakeFamily::leaked(name, &all));
    let named =
        [&["a", "b", "c"][..], &["long", "longer"]].map(|names| names.iter().map(|&one| one.to_owned()));
    families[0].ran(LAST_LOOK, |request| {
        let chosen = families.into_iter().zip(named);
        request.selections =
            chosen.map(|(family, names)| Selection { family, entries: Some(names.collect()) }).collect();
        request.seed = seed;
        limit(request, Duration::from_secs(25));
    })
}

#[test]
fn entry_of_a_contest_that_restarts_has_samples_or_a_reason() {
    // Twins differ by chance in about one run of 200: the search begins at a seed with which they do.
    let show = (335..).map(open_next_to_expensive).find(|show| show.again > 0).expect("seeds do not end");
    let second: Vec<&TrialRecord> = show.trials().filter(|trial| trial.attempt == 1).collect();
    assert!(second.len() > 3, "a twin joins as well");
    for trial in second {
        assert!(!trial.samples.is_empty() || !trial.failures.is_empty(), "{} vanished", trial.technique);
    }
}

#[test]
fn what_is_killed_before_round_1_hangs_or_is_skipped() {
    // A trial that only the budget ends; and one that has patience of 10 s after its trial, which the budget would have outlasted.
    let cases = [
        ("ended by the budget in its trial", 5, 60, Behaviour::Hangs, FailureKind::Skipped),
        ("hangs in its trial", 600, 60, Behaviour::Hangs, FailureKind::Hang),
        ("ended by the budget in round 0", 5, 60, Behaviour::HangsAfter(1), FailureKind::Skipped),
        ("hangs in round 0", 30, 60, Behaviour::HangsAfter(1), FailureKind::Hang),
    ];
    for (name, budget_s, limit_s, behaviour, kind) in cases {
        let show = FakeFamily::leaked(name, &with(&[("late", behaviour)])).ran(LAST_LOOK, |request| {
            limit(request, Duration::from_secs(budget_s));
            request.time_limit_ns = Duration::from_secs(limit_s).as_nanos() as u64;
        });
        let [failure] = &show.trial("late").failures[..] else { panic!("{name} has not failed once") };
        assert_eq!(failure.kind, kind, "{name}: {failure:?}");
    }
}

#[test]
fn what_has_no_time_left_because_the_budget_ends_did_not_fail() {
    let behaviours = [("a", Steady(1e6)), ("b", Behaviour::HangsAfter(5))];
    let [short, long] = [("stopped by the budget", 5), ("hangs by itself", 600)].map(|(name, seconds)| {
        FakeFamily::leaked(name, &behaviours).ran(LAST_LOOK, |request| {
            limit(request, Duration::from_secs(seconds));
            // With it no process is given less than 10 s for its own sake.
            request.time_limit_ns = Duration::from_secs(60).as_nanos() as u64;
        })
    });
    assert!(short.trial("b").failures.is_empty(), "{:?}", short.trial("b").failures);
    assert!(short.taken("b") > 1, "it had counted rounds");
    let kinds: Vec<FailureKind> = long.trial("b").failures.iter().map(|failure| failure.kind).collect();
    assert!(kinds.contains(&FailureKind::Hang), "{kinds:?}");
}

#[test]
fn what_asks_by_how_much_goes_on_until_the_factor_is_known() {
    let taken = |precision: Option<f64>| {
        let behaviours = [("fast", Restless(1e6)), ("slow", Restless(5e6))];
        let show = FakeFamily::leaked("by how much", &behaviours).ran(LAST_LOOK, |request| {
            limit(request, Duration::from_secs(600));
            request.precision = precision;
        });
        show.taken("slow")
    };
    let [which, roughly, closely] = [None, Some(0.9), Some(0.1)].map(taken);
    assert!(which == roughly && roughly < closely && closely <= 1 + LAST_LOOK as usize, "{which} {closely}");
}
