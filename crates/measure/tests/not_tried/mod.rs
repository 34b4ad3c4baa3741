//! Techniques that are far behind at a level of a curve which spreads the same work, and the levels above it.

use super::*;

const ROUNDS: u32 = 8;
const LEVELS: [u64; 4] = [1 << 10, 4 << 10, 16 << 10, 64 << 10];

/// 20 ms at the first level, which is no long sample, and 80 ms at the second; the fastest takes 1 ms.
const GROWS: &[(&str, Behaviour)] =
    &[("a", Steady(1e6)), ("b", Steady(1.1e6)), ("grows", Behaviour::Grows(20e6))];

fn ran(family: &'static FakeFamily, change: impl FnOnce(&mut Request)) -> Outcome {
    family.ran(ROUNDS, |request| {
        request.sizes_bytes = LEVELS.to_vec();
        change(request);
    })
}

fn trials<'show>(show: &'show Outcome, technique: &str) -> Vec<&'show TrialRecord> {
    let own = show.trials().filter(|trial| trial.technique == technique && trial.attempt == 0);
    let mut own: Vec<&TrialRecord> = own.collect();
    own.sort_by_key(|trial| trial.workload.bytes());
    own
}

fn levels(show: &Outcome, technique: &str) -> Vec<bool> {
    trials(show, technique).into_iter().map(|trial| !trial.samples.is_empty()).collect()
}

#[test]
fn tenfold_behind_is_not_tried_at_levels_above_and_no_failure() {
    let show = ran(FakeFamily::leaked_spread("behind", GROWS), |_| ());
    assert_eq!(levels(&show, "grows"), [true, true, false, false]);
    assert_eq!((levels(&show, "a"), levels(&show, "b")), (vec![true; 4], vec![true; 4]));
    for trial in &trials(&show, "grows")[2..] {
        let [failure] = &trial.failures[..] else { panic!("{:?}", trial.failures) };
        assert!(failure.kind == FailureKind::TenfoldBehind && failure.kind.is_by_plan());
        assert_eq!(failure.round, None);
        let reason = &failure.reason;
        assert!(reason.starts_with("far behind at a lower level: ") && reason.contains("4096"), "{reason}");
        assert!(reason.contains(" took 80") && reason.contains(" ms, and the fastest 1"), "{reason}");
    }
}

#[test]
fn the_order_in_which_the_levels_are_typed_does_not_matter() {
    let show = ran(FakeFamily::leaked_spread("backwards", GROWS), |request| request.sizes_bytes.reverse());
    assert_eq!(levels(&show, "grows"), [true, true, false, false]);
}

#[test]
fn without_a_trial_round_0_shows_who_is_behind() {
    let family = FakeFamily::leaked_spread("cold and behind", GROWS);
    let show = ran(family, |request| request.caches = vec![Cache::Cold]);
    assert_eq!(levels(&show, "grows"), [true, true, false, false]);
    assert_eq!(trials(&show, "grows")[3].failures[0].kind, FailureKind::TenfoldBehind);
}

#[test]
fn what_the_user_named_is_tried_at_every_level() {
    let family = FakeFamily::leaked_spread("named", GROWS);
    let names = ["a", "b", "grows"].map(str::to_owned).to_vec();
    let selections = vec![Selection { family, entries: Some(names) }];
    assert_eq!(levels(&ran(family, |request| request.selections = selections), "grows"), [true; 4]);
    let baseline = Some("grows".to_owned());
    assert_eq!(levels(&ran(family, |request| request.baseline = baseline), "grows"), [true; 4]);
}

#[test]
fn little_time_or_a_small_gap_is_tried_at_every_level() {
    let behaviours = [("a", Steady(8e6)), ("little", Steady(45e6)), ("near", Steady(70e6))];
    let family = FakeFamily::leaked_spread("not so far", &behaviours);
    let show = ran(family, |_| ());
    assert_eq!((levels(&show, "little"), levels(&show, "near")), (vec![true; 4], vec![true; 4]));
    let quick = [("a", Steady(1e6)), ("b", Steady(30e6))];
    assert_eq!(levels(&ran(FakeFamily::leaked_spread("quick", &quick), |_| ()), "b"), [true; 4]);
}

#[test]
fn a_disturbed_first_round_leaves_nothing_out() {
    // Four trials come first, one at each level; the fifth call is the first round at the lowest level.
    let behaviours = [("a", Steady(1e6)), ("b", Behaviour::DisturbedOnce(2e6, 5))];
    let show = ran(FakeFamily::leaked_spread("disturbed", &behaviours), |_| ());
    assert!(trials(&show, "b")[0].samples[0].work_ns.is_some_and(|ns| ns > 100_000_000));
    assert_eq!(levels(&show, "b"), [true; 4]);
}

#[test]
fn levels_of_different_work_try_all_techniques() {
    assert_eq!(levels(&ran(FakeFamily::leaked("other work", GROWS), |_| ()), "grows"), [true; 4]);
}
