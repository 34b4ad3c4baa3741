//! What an answer advises: the baseline next to it, parameters, what the budget left out, too few rounds.

use judge::{Standing, State, beyond_rows, decide};
use model::{Along, FailureKind, Kind, Sample, Workload};
use testkit::Run;

use super::{One, standing};

#[test]
fn the_advice_says_what_to_use_and_what_the_baseline_costs() {
    let mut run = Run::new();
    for value in ["128K", "512K", "1M"] {
        run.add(&format!("presized@{value}"), 10.0);
    }
    let mut run = run.with("presized@4K", 14.0).with("std_copy", 16.0).with("splice", 12.0).rounds(20);
    run.baseline("std_copy");
    let ranking = decide(&run.record).rankings.remove(0);
    assert!(matches!(ranking.state, State::Tied | State::Same), "{}", ranking.sentence);
    let choice = ranking.choice.as_ref().expect("a choice");
    assert!(choice.entry.starts_with("presized@") && !choice.is_baseline, "{choice:?}");
    let over = choice.baseline.expect("it took part");
    assert!(over.low.is_some_and(|low| low > 1.5) && over.high.is_some_and(|high| high < 1.7), "{over:?}");
    let words = format!("Use {}: std_copy is slower by 1.6x (1.5-1.7x).", choice.entry);
    assert_eq!(ranking.advice.as_deref(), Some(words.as_str()));
    assert_eq!(ranking.best_parameters[0].tied, ["128K", "512K", "1M"]);
}

#[test]
fn the_baseline_may_be_named_by_its_technique_or_by_an_alias() {
    let mut run = Run::new().with("read_write@64K", 12.0).with("splice", 10.0).rounds(20);
    run.trial("read_write@64K").aliases.push("cpW".into());
    for name in ["read_write@64K", "read_write", "cpW"] {
        run.baseline(name);
        assert_eq!(run.one().baseline.as_deref(), Some("read_write@64K"), "{name}");
    }
    run.baseline("cp");
    assert_eq!(run.one().baseline, None);
}

#[test]
fn a_baseline_that_wins_is_the_choice() {
    let mut run = Run::new().with("std_copy", 10.0).with("splice", 12.0).rounds(20);
    run.baseline("std_copy");
    let ranking = decide(&run.record).rankings.remove(0);
    assert_eq!(ranking.advice.as_deref(), Some("Use std_copy, the baseline: nothing is faster."));
    let choice = ranking.choice.expect("a choice");
    assert!(choice.is_baseline && choice.baseline.is_none(), "{choice:?}");
}

#[test]
fn reasons_are_those_of_the_choice() {
    let mut run = Run::new().with("cd x; make", 10.0).with("b", 12.0).rounds(20);
    run.record.trials.iter_mut().for_each(|trial| trial.kind = Kind::Command);
    run.skipped("c", 15.0, "the budget pays for 2 of 3 entries");
    let ranking = run.one();
    assert_eq!(beyond_rows(&ranking), None, "{ranking:?}");
    let more = ranking.sentence.strip_prefix("cd x; make wins; ").expect("the leader first");
    assert!(more.starts_with("b is slower by 1.20x"), "{more}");
    assert_eq!(ranking.advice, Some(format!("Use cd x; make: {more}")));
    // Next to a baseline, what that costs is not all.
    run.baseline("b");
    assert_eq!(beyond_rows(&run.one()).as_deref(), Some("c was skipped for time."));
    // Of commands that were typed, the result says it.
    run.record.trials.iter_mut().for_each(|trial| trial.workload.name = Workload::AS_GIVEN.to_owned());
    assert_eq!(
        (run.one().advice, run.one().choice.map(|choice| choice.entry)),
        (None, Some("cd x; make".into()))
    );
}

#[test]
fn a_choice_that_does_not_lead_has_no_reason_of_the_leader() {
    let mut whole = Run::new();
    for (bytes, slow) in [(1 << 10, 1.0), (1 << 12, 1.3)] {
        let mut run = Run::new().with("leader", 10.0).with("pool", 10.0).with("c", 20.0).rounds(20);
        // Alike on both sides, and at the higher size one of them is slower.
        run.samples("leader", |sample| scale(sample, slow * if sample.round % 2 == 0 { 0.93 } else { 1.05 }));
        run.samples("pool", |sample| scale(sample, if sample.round % 2 == 0 { 1.07 } else { 0.95 }));
        whole.record.trials.extend(run.at(&Workload::of_bytes(bytes.to_string(), bytes)).record.trials);
    }
    let along = Along { axis: "bytes".into(), ..Along::default() };
    whole.record.design.curves.insert("copy".into(), along);
    let decided = decide(&whole.record);
    let [ranking, _] = &decided.rankings[..] else { panic!("two sizes") };
    assert_eq!((ranking.leader.as_deref(), ranking.state), (Some("leader"), State::Tied), "{ranking:?}");
    assert_eq!(ranking.advice.as_deref(), Some("Use pool: nothing is shown to be faster."));
    let beyond = beyond_rows(ranking).expect("a leader that is not the choice");
    assert!(beyond.starts_with("Tied with leader, and at most"), "{beyond}");
}

fn scale(sample: &mut Sample, by: f64) {
    sample.work_ns = sample.work_ns.map(|ns| (ns as f64 * by) as u64);
}

#[test]
fn skipped_entries_show_their_only_round() {
    let mut run = Run::new().with("a", 10.0).with("b", 10.0).with("c", 20.0).rounds(5);
    run.record.design.looks = vec![5];
    run.skipped("d", 15.0, "the budget pays for 3 of 5 entries");
    run.skipped("e", 26.0, "the budget pays for 3 of 5 entries");
    let ranking = run.one();
    assert_eq!(ranking.state, State::Tied);
    assert!(ranking.sentence.ends_with(" 2 others were skipped for time."), "{}", ranking.sentence);
    assert_eq!((standing(&ranking, "d"), standing(&ranking, "e")), (Standing::Skipped, Standing::Skipped));
    assert!(ranking.entry("d").and_then(|d| d.factor).is_some_and(|factor| (factor - 1.5).abs() < 0.02));
    assert!(ranking.failures.is_empty() && ranking.not_available.is_empty(), "nothing failed: {ranking:?}");
}

#[test]
fn an_entry_that_was_not_tried_did_not_fail() {
    let mut run = Run::new().with("a", 10.0).with("b", 20.0).rounds(20);
    let without = run.one();
    let reason = "far behind at a lower level: with 64 threads it took 80 ms, and the fastest 1 ms";
    run.failed("slow", FailureKind::TenfoldBehind, reason);
    let ranking = run.one();
    assert_eq!((&ranking.state, &ranking.sentence), (&without.state, &without.sentence));
    assert_eq!(ranking.entries.len(), without.entries.len());
    assert!(ranking.failures.is_empty() && ranking.not_available.is_empty(), "nothing failed: {ranking:?}");
    let [line] = &ranking.not_tried[..] else { panic!("{:?}", ranking.not_tried) };
    assert_eq!((line.technique.as_str(), line.reason.as_str()), ("slow", reason));
}

#[test]
fn one_or_two_counted_rounds_say_what_was_fastest_in_them() {
    for (counted, rounds) in [(0, "1 round"), (1, "1 round"), (2, "2 rounds")] {
        let ranking = Run::new().with("a", 12.0).with("b", 10.0).with("c", 13.0).rounds(counted).one();
        assert_eq!(ranking.state, State::TooFewRounds);
        assert_eq!(ranking.sentence, format!("b led in {rounds}; measure longer to know."));
        assert_eq!(ranking.confidence, None);
        assert!(ranking.candidates.is_empty());
        assert!(ranking.entries.iter().all(|e| e.standing == Standing::Unjudged && e.factor_low.is_none()));
    }
}

#[test]
fn the_best_value_has_the_smallest_factor() {
    let mut run = Run::new();
    for (value, base) in
        [("4K", 20.0), ("16K", 10.4), ("64K", 10.3), ("256K", 10.0), ("1M", 10.0), ("16M", 15.0)]
    {
        run.add(&format!("read_write@{value}"), base);
    }
    let mut run = run.with("mapped", 5.0).rounds(20);
    // In every round 1M is a little behind 256K, and in front of it in every third.
    let faster = run.trial("read_write@256K").samples.clone();
    for (sample, other) in run.trial("read_write@1M").samples.iter_mut().zip(faster) {
        let factor = if sample.round % 3 == 0 { 0.999 } else { 1.001 };
        sample.work_ns = other.work_ns.map(|ns| (ns as f64 * factor) as u64);
    }
    let ranking = run.one();
    let best = &ranking.best_parameters[0];
    assert_eq!((best.technique.as_str(), best.value.as_str()), ("read_write", "256K"));
    assert_eq!(best.as_good, ["256K", "1M"]);
    let [one, other] = ["read_write@256K", "read_write@1M"].map(|name| ranking.entry(name).expect("known"));
    assert!(one.factor.is_some() && one.factor < other.factor, "{one:?} {other:?}");
    assert_eq!(ranking.best_parameters.len(), 1);
}

#[test]
fn the_points_of_a_jobs_command_are_values_of_one_technique() {
    let mut run =
        Run::new().with("zstd@level=1", 10.0).with("zstd@level=3", 10.01).with("gzip", 20.0).rounds(20);
    run.record.trials.iter_mut().for_each(|trial| trial.kind = Kind::Command);
    let ranking = run.one();
    assert!(ranking.sentence.starts_with("zstd"), "{}", ranking.sentence);
    let best = &ranking.best_parameters;
    assert_eq!((best[0].technique.as_str(), best.len()), ("zstd", 1));
    assert_eq!(best[0].tied, ["level=1", "level=3"]);
}
