//! What is said where one entry is left, or none: the reason that the run recorded.

use super::*;

#[test]
fn an_entry_is_alone_for_the_reason_that_the_run_recorded() {
    use FailureKind::{Crash, Hang, Missing, Refused, Skipped, TenfoldBehind};
    for (others, why) in [
        (&[][..], "that took part: nothing to compare it with."),
        (&[Skipped, Skipped], "that the budget paid for: nothing to compare it with."),
        (&[Skipped, Skipped, Crash], "left to compare: 1 failed, 2 were not paid for by the budget."),
        (&[Hang], "that works here: the other did not end in time."),
        (&[Refused], "that works here: the other was refused by the system."),
        (&[Refused, Missing], "that works here: 1 was refused by the system, 1 is not available."),
        (&[Refused, Hang], "that works here: 1 did not end in time, 1 was refused by the system."),
        (&[TenfoldBehind], "left to compare: the other was not tried, far behind at a lower level."),
    ] {
        let mut run = Run::new().with("a", 10.0).rounds(20);
        for (name, kind) in ["b", "c", "d"].into_iter().zip(others) {
            if *kind == Skipped {
                skipped(&mut run, name);
            } else {
                run.failed(name, *kind, "why it failed");
            }
        }
        let ranking = run.one();
        assert_eq!(ranking.state, State::Alone);
        assert_eq!(ranking.sentence, format!("a is the only technique {why}"));
        assert!(ranking.entries[0].median.value().is_some());
    }
}

#[test]
fn where_none_is_left_no_technique_is_called_the_only_one() {
    let late = ("a", FailureKind::Hang, "did not end within 10 s and was killed");
    let denied = ["a", "b"].map(|name| (name, FailureKind::Refused, "permission denied"));
    for (failed, skips, why) in [
        (
            &[late][..],
            0,
            "the only technique failed. The first was a: did not end within 10 s and was killed.",
        ),
        (
            &[late],
            3,
            "no technique is left to compare: 1 did not end in time, 3 were not paid for by the budget. b: the budget pays for 2 of 3 entries. The first that \
             failed was a: did not end within 10 s and was killed.",
        ),
        (
            &[],
            1,
            "no technique is left to compare: 1 was not paid for by the budget. b: the budget pays for 2 of 3 entries.",
        ),
        (&denied, 0, "all 2 techniques failed. The first was a: permission denied."),
    ] {
        let mut run = Run::new();
        for (name, kind, reason) in failed {
            run.failed(name, *kind, reason);
        }
        ["b", "c", "d"][..skips].iter().for_each(|name| skipped(&mut run, name));
        let ranking = run.one();
        assert_eq!((ranking.state, ranking.sentence), (State::Refused, format!("Refused: {why}")));
        assert_eq!(ranking.entries.len(), failed.len() + skips);
    }
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

#[test]
fn nothing_that_failed_alone_in_its_class_is_dropped() {
    use FailureKind::{Crash, Wrong};
    let mut run = Run::new().with("a", 10.0).with("b", 20.0).with("liar", 3.0).rounds(20);
    run.trial("liar").failures.push(failure(3, Wrong, "7 bytes short"));
    run.trial("liar").class = Class::ReusesEarlierWork;
    run.failed("gone", Crash, "signal 11").class = Class::FlushesEachPiece;
    missing(&mut run, "clone", Class::FlushesEachPiece);
    skipped(&mut run, "late");
    run.trial("late").class = Class::SharesExtents;
    let ranking = run.one();
    assert_eq!((ranking.class, &ranking.alone[..]), (Class::MovesBytes, &[][..] as &[String]));
    let failed: Vec<(&str, FailureKind)> =
        ranking.failures.iter().map(|line| (&*line.technique, line.kind)).collect();
    assert_eq!(failed, [("liar", Wrong), ("gone", Crash)]);
    assert_eq!((&*ranking.not_available[0].technique, &*ranking.skipped[0].technique), ("clone", "late"));
    assert!(ranking.sentence.ends_with(" late was skipped for time."), "{}", ranking.sentence);
    // Its flags stand there too, those of the host once.
    let mut run = Run::new().with("a", 10.0).with("b", 20.0).with("reused", 3.0);
    run.add_kind("memcpy", 5.0, Kind::Ceiling).class = Class::ReusesEarlierWork;
    let mut run = run.rounds(20);
    run.trial("reused").class = Class::ReusesEarlierWork;
    run.record.notes.push(model::Note { topic: model::Topic::Steal, text: "3 % was stolen".into() });
    let ranking = run.one();
    assert!(has_flag(&ranking, "instant", "reused: faster than the ceiling memcpy"), "{ranking:?}");
    assert_eq!(ranking.flags.iter().filter(|flag| flag.name == "steal").count(), 1);
}

#[test]
fn an_entry_alone_is_advised_nothing() {
    let mut run = Run::new().with("a", 10.0).rounds(20);
    skipped(&mut run, "std_copy");
    run.baseline("std_copy");
    let ranking = run.one();
    assert_eq!((ranking.state, ranking.advice), (State::Alone, None));
}
