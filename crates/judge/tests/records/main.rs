//! What is said of a run's record: classes, controls, failures, flags.

mod alone;
mod answers;
mod compare;
mod host;
mod levels;
mod metrics;
mod side_by_side;
mod variants;

use std::collections::BTreeMap;

use judge::{Ranking, Standing, State, rank};
use model::{Class, FailureKind, Kind, Metric, Sample};
use testkit::{MS, Run, failure};

trait One {
    fn one(&self) -> Ranking;
}

impl One for Run {
    fn one(&self) -> Ranking {
        let mut rankings = rank(&self.record);
        assert_eq!(rankings.len(), 1, "{rankings:?}");
        rankings.remove(0)
    }
}

fn standing(ranking: &Ranking, technique: &str) -> Standing {
    ranking.entry(technique).expect("an entry").standing
}

fn has_flag(ranking: &Ranking, name: &str, words: &str) -> bool {
    ranking.flags.iter().any(|flag| flag.name == name && flag.text.contains(words))
}

#[test]
fn the_fastest_stands_first_with_its_figures() {
    let ranking = Run::new().with("a", 12.0).with("b", 10.0).twin("a", 12.0).rounds(20).one();
    assert_eq!((ranking.state, ranking.leader.as_deref()), (State::Wins, Some("b")));
    assert_eq!(ranking.entries.iter().map(|e| e.technique.as_str()).collect::<Vec<_>>(), ["b", "a"]);
    let fastest = &ranking.entries[0];
    assert_eq!(fastest.standing, Standing::Wins);
    assert!((fastest.median.value().expect("a median") / (10.0 * MS) - 1.0).abs() < 0.003);
    assert!((fastest.bytes_per_s.expect("a rate") / 2.56e9 - 1.0).abs() < 0.003);
    assert_eq!((fastest.factor, fastest.factor_high, fastest.rounds), (Some(1.0), Some(1.0), 20));
    let other = &ranking.entries[1];
    let [low, factor, high] =
        [other.factor_low, other.factor, other.factor_high].map(|figure| figure.expect("a figure"));
    assert!(low <= 1.2 && 1.2 <= high && (factor - 1.2).abs() < 0.005, "{low} {factor} {high}");
    assert!(ranking.twin_difference.expect("a twin ran") < 0.005);
    assert_eq!((ranking.at_most_slower, ranking.confidence), (Some(0.0), Some(0.95)));
}

#[test]
fn round_0_is_recorded_and_not_counted() {
    let mut run = Run::new().with("a", 12.0).with("b", 10.0).rounds(8);
    run.trial("b").samples[0].work_ns = Some(1_000_000_000);
    let ranking = run.one();
    assert_eq!((ranking.rounds, ranking.leader.as_deref()), (8, Some("b")));
    assert!(ranking.entry("b").and_then(|b| b.noise.as_ref()).is_some_and(|noise| noise.far_out == 0));
    let seven = Run::new().with("a", 12.0).with("b", 10.0).with("c", 10.1).rounds(7).one();
    assert_eq!(seven.rounds, 7, "a run that was interrupted before its first look");
}

#[test]
fn alpha_is_that_of_the_contest_unless_contests_share_it() {
    let mut run = Run::new().with("a", 12.0).with("b", 10.0).rounds(20);
    assert_eq!(run.one().alpha, 0.05);
    run.record.design.shared_by = 5;
    let shared = run.one();
    assert_eq!(shared.alpha, 0.01);
    assert!(shared.confidence.is_some_and(|found| (found - 0.99).abs() < 1e-9), "{:?}", shared.confidence);
}

#[test]
fn a_trial_may_have_looks_of_its_own() {
    let mut run = Run::new().with("a", 12.0).with("b", 10.0).with("c", 10.0).rounds(20);
    assert_eq!(run.one().rounds, 20);
    run.record.trials.iter_mut().for_each(|trial| trial.looks = vec![6, 8, 10, 13]);
    assert_eq!(run.one().rounds, 13);
}

#[test]
fn runs_of_earlier_versions_counted_their_first_round() {
    let mut run = Run::new().with("a", 10.0).with("b", 10.0).with("c", 30.0).rounds(19);
    run.record.design.looks = vec![10, 15, 20, 30];
    run.trial("c").samples.truncate(15);
    let ranking = run.one();
    assert_eq!(ranking.rounds, 19);
    let left = ranking.entry("c").expect("an entry");
    assert_eq!((left.standing, left.left_after_round, left.rounds), (Standing::Slower, Some(14), 14));
}

#[test]
fn a_technique_that_shares_extents_is_ranked_apart() {
    let mut run = Run::new().with("a", 12.0).with("b", 10.0).with("c", 0.1).with("d", 0.2).rounds(20);
    run.samples("c", |sample| {
        sample.notes.push(model::SampleNote::Reflinked);
    });
    run.trial("d").class = Class::SharesExtents;
    let [moved, shared] = &rank(&run.record)[..] else { panic!("two classes") };
    assert_eq!((moved.class, moved.leader.as_deref()), (Class::MovesBytes, Some("b")));
    assert_eq!((shared.class, shared.leader.as_deref()), (Class::SharesExtents, Some("c")));
    // No byte is moved, so there is no throughput.
    assert!(moved.entries.iter().all(|entry| entry.bytes_per_s.is_some()));
    assert!(shared.entries.iter().all(|entry| entry.bytes_per_s.is_none()));
}

#[test]
fn an_empty_input_has_no_throughput() {
    let mut run = Run::new().with("a", 12.0).with("b", 10.0).rounds(20);
    for name in ["a", "b"] {
        run.trial(name).workload = model::Workload::of_bytes("empty", 0);
    }
    assert!(run.one().entries.iter().all(|entry| entry.bytes_per_s.is_none()));
}

#[test]
fn a_wrong_answer_disqualifies_even_the_fastest() {
    let mut run = Run::new().with("a", 12.0).with("b", 10.0).with("c", 1.0).rounds(20);
    run.trial("c").failures.push(failure(3, FailureKind::Wrong, "the copy is 7 bytes short"));
    let ranking = run.one();
    assert_eq!(ranking.leader.as_deref(), Some("b"));
    assert_eq!(standing(&ranking, "c"), Standing::Failed);
    let entry = ranking.entries.last().expect("entries");
    assert_eq!(entry.notes[0], "wrong answer: the copy is 7 bytes short");
    assert_eq!((ranking.failures[0].technique.as_str(), ranking.failures[0].count), ("c", 1));
}

fn skipped(run: &mut Run, name: &str) {
    run.skipped(name, 20.0, "the budget pays for 2 of 3 entries");
}

fn missing(run: &mut Run, name: &str, class: Class) {
    run.failed(name, FailureKind::Missing, "no such call here").class = class;
}

#[test]
fn a_technique_that_is_missing_is_listed_without_a_line() {
    let mut run = Run::new().with("a", 12.0).with("b", 10.0).rounds(20);
    missing(&mut run, "ring", Class::MovesBytes);
    let ranking = run.one();
    assert_eq!((ranking.entries.len(), ranking.leader.as_deref()), (2, Some("b")));
    let line = &ranking.not_available[0];
    assert_eq!((line.technique.as_str(), line.kind), ("ring", FailureKind::Missing));
    assert!(ranking.failures.is_empty(), "what is not available did not fail");
}

#[test]
fn a_class_that_is_missing_joins_the_ranking_of_the_bytes() {
    let mut clones = Run::new();
    missing(&mut clones, "clone", Class::SharesExtents);
    missing(&mut clones, "block_clone", Class::SharesExtents);
    let mut run = Run::new().with("a", 12.0).with("b", 10.0).rounds(20);
    run.record.trials.splice(0..0, clones.record.trials);
    let ranking = run.one();
    assert_eq!((ranking.class, ranking.leader.as_deref()), (Class::MovesBytes, Some("b")));
    let missing: Vec<&str> = ranking.not_available.iter().map(|line| line.technique.as_str()).collect();
    assert_eq!((missing, ranking.entries.len()), (vec!["clone", "block_clone"], 2));
}

#[test]
fn where_everything_is_missing_one_ranking_says_so() {
    let mut run = Run::new();
    missing(&mut run, "clone", Class::SharesExtents);
    missing(&mut run, "ring", Class::MovesBytes);
    let ranking = run.one();
    assert_eq!(
        ranking.sentence,
        "Refused: none of the 2 techniques is available here. The first is ring: no such call here."
    );
    assert_eq!((ranking.entries.len(), ranking.not_available.len()), (0, 2));
}

#[test]
fn a_technique_that_crashes_now_and_then_is_still_ranked() {
    let mut run = Run::new().with("a", 12.0).with("b", 10.0).rounds(20);
    run.trial("a").samples.retain(|sample| sample.round != 4 && sample.round != 9);
    for round in [4, 9] {
        run.trial("a").failures.push(failure(round, FailureKind::Crash, "signal 11"));
    }
    let ranking = run.one();
    assert_eq!((ranking.rounds, standing(&ranking, "a")), (20, Standing::Slower));
    assert!(ranking.entries[1].notes.contains(&"failed in 2 rounds".to_owned()), "{ranking:?}");
    assert_eq!(ranking.entries[1].mean_ratio, None);
}

#[test]
fn a_technique_that_kept_failing_is_out() {
    let mut run = Run::new().with("a", 12.0).with("b", 10.0).with("c", 9.0).rounds(20);
    run.trial("c").samples.retain(|sample| sample.round < 10);
    for round in 10..13 {
        run.trial("c").failures.push(failure(round, FailureKind::Hang, "no end within 10 s"));
    }
    let ranking = run.one();
    assert_eq!((ranking.rounds, ranking.leader.as_deref()), (20, Some("b")));
    assert_eq!(standing(&ranking, "c"), Standing::Failed);
}

#[test]
fn an_entry_that_left_is_slower_all_the_same() {
    let mut run = Run::new().with("a", 10.0).with("b", 10.0).with("c", 30.0).rounds(20);
    run.trial("c").samples.retain(|sample| sample.round <= 10);
    let ranking = run.one();
    assert_eq!(ranking.rounds, 20, "{}", ranking.sentence);
    let entry = ranking.entry("c").expect("an entry");
    assert_eq!((entry.standing, entry.rounds, entry.left_after_round), (Standing::Slower, 10, Some(10)));
    assert!(entry.factor_low.is_some_and(|low| low > 2.9), "{entry:?}");
}
#[test]
fn twins_that_differ_in_two_attempts_refuse_the_verdict() {
    let mut run = Run::new().with("a", 12.0).with("b", 10.0).twin("a", 13.0).rounds(20);
    run.record.trials.iter_mut().for_each(|trial| trial.attempt = 1);
    let ranking = run.one();
    assert_eq!(ranking.state, State::Refused);
    assert!(ranking.sentence.starts_with("Refused: a, entered twice, differed from itself (twin, by 8."));
    assert!(has_flag(&ranking, "twin", "in two attempts"));
    assert!(ranking.entries.iter().all(|e| e.standing == Standing::Unjudged && e.factor_low.is_none()));
}

#[test]
fn only_the_last_attempt_counts() {
    let first = Run::new().with("a", 1.0).with("b", 10.0).twin("a", 2.0).rounds(20);
    let mut run = Run::new().with("a", 12.0).with("b", 10.0).twin("a", 12.0).rounds(20);
    run.record.trials.iter_mut().for_each(|trial| trial.attempt = 1);
    run.record.trials.splice(0..0, first.record.trials);
    assert_eq!(run.one().leader.as_deref(), Some("b"));
}

#[test]
fn a_twin_that_differs_by_more_than_is_claimed_is_said() {
    let of = |twin| Run::new().with("a", 10.0).with("b", 12.0).twin("a", twin).rounds(4).one();
    assert!(has_flag(&of(25.0), "twin", "differed from itself by +150 %, more than some answers here"));
    assert!(of(11.0).flags.iter().all(|flag| flag.name != "twin"));
}

#[test]
fn a_twin_that_enters_late_is_compared_since_then() {
    let mut run = Run::new().with("a", 10.0).with("b", 10.3).twin("a", 10.0).rounds(20);
    run.trial("twin").samples.retain(|sample| sample.round > 10);
    let ranking = run.one();
    assert_eq!(ranking.rounds, 20, "the rounds before are whole without it");
    assert!(ranking.twin_difference.is_some_and(|difference| difference < 0.01), "{ranking:?}");
}

#[test]
fn the_limit_is_a_line_of_its_own_and_nothing_is_faster() {
    let mut run = Run::new().with("a", 12.0).with("b", 10.0);
    run.add_kind("memcpy", 5.0, Kind::Ceiling);
    let ranking = run.rounds(20).one();
    let limit = ranking.entries.last().expect("entries");
    assert_eq!((limit.technique.as_str(), limit.standing), ("memcpy", Standing::Ceiling));
    assert!((limit.factor.expect("a factor") - 0.5).abs() < 0.005);
    assert!(!ranking.flags.iter().any(|flag| flag.name == "instant"));

    let mut run = Run::new().with("a", 12.0).with("b", 4.0);
    run.add_kind("memcpy", 5.0, Kind::Ceiling);
    assert!(has_flag(&run.rounds(20).one(), "instant", "b: faster than the ceiling memcpy"));
}

#[test]
fn an_interrupted_round_is_not_used() {
    let mut run = Run::new().with("a", 12.0).with("b", 10.0).rounds(16);
    run.trial("a").samples.pop();
    assert_eq!(run.one().rounds, 13, "the last look before");
}

#[test]
fn a_stretch_too_short_for_the_clock_is_flagged_or_refused() {
    let mut run = Run::new().with("a", 12.0).with("b", 10.0).rounds(20);
    run.record.host.clock_step_ns = Some(20_000);
    assert!(has_flag(&run.one(), "clock", "coarse clock for a and b"));
    run.record.host.clock_step_ns = Some(200_000);
    assert_eq!(run.one().state, State::Refused);
    // Near what the two readings around it cost.
    run.record.host.clock_step_ns = None;
    run.record.host.clock_reading_ns = Some(20_000.0);
    assert!(!has_flag(&run.one(), "clock", "reading the clock costs"));
    run.record.host.clock_reading_ns = Some(55_000.0);
    assert!(has_flag(&run.one(), "clock", "reading the clock costs up to 1.1 % of the timed stretch of b;"));
}

#[test]
fn a_spent_disk_or_limit_of_files_refuses_the_contest() {
    for (kind, said) in [
        (FailureKind::DiskFull, "Refused: the disk was full while a ran."),
        (FailureKind::TooManyFiles, "Refused: the limit of open files was reached while a ran."),
        // What a technique says of itself refuses nothing.
        (FailureKind::Crash, "b wins; a is slower"),
    ] {
        let mut run = Run::new().with("a", 12.0).with("b", 10.0).rounds(20);
        run.trial("a").failures.push(failure(19, kind, "left out: No space left on device (os error 28)"));
        assert!(run.one().sentence.starts_with(said), "{}", run.one().sentence);
    }
}

#[test]
fn memory_is_compared_in_bytes() {
    let mut run = Run::new().with("a", 12.0).with("b", 10.0).rounds(20);
    run.record.design.metric = Metric::MEMORY;
    for (name, bytes) in [("a", 1_000_000), ("b", 2_000_000)] {
        run.samples(name, |sample| sample.usage.peak_memory_bytes = Some(bytes + u64::from(sample.round)));
    }
    let ranking = run.one();
    assert_eq!(ranking.leader.as_deref(), Some("a"));
    assert_eq!(ranking.sentence, "a wins by memory; b is worse by 2.0x (1.9-2.0x).");
    assert_eq!(ranking.entries[0].median.value(), Some(1_000_010.5));
    assert_eq!(ranking.entries[0].bytes_per_s, None);
}

#[test]
fn a_metric_that_was_not_measured_is_said_to_be_missing() {
    let mut run = Run::new().with("a", 12.0).with("b", 10.0).rounds(20);
    run.record.design.metric = Metric::PROCESS;
    assert_eq!(
        run.one().sentence,
        "Refused: all 2 techniques failed. The first was a: the metric 'process' was not measured for it."
    );
}

#[test]
fn the_inner_rounds_of_a_session_give_one_value_a_round() {
    let mut run = Run::new().with("a", 12.0).with("b", 10.0).rounds(20);
    for trial in &mut run.record.trials {
        let samples = std::mem::take(&mut trial.samples).into_iter();
        let each = samples.flat_map(|sample| (0..3).map(move |inner| Sample { inner, ..sample.clone() }));
        trial.samples = each.collect();
    }
    let ranking = run.one();
    assert_eq!((ranking.rounds, ranking.entries[0].rounds), (20, 20));
    assert_eq!(ranking.leader.as_deref(), Some("b"));
}
