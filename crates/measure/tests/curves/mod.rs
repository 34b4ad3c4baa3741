//! Contests that are the levels of a curve.

use super::*;

const ROUNDS: u32 = 20;

fn over_three(request: &mut Request) {
    request.sizes_bytes = vec![1 << 10, 1 << 12, 1 << 14];
}

fn over_sizes(name: &'static str, behaviours: &[(&'static str, Behaviour)]) -> Outcome {
    FakeFamily::leaked(name, behaviours).ran(ROUNDS, over_three)
}

fn samples(show: &Outcome, technique: &str, attempt: u32) -> Vec<usize> {
    let own = show.trials().filter(|one| one.technique == technique && one.attempt == attempt);
    own.map(|trial| trial.samples.len()).collect()
}

#[test]
fn contests_that_differ_in_one_number_share_looks_as_a_curve() {
    let show = over_sizes("levels", &BEATEN);
    assert_eq!(show.record.design.curves["levels"].axis, "bytes");
    let looks: Vec<_> = show.trials().map(|trial| &trial.looks).collect();
    assert!(looks.iter().all(|of_level| *of_level == looks[0]), "{looks:?}");
    assert_eq!(samples(&show, "a", 0), [1 + ROUNDS as usize; 3]);
    assert!(samples(&show, "slow", 0).iter().all(|&samples| samples < 1 + ROUNDS as usize));
}

#[test]
fn a_curve_has_one_twin_and_the_techniques_that_were_named() {
    let show = over_sizes("nothing named", &OPEN);
    assert!(show.record.design.curves["nothing named"].named.is_empty());
    assert_eq!(show.trials().filter(|trial| trial.kind == Kind::Twin).count(), 1, "at one of the levels");
    let family = FakeFamily::leaked("two named", &OPEN);
    let show = family.ran(ROUNDS, |request| {
        over_three(request);
        request.selections = vec![Selection { family, entries: Some(vec!["a".to_owned(), "b".to_owned()]) }];
    });
    assert_eq!(show.record.design.curves["two named"].named, ["a", "b"]);
}

#[test]
fn where_the_twin_of_one_level_differs_all_are_measured_again() {
    let behaviours = ["a", "b"].map(|name| (name, Behaviour::TwinIsSlower(1e6)));
    let show = FakeFamily::leaked_session("broken curve", &behaviours).ran(LAST_LOOK, |request| {
        over_three(request);
        // Nothing is decided before the twin has its looks.
        request.alpha = 1e-9;
    });
    assert_eq!(show.again, 1);
    assert_eq!(samples(&show, "b", 0).len(), 3);
    let again = samples(&show, "b", 1);
    assert!(again.len() == 3 && again.iter().all(|&samples| samples > 8), "{again:?}");
}

#[test]
fn a_decided_level_leaves_and_the_others_go_on() {
    let behaviours = [("a", Steady(1e6)), ("b", Behaviour::LevelsOff { from: 1.2e6, to: 1e6 })];
    let show = over_sizes("decided", &behaviours);
    let samples = samples(&show, "a", 0);
    assert_eq!(samples[0], 1 + 8);
    assert!(samples[2] > 1 + 8, "{samples:?}");
}

#[test]
fn a_short_budget_drops_what_is_far_behind_from_a_curve() {
    let behaviours =
        [("a", Lasts(2)), ("b", Lasts(2)), ("c", Lasts(3)), ("far", Lasts(250)), ("d", Lasts(2))];
    let show = FakeFamily::leaked("dear", &behaviours).ran(ROUNDS, |request| {
        request.sizes_bytes = vec![1 << 10, 1 << 12];
        (request.budget_ns, request.budget_stretches) = (1, true);
    });
    assert_eq!(show.trial("a").looks[0], 8, "it has rounds enough for its sentence");
    assert_eq!(samples(&show, "far", 0), [1; 2]);
    assert_eq!(show.trial("far").failures[0].kind, model::FailureKind::Skipped);
}

#[test]
fn entry_that_takes_most_of_a_short_budget_leaves_at_once() {
    let behaviours =
        [("a", Lasts(2)), ("b", Lasts(2)), ("c", Lasts(3)), ("dear", Lasts(400)), ("slow", Lasts(30))];
    let ran = |budget_ns| {
        let family = FakeFamily::leaked("alone", &behaviours);
        let show =
            family.ran(ROUNDS, |request| (request.budget_ns, request.budget_stretches) = (budget_ns, true));
        ["dear", "slow"].map(|name| show.trial(name).samples.len())
    };
    let [dear, slow] = ran(1);
    assert!(dear == 1 && slow > 3, "{dear} {slow}");
    let [dear, _] = ran(60_000_000_000);
    assert!(dear > 3, "where there is time it is measured on: {dear}");
}

#[test]
fn what_leads_at_a_level_with_all_entries_joins_those_with_few() {
    let behaviours = [("asked", Steady(2e6)), ("leads", Steady(1e6)), ("slow", Steady(3e6))];
    let show = FakeFamily::leaked_with_levels("rivals", &behaviours).ran(ROUNDS, |_| ());
    let all = [Some(8 << 10), Some(4 << 10), Some(64 << 10)];
    for (technique, expected) in [("asked", &all[..]), ("leads", &all), ("slow", &all[..1])] {
        let own = show.trials().filter(|one| one.technique == technique && !one.samples.is_empty());
        assert_eq!(own.map(|one| one.workload.bytes()).collect::<Vec<_>>(), expected, "{technique}");
    }
}

fn request_of(family: &str) -> Request {
    let family = families::find(family).expect("a family");
    Request { rounds: ROUNDS, ..Request::usual(vec![Selection { family, entries: None }], 7) }
}

fn plan(request: &Request) -> measure::Plan {
    planned(std::slice::from_ref(request)).expect("a plan")
}

#[test]
fn a_family_asks_for_its_curve_unless_a_workload_is_chosen() {
    let mut request = request_of("search");
    let chosen = plan(&request);
    let (extra, own): (Vec<_>, Vec<_>) = chosen.tasks.iter().partition(|task| task.is_extra);
    assert!(own.len() == 1 && extra.len() >= 3);
    for level in extra {
        let names: Vec<&str> = level.participants.iter().map(|one| &*one.name).collect();
        assert!(names.contains(&"sequential") && names.len() <= 5, "{names:?}");
    }
    assert_eq!(chosen.design.curves["search"].axis, "file_bytes");
    request.axes = vec![("frequency".to_owned(), "common".to_owned())];
    assert!(plan(&request).tasks.iter().all(|task| !task.is_extra), "a workload was chosen");
}

/// Returns the levels that a family asks for, with the names of those that take part, and of those that cannot.
fn asked_for(request: &Request) -> Vec<(u64, Vec<String>)> {
    let plan = plan(request);
    let along = plan.design.curves.values().next().expect("a curve").axis.clone();
    let extra = plan.tasks.iter().filter(|task| task.is_extra).map(|task| {
        let ready = task.participants.iter().map(|one| one.name.clone());
        let names = ready.chain(task.refused.iter().map(|refused| refused.entry.name.clone())).collect();
        (task.workload.number(&along).expect("a level"), names)
    });
    extra.collect()
}

#[test]
fn techniques_that_may_lead_take_part_in_extra_levels() {
    for (family, expected) in [
        ("pipeline", &["crossbeam", "std_mutex_notify_one", "own_queue", "kanal", "flume"][..]),
        ("blocks", &["plain", "avx2", "avx512", "std_slice", "memset", "rep_string", "nontemporal"]),
    ] {
        let levels = asked_for(&request_of(family));
        assert!(levels.len() >= 2, "{family}");
        for (level, names) in levels {
            for name in expected {
                assert!(names.iter().any(|one| one == name), "{family} at {level}: no {name} in {names:?}");
            }
        }
    }
}

#[test]
fn only_the_default_run_has_pieces_that_fit_this_hosts_caches() {
    let mut request = request_of("blocks");
    let own: Vec<u64> = asked_for(&request).into_iter().map(|(piece, _)| piece).collect();
    assert!(own.is_sorted_by(|one, other| one < other), "{own:?}");
    assert!(own.iter().all(|&piece| piece <= 8 << 20), "no piece is larger than the whole: {own:?}");
    let family = families::find("blocks").expect("a family");
    for level in family.further_levels().into_iter().filter(|level| *level < 8 << 20 && *level != 16 << 10) {
        assert!(own.contains(&level), "{level} is missing in {own:?}");
    }
    request.preset = model::Preset::Published;
    assert!(asked_for(&request).is_empty(), "the published pieces have a curve of their own");
}

#[test]
fn each_level_of_a_curve_adds_less_time_than_a_contest() {
    const ONE_NS: u64 = 28_000_000_000;
    let budgeted = |family: &str| Request { budget_ns: ONE_NS, budget_stretches: true, ..request_of(family) };
    let sizes = |levels: u32| (12..12 + levels).map(|power| 1 << power).collect();
    let of_sizes = |levels: u32| Request { sizes_bytes: sizes(levels), ..budgeted("copy") };
    let same_work = vec![("threads".to_owned(), "1..8192".to_owned())];
    let extra = plan(&budgeted("threads")).tasks.iter().filter(|task| task.is_extra).count();
    assert!(extra > 0);
    for (request, levels, level_ns) in [
        (of_sizes(1), 1, 0),
        (of_sizes(15), 15, 4_000_000_000),
        (budgeted("threads"), 1 + extra, 1_500_000_000),
        (Request { axes: same_work, ..budgeted("threads") }, 14, 200_000_000),
    ] {
        let plan = plan(&request);
        assert_eq!(plan.tasks.len(), levels);
        assert_eq!(plan.budget_ns, ONE_NS + (levels as u64 - 1) * level_ns);
    }
}

#[test]
fn a_level_that_the_preset_has_already_is_not_asked_for_twice() {
    let mut request = request_of("threads");
    request.preset = model::Preset::Published;
    let plan = plan(&request);
    let levels: Vec<Option<u64>> = plan.tasks.iter().map(|task| task.workload.number("threads")).collect();
    assert_eq!(levels, (0..14).map(|power| Some(1 << power)).collect::<Vec<_>>());
    assert!(plan.tasks.iter().all(|task| task.curve == Some(0) && !task.is_extra));
}

#[test]
fn a_range_makes_the_levels_of_a_curve_each_value_once() {
    let mut request = request_of("threads");
    request.axes = ["1..8", "4,16"].map(|values| ("threads".to_owned(), values.to_owned())).to_vec();
    let plan = plan(&request);
    let levels: Vec<Option<u64>> = plan.tasks.iter().map(|task| task.workload.number("threads")).collect();
    assert_eq!(levels, [1, 2, 4, 8, 16].map(Some));
    assert_eq!(plan.design.curves["threads"].axis, "threads");
}

#[test]
fn workloads_of_a_preset_are_no_curve_unless_asked_for() {
    for (steps, axis) in [(&[][..], None), (&["0", "16", "64"], Some("chain_steps"))] {
        let mut request = request_of("clock");
        request.axes = steps.iter().map(|&steps| ("chain_steps".to_owned(), steps.to_owned())).collect();
        let plan = plan(&request);
        assert!(plan.tasks.len() > 1);
        assert_eq!(plan.design.curves.get("clock").map(|along| along.axis.as_str()), axis);
    }
}

#[test]
fn requests_planned_together_keep_their_own_conditions() {
    let mut cold = request_of("copy");
    cold.caches = vec![Cache::Cold];
    let mut pinned = request_of("search");
    pinned.processors = vec![0];
    let mut threads = request_of("pipeline");
    threads.axes = ["2", "4"].map(|level| ("threads".to_owned(), level.to_owned())).to_vec();
    let mut batches = request_of("pipeline");
    batches.axes = ["4", "8"].map(|level| ("threads".to_owned(), level.to_owned())).to_vec();
    batches.processors = vec![0];
    let plan = planned(&[cold, pinned, threads, batches]).expect("a plan");
    let of = |family: &'static str| plan.tasks.iter().filter(move |task| task.family.name() == family);
    assert!(of("copy").all(|task| task.setting.is_cold() && task.setting.conditions.processors.is_empty()));
    assert!(of("search").all(|task| !task.setting.is_cold() && task.setting.conditions.processors == [0]));
    let curves: Vec<_> =
        of("pipeline").map(|task| (task.setting.conditions.processors.len(), task.curve)).collect();
    assert_eq!(curves.len(), 4);
    assert_eq!((curves[0], curves[2]), (curves[1], curves[3]));
    assert!(curves[0].1.is_some() && curves[0].1 != curves[2].1, "{curves:?}");
    assert_eq!(plan.design.curves["pipeline"].axis, "threads");
}
