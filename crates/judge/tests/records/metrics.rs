//! Contests by other metrics than time: rates, counts that may be 0, what a family declares.

use judge::compare_by;

use super::*;

fn rate() -> Metric {
    Metric::more("units_per_second", "units per second")
}

/// Gives each sample of a technique a value of that name.
fn valued(run: &mut Run, technique: &str, key: &str, of: impl Fn(u32) -> f64) {
    run.samples(technique, |sample| sample.values.extend([(key.to_owned(), of(sample.round))]));
}

/// Two techniques whose rates are given for each round; `fast` also takes longer, so that time would say otherwise.
fn rates(fast: impl Fn(u32) -> f64, slow: impl Fn(u32) -> f64) -> Run {
    let mut run = Run::new().with("fast", 12.0).with("slow", 10.0).rounds(20);
    run.record.design.metrics = BTreeMap::from([("copy".to_owned(), vec![rate(), Metric::WORK])]);
    valued(&mut run, "fast", "units_per_second", fast);
    valued(&mut run, "slow", "units_per_second", slow);
    run
}

#[test]
fn the_highest_rate_is_best() {
    let ranking = rates(|round| 500.0 + f64::from(round % 5), |round| 240.0 + f64::from(round % 3)).one();
    assert_eq!(ranking.sentence, "fast wins by units per second; slow is worse by 2.1x (2.0-2.1x).");
    assert_eq!(ranking.leader.as_deref(), Some("fast"));
    assert_eq!(ranking.entries[0].median.value(), Some(502.0), "as it was measured, without round 0");
    assert!(ranking.entries[1].factor.is_some_and(|factor| (2.0..2.2).contains(&factor)));
    assert_eq!(ranking.others, [Metric::WORK]);
}

#[test]
fn a_rate_of_zero_is_a_failure() {
    let ranking = rates(|round| if round % 5 == 1 { 0.0 } else { 500.0 }, |_| 240.0).one();
    assert_eq!((ranking.state, ranking.leader.as_deref()), (State::Alone, Some("slow")));
    assert!(ranking.entry("fast").is_some_and(|entry| entry.standing == Standing::Failed), "{ranking:?}");
    let never = rates(|_| 0.0, |_| 240.0).one();
    assert_eq!(never.entry("fast").expect("a line").notes[0], "units per second was 0 in every round");
}

#[test]
fn a_family_is_compared_by_its_first_metric_or_any_other() {
    let mut run = rates(|_| 500.0, |_| 240.0);
    assert_eq!(run.one().leader.as_deref(), Some("fast"));
    compare_by(&mut run.record, "work").expect("declared");
    assert_eq!(run.one().leader.as_deref(), Some("slow"));
    assert_eq!(run.one().others, [rate()]);
    compare_by(&mut run.record, "units_per_second").expect("declared");
    assert_eq!(run.one().leader.as_deref(), Some("fast"));
    let refused = compare_by(&mut run.record, "miles").expect_err("nothing of that name");
    assert_eq!(
        refused.to_string(),
        "this run cannot be judged by miles; it can by units_per_second, work",
        "what every sample has is only named where it is known"
    );
}

#[test]
fn an_undeclared_value_of_samples_can_be_asked_for() {
    let mut run = Run::new().with("a", 10.0).with("b", 12.0).rounds(20);
    for (name, ns) in [("a", 7e6), ("b", 3e6)] {
        valued(&mut run, name, "merge_ns", |round| ns + f64::from(round));
    }
    compare_by(&mut run.record, "merge_ns").expect("in the samples");
    let ranking = run.one();
    assert_eq!(ranking.sentence, "b wins by merge; a is worse by 2.3x (2.3-2.4x).");
    assert_eq!(ranking.entry("b").and_then(|b| b.values.get("merge_ns").copied()), Some(3_000_010.5));
}

fn faults(a: impl Fn(u32) -> u64, b: impl Fn(u32) -> u64) -> Ranking {
    let mut run = Run::new().with("a", 12.0).with("b", 10.0).rounds(20);
    run.record.design.metric = Metric::FAULTS;
    run.samples("a", |sample| sample.usage.minor_faults = Some(a(sample.round)));
    run.samples("b", |sample| sample.usage.minor_faults = Some(b(sample.round)));
    run.one()
}

#[test]
fn counts_may_be_none_and_have_no_flags_of_time() {
    let ranking = faults(|_| 0, |round| 11 + u64::from(round % 3));
    assert_eq!(ranking.sentence, "a wins by page faults; b is worse.");
    assert_eq!((ranking.entries[1].factor, ranking.entries[1].factor_low), (None, None));
    assert_eq!(ranking.entries[0].median.value(), Some(0.0));
    let ranking = faults(|_| 0, |_| 0);
    assert_eq!(ranking.sentence, "Both are within 2 % of the best by page faults.");
    let some = faults(|round| u64::from(round % 2), |round| u64::from((round + 1) % 2));
    assert!(some.leader.is_some() && some.candidates.len() == 2, "{}", some.sentence);
    let ranking = faults(|_| 3, |_| 5);
    assert_eq!(ranking.sentence, "a wins by page faults; b is worse by 1.7x (1.6-1.7x).");
    let mut flags = ranking.flags.iter();
    assert!(!flags.any(|flag| ["clock", "tail", "instant"].contains(&&*flag.name)), "{:?}", ranking.flags);
}

#[test]
fn a_technique_without_the_metric_did_not_fail() {
    let waits = Metric::less("timed_out_waits", "waits that reached their time-out");
    let counted = |by: &[(&str, f64)]| {
        let mut run = Run::new().with("a", 10.0).with("b", 12.0).with("c", 11.0).rounds(20);
        run.record.design.metrics = BTreeMap::from([("copy".to_owned(), vec![waits.clone()])]);
        for (name, count) in by {
            valued(&mut run, name, "timed_out_waits", |round| count + f64::from(round % 3));
        }
        run.one()
    };
    let two = counted(&[("a", 900.0), ("b", 100.0)]);
    assert_eq!((two.state, two.leader.as_deref()), (State::Wins, Some("b")), "{}", two.sentence);
    assert_eq!(two.without_metric, ["c"]);
    assert!(two.failures.is_empty() && two.entry("c").is_none(), "{two:?}");
    let one = counted(&[("a", 900.0)]);
    let said = "a is the only technique that has such a metric (waits that reached their time-out): nothing to compare it with.";
    assert_eq!((one.state, one.sentence.as_str()), (State::Alone, said));
    let none = counted(&[]);
    let said = "Refused: no technique here has such a metric: waits that reached their time-out.";
    assert_eq!(none.sentence, said);
}
