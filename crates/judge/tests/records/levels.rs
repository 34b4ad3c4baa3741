//! Levels of a curve at which a part of the techniques was compared.

use judge::{Absence, Curve, Decided, decide};
use model::{Along, Workload};

use super::*;

/// Returns a run at two sizes; each gets the techniques that `fill` adds, and is compared over 20 rounds.
fn at_two_sizes(fill: impl Fn(&mut Run, u64)) -> Decided {
    let mut whole = Run::new();
    for bytes in [1 << 10, 1 << 12] {
        let mut run = Run::new().with("a", 10.0).with("b", 12.0).rounds(20);
        fill(&mut run, bytes);
        whole.record.trials.extend(run.at(&Workload::of_bytes(bytes.to_string(), bytes)).record.trials);
    }
    let along = Along { axis: "bytes".into(), named: vec!["c".into()], ..Along::default() };
    whole.record.design.curves.insert("copy".into(), along);
    decide(&whole.record)
}

fn like_b(run: &mut Run, name: &str) {
    let samples = run.trial("b").samples.clone();
    run.add(name, 15.0).samples = samples;
}

fn absences(curve: &Curve, technique: &str) -> Vec<(u64, Absence)> {
    let line = curve.techniques.iter().find(|line| line.technique == technique).expect(technique);
    line.absent.iter().map(|absent| (absent.at, absent.why)).collect()
}

#[test]
fn failed_and_skipped_techniques_keep_their_lines() {
    let decided = at_two_sizes(|run, _| {
        skipped(run, "c");
        run.failed("d", FailureKind::Hang, "did not end within 10 s and was killed");
    });
    let curve = &decided.curves[0];
    assert_eq!(absences(curve, "c"), [(1 << 10, Absence::Skipped), (1 << 12, Absence::Skipped)]);
    assert_eq!(absences(curve, "d"), [(1 << 10, Absence::Failed), (1 << 12, Absence::Failed)]);
    let named: Vec<&str> =
        curve.techniques.iter().filter(|line| line.is_named).map(|line| line.technique.as_str()).collect();
    assert_eq!(named, ["c"]);
    assert!(curve.techniques.iter().all(|line| line.points.len() + line.absent.len() == 2), "{curve:?}");
    assert_eq!(curve.sentence, "Use a at every size.");
    let reason = &decided.rankings[0].skipped[0];
    assert_eq!((reason.technique.as_str(), &*reason.reason), ("c", "the budget pays for 2 of 3 entries"));
}

#[test]
fn a_technique_without_a_rival_is_not_the_fastest() {
    let decided = at_two_sizes(|run, bytes| {
        if bytes == 1 << 10 {
            run.record.trials.retain(|trial| trial.technique == "a");
            skipped(run, "b");
        }
    });
    let curve = &decided.curves[0];
    assert!(curve.levels[0].tied.is_empty(), "{:?}", curve.levels);
    assert_eq!(curve.levels[0].choice, None);
    assert_eq!(curve.sentence, "Use a at 4 KiB. No answer at 1 KiB.");
    let mut points = curve.techniques.iter().flat_map(|line| &line.points);
    assert!(points.all(|point| point.at > 1 << 10 || !point.may_be_fastest));
    assert_eq!(
        decided.rankings[0].sentence,
        "a is the only technique that the budget paid for: nothing to compare it with."
    );
}

#[test]
fn one_technique_at_all_levels_has_no_answer() {
    for lack in ["skipped", "never entered", "skipped or missing"] {
        let decided = at_two_sizes(|run, bytes| {
            run.record.trials.retain(|trial| trial.technique == "a");
            match (lack, bytes) {
                ("skipped", _) | ("skipped or missing", 1024) => skipped(run, "b"),
                ("skipped or missing", _) => missing(run, "b", Class::MovesBytes),
                _ => {}
            }
        });
        assert_eq!(decided.curves[0].sentence, "No answer yet at any level.", "{lack}");
    }
}

#[test]
fn a_level_with_a_part_of_the_techniques_lists_the_others() {
    let decided = at_two_sizes(|run, bytes| {
        if bytes == 1 << 12 {
            like_b(run, "c");
        }
    });
    let compared: Vec<u32> = decided.curves[0].levels.iter().map(|level| level.compared).collect();
    assert_eq!(compared, [2, 3]);
    assert_eq!(decided.curves[0].levels[0].not_compared, ["c"]);
    assert_eq!(absences(&decided.curves[0], "c"), [(1 << 10, Absence::NotEntered)]);
}

#[test]
fn what_cannot_run_at_a_level_is_not_what_was_not_entered() {
    let decided = at_two_sizes(|run, bytes| {
        if bytes == 1 << 12 {
            missing(run, "c", Class::MovesBytes);
        } else {
            like_b(run, "c");
        }
    });
    assert_eq!(absences(&decided.curves[0], "c"), [(1 << 12, Absence::NotAvailable)]);
    // What cannot run is not what might have been faster.
    assert!(decided.curves[0].levels[1].not_compared.is_empty(), "{:?}", decided.curves[0].levels);
}
