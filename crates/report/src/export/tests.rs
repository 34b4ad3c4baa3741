//! Which entries are exported, and under which names.

use model::Class;

use super::*;
use crate::fixture::{curve, judged, record};

fn entries<'a>(record: &'a Record, decided: &'a Decided) -> Vec<Exported<'a>> {
    exported(record, decided, |_| None).0
}

#[test]
fn only_the_last_attempt_of_a_contest_is_exported() {
    let (mut record, decided) = (record(), judged());
    let mut again = record.trials[0].clone();
    again.attempt = 1;
    again.samples.iter_mut().for_each(|sample| sample.process_ns = Some(8_000_000));
    record.trials.push(again);
    let all = entries(&record, &decided);
    let of_entry: Vec<_> = all.iter().filter(|entry| entry.trial.technique == "read_write@256K").collect();
    assert_eq!(of_entry.len(), 1);
    assert_eq!(of_entry[0].values().collect::<Vec<_>>(), [8e6, 8e6]);
}

#[test]
fn an_entry_that_has_round_0_alone_is_exported_with_it() {
    let (record, decided) = (record(), judged());
    let all = entries(&record, &decided);
    let values: Vec<Vec<f64>> = all.iter().map(|entry| entry.values().collect()).collect();
    // In the order of the ranking: the command has no time in round 1.
    assert_eq!(values, [vec![9e6], vec![7e6, 6e6]]);
}

#[test]
fn an_entry_alone_in_its_class_is_named() {
    let mut record = record();
    let samples =
        (0..12).map(|round| model::Sample { round, ..record.trials[0].samples[0].clone() }).collect();
    record.trials[0].samples = samples;
    for (name, class) in [("splice", Class::MovesBytes), ("reused", Class::ReusesEarlierWork)] {
        record.trials.push(TrialRecord { technique: name.into(), class, ..record.trials[0].clone() });
    }
    let decided = judge::decide(&record);
    assert!(decided.rankings.len() == 1 && decided.rankings[0].alone.len() == 1, "{decided:?}");
    let (all, skipped) = exported(&record, &decided, |_| None);
    assert!(all.iter().all(|entry| entry.trial.technique != "reused"));
    assert_eq!(skipped, ["reused is skipped: alone in its class"]);
}

#[test]
fn every_name_is_there_once() {
    let (mut record, mut decided) = (record(), judged());
    for processors in [vec![0], vec![0, 1]] {
        let mut trial = record.trials[0].clone();
        trial.setting.conditions.processors = processors;
        let mut ranking = decided.rankings[0].clone();
        ranking.setting = trial.setting.clone();
        record.trials.push(trial);
        decided.rankings.push(ranking);
    }
    let all = entries(&record, &decided);
    let names: BTreeSet<&str> = all.iter().map(|entry| entry.name.as_str()).collect();
    assert_eq!(names.len(), all.len(), "{names:?}");
    assert!(names.iter().any(|name| name.contains("processors 0-1")), "{names:?}");
}

#[test]
fn a_run_without_samples_says_so() {
    let (mut record, decided) = (record(), judged());
    record.trials.iter_mut().for_each(|trial| trial.samples.clear());
    let (all, skipped) = exported(&record, &decided, |_| None);
    assert!(all.is_empty());
    assert_eq!(skipped, ["no technique of this run has a sample"]);
}

#[test]
fn a_run_with_a_curve_says_that_no_format_holds_it() {
    let record = record();
    let curved = Decided { curves: vec![curve()], ..judged() };
    let sentence = "the format holds no curves: where techniques change places is left out";
    assert_eq!(exported(&record, &curved, |_| None).1, [sentence]);
    assert_eq!(exported(&record, &judged(), |_| None).1, Vec::<String>::new());
    for (of, expected) in [(&curved, vec![sentence.to_owned()]), (&judged(), Vec::new())] {
        assert_eq!(hyperfine::export(&record, of, &hyperfine::Typed::default()).skipped, expected);
    }
}
