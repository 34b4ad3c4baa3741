//! What is said where one entry is left, or none: the reason that the run recorded.

use super::*;

fn skipped(run: &mut Run, name: &str) {
    run.skipped(name, 20.0, "the budget pays for 1 of 4 entries");
}

fn sentence(fill: impl Fn(&mut Run)) -> String {
    let mut run = Run::new().with("a", 10.0).rounds(20);
    fill(&mut run);
    run.one().sentence
}

#[test]
fn what_the_budget_skipped_is_no_failure_of_the_others() {
    let budget = sentence(|run| ["b", "c"].iter().for_each(|name| skipped(run, name)));
    assert_eq!(budget, "a is the only technique that the budget paid for: nothing to compare it with.");
    let mixed = sentence(|run| {
        ["b", "c"].iter().for_each(|name| skipped(run, name));
        run.failed("d", FailureKind::Crash, "signal 11");
    });
    assert_eq!(
        mixed,
        "a is the only technique left to compare: 1 failed, 2 were not paid for by the budget."
    );
}

#[test]
fn a_limit_of_time_a_refusal_and_a_technique_not_tried_are_told_apart() {
    let late = sentence(|run| {
        run.failed("b", FailureKind::Hang, "did not end within 10 s and was killed");
    });
    assert_eq!(late, "a is the only technique that works here: the other did not end in time.");
    let refused = sentence(|run| {
        run.failed("b", FailureKind::Refused, "permission denied");
        run.failed("c", FailureKind::Hang, "did not end within 10 s and was killed");
    });
    assert_eq!(
        refused,
        "a is the only technique that works here: 1 did not end in time, 1 was refused by the system."
    );
    let not_tried = sentence(|run| {
        run.failed("b", FailureKind::TenfoldBehind, "far behind at 1 KiB");
    });
    assert_eq!(
        not_tried,
        "a is the only technique left to compare: the other was not tried, far behind at a lower level."
    );
}

#[test]
fn where_none_is_left_the_only_one_that_was_paid_for_is_not_called_the_only_technique() {
    let mut run = Run::new();
    run.failed("a", FailureKind::Hang, "did not end within 10 s and was killed");
    assert_eq!(
        run.one().sentence,
        "Refused: the only technique failed. The first was a: did not end within 10 s and was killed."
    );
    ["b", "c", "d"].iter().for_each(|name| skipped(&mut run, name));
    let ranking = run.one();
    assert_eq!(ranking.state, State::Refused);
    assert_eq!(
        ranking.sentence,
        "Refused: no technique is left to compare: 1 did not end in time, 3 were not paid for by the budget. The first that \
         failed was a: did not end within 10 s and was killed."
    );
    let mut run = Run::new();
    skipped(&mut run, "b");
    assert_eq!(
        run.one().sentence,
        "Refused: no technique is left to compare: 1 was not paid for by the budget."
    );
}

#[test]
fn an_entry_alone_in_its_class_joins_the_contest() {
    let mut run = Run::new().with("a", 10.0).with("b", 20.0).with("reused", 3.0).rounds(20);
    run.record.trials[2].class = Class::ReusesEarlierWork;
    let ranking = run.one();
    assert_eq!(ranking.class, Class::MovesBytes);
    let [also] = ranking.alone.as_slice() else { panic!("{:?}", ranking.alone) };
    assert!(also.starts_with("reused is alone among those that reuse earlier work: 3"), "{also}");
}
