//! What is said of a run's record: classes, controls, failures, flags.

use std::collections::BTreeMap;

use judge::{Ranking, Standing, Verdict, rank};
use model::{
    Cache, Class, Design, Durability, Failure, FailureKind, Host, Kind, Metric, Note, Preset, Proof, Record,
    RunId, Sample, Setting, Tool, TrialRecord, Usage, Workload,
};
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

const MS: f64 = 1e6;

/// A record with one cell of a family `copy`, to which techniques are added.
struct Run {
    record: Record,
    bases_ms: Vec<f64>,
}

impl Run {
    fn new() -> Self {
        let record = Record {
            tool: Tool { name: "bakeoff".into(), version: "0.1.0".into(), commit: None },
            id: RunId("r".into()),
            started: "2026-01-01T00:00:00+00:00".into(),
            seed: 1,
            preset: Preset::Quick,
            complete: true,
            command: Vec::new(),
            design: Design {
                metric: Metric::Work,
                alpha: 0.05,
                per_cell: false,
                delta: 0.02,
                looks: vec![10, 15, 20],
                cells: 1,
            },
            host: Host { clock_step_ns: Some(20), ..Host::default() },
            volumes: Vec::new(),
            trials: Vec::new(),
            canaries: Vec::new(),
            notes: Vec::new(),
        };
        Self { record, bases_ms: Vec::new() }
    }

    fn with(mut self, name: &str, base_ms: f64) -> Self {
        self.add(name, base_ms, Kind::BuiltIn);
        self
    }

    fn add(&mut self, name: &str, base_ms: f64, kind: Kind) -> &mut TrialRecord {
        self.bases_ms.push(base_ms);
        self.record.trials.push(TrialRecord {
            family: "copy".into(),
            technique: name.into(),
            aliases: Vec::new(),
            kind,
            twin_of: None,
            class: Class::MovesBytes,
            command: Vec::new(),
            workload: Workload::of_bytes("w", 25_600_000),
            setting: Setting {
                cache: Cache::Warm,
                durability: Durability::Returned,
                directory: "/scratch".into(),
                file_system: None,
                processors: Vec::new(),
                memory_limit_bytes: None,
            },
            attempt: 0,
            samples: Vec::new(),
            failures: Vec::new(),
        });
        self.record.trials.last_mut().expect("just added")
    }

    fn twin(mut self, of: &str, base_ms: f64) -> Self {
        self.add("twin", base_ms, Kind::Twin).twin_of = Some(of.into());
        self
    }

    /// Fills in rounds in which every time jitters by up to 0.5 %.
    fn rounds(mut self, count: u32) -> Self {
        let mut random = ChaCha8Rng::seed_from_u64(2);
        for round in 0..count {
            let mut order: Vec<usize> = (0..self.bases_ms.len()).collect();
            order.shuffle(&mut random);
            for (position, index) in order.into_iter().enumerate() {
                let work_ns = self.bases_ms[index] * MS * random.random_range(0.995..1.005);
                self.record.trials[index].samples.push(sample(round, position as u32, work_ns as u64));
            }
        }
        self
    }

    fn trial(&mut self, name: &str) -> &mut TrialRecord {
        self.record.trials.iter_mut().find(|trial| trial.technique == name).expect("a trial of that name")
    }

    fn one(&self) -> Ranking {
        let mut rankings = rank(&self.record);
        assert_eq!(rankings.len(), 1, "{rankings:?}");
        rankings.remove(0)
    }
}

fn sample(round: u32, position: u32, work_ns: u64) -> Sample {
    Sample {
        round,
        inner: 0,
        position,
        work_ns: Some(work_ns),
        process_ns: None,
        repetitions: 1,
        usage: Usage::default(),
        processor_before: None,
        processor_after: None,
        resident_before: None,
        proof: Proof { bytes: 1, digest: "00".into() },
        phases_ns: BTreeMap::new(),
        notes: Vec::new(),
    }
}

fn failure(round: Option<u32>, kind: FailureKind, reason: &str) -> Failure {
    Failure { round, position: None, kind, reason: reason.into() }
}

fn standing(ranking: &Ranking, technique: &str) -> Standing {
    ranking.places.iter().find(|place| place.technique == technique).expect("a place").place
}

fn has_flag(ranking: &Ranking, name: &str, words: &str) -> bool {
    ranking.flags.iter().any(|flag| flag.name == name && flag.text.contains(words))
}

#[test]
fn a_winner_stands_first_with_its_figures() {
    let ranking = Run::new().with("a", 12.0).with("b", 10.0).twin("a", 12.0).rounds(20).one();
    assert_eq!((ranking.verdict, ranking.winner.as_deref()), (Verdict::Winner, Some("b")));
    assert_eq!(ranking.places.iter().map(|p| p.technique.as_str()).collect::<Vec<_>>(), ["b", "a"]);
    let best = &ranking.places[0];
    assert!((best.median.expect("a median") / (10.0 * MS) - 1.0).abs() < 0.003);
    assert!((best.bytes_per_s.expect("a rate") / 2.56e9 - 1.0).abs() < 0.003);
    assert_eq!((best.ratio, best.rounds), (Some(1.0), 20));
    let other = &ranking.places[1];
    let (low, ratio, high) =
        (other.ratio_low.expect("low"), other.ratio.expect("ratio"), other.ratio_high.expect("high"));
    assert!(low <= 1.2 && 1.2 <= high && (ratio - 1.2).abs() < 0.005, "{low} {ratio} {high}");
    assert!(ranking.measured_floor.expect("a twin ran") < 0.005);
}

#[test]
fn the_chance_of_error_is_shared_by_the_cells_of_the_report() {
    let mut run = Run::new().with("a", 12.0).with("b", 10.0).rounds(20);
    run.record.design.cells = 5;
    assert_eq!(run.one().alpha, 0.01);
    run.record.design.per_cell = true;
    assert_eq!(run.one().alpha, 0.05);
}

#[test]
fn a_technique_that_shares_extents_is_ranked_apart() {
    let mut run = Run::new().with("a", 12.0).with("b", 10.0).with("c", 0.1).with("d", 0.2).rounds(20);
    for sample in &mut run.trial("c").samples {
        sample.notes.push("reflinked".into());
    }
    run.trial("d").class = Class::SharesExtents;
    let rankings = rank(&run.record);
    assert_eq!(
        rankings.iter().map(|r| r.class).collect::<Vec<_>>(),
        [Class::MovesBytes, Class::SharesExtents]
    );
    assert_eq!(rankings[0].winner.as_deref(), Some("b"));
    assert_eq!(rankings[1].winner.as_deref(), Some("c"));
}

#[test]
fn a_wrong_answer_disqualifies_even_the_fastest() {
    let mut run = Run::new().with("a", 12.0).with("b", 10.0).with("c", 1.0).rounds(20);
    run.trial("c").failures.push(failure(Some(3), FailureKind::Wrong, "the copy is 7 bytes short"));
    let ranking = run.one();
    assert_eq!(ranking.winner.as_deref(), Some("b"));
    assert_eq!(standing(&ranking, "c"), Standing::Failed);
    let place = ranking.places.last().expect("places");
    assert_eq!(place.notes[0], "disqualified, wrong answer: the copy is 7 bytes short");
    assert_eq!((ranking.failures[0].technique.as_str(), ranking.failures[0].count), ("c", 1));
}

/// Adds a technique that does not exist here.
fn missing(run: &mut Run, name: &str, class: Class) {
    let trial = run.add(name, 0.0, Kind::BuiltIn);
    trial.class = class;
    trial.failures.push(failure(None, FailureKind::Missing, "no such call here"));
}

#[test]
fn a_technique_that_is_missing_is_told_and_has_no_line() {
    let mut run = Run::new().with("a", 12.0).with("b", 10.0).rounds(20);
    missing(&mut run, "ring", Class::MovesBytes);
    let ranking = run.one();
    assert_eq!((ranking.places.len(), ranking.winner.as_deref()), (2, Some("b")));
    let line = &ranking.failures[0];
    assert_eq!((line.technique.as_str(), line.kind), ("ring", FailureKind::Missing));
}

#[test]
fn a_class_that_is_missing_as_a_whole_is_told_in_the_ranking_of_the_bytes() {
    let mut run = Run::new();
    missing(&mut run, "clone", Class::SharesExtents);
    missing(&mut run, "block_clone", Class::SharesExtents);
    run.bases_ms.clear();
    let clones = std::mem::take(&mut run.record.trials);
    let mut run = run.with("a", 12.0).with("b", 10.0).rounds(20);
    run.record.trials.splice(0..0, clones);
    let ranking = run.one();
    assert_eq!((ranking.class, ranking.winner.as_deref()), (Class::MovesBytes, Some("b")));
    let told: Vec<&str> = ranking.failures.iter().map(|line| line.technique.as_str()).collect();
    assert_eq!((told, ranking.places.len()), (vec!["clone", "block_clone"], 2));
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
    assert_eq!((ranking.places.len(), ranking.failures.len()), (0, 2));
}

#[test]
fn a_technique_that_crashes_now_and_then_is_still_ranked() {
    let mut run = Run::new().with("a", 12.0).with("b", 10.0).rounds(20);
    run.trial("a").samples.retain(|sample| sample.round != 4 && sample.round != 9);
    for round in [4, 9] {
        run.trial("a").failures.push(failure(Some(round), FailureKind::Crash, "signal 11"));
    }
    let ranking = run.one();
    assert_eq!((ranking.rounds, standing(&ranking, "a")), (20, Standing::Slower));
    assert!(
        ranking.places[1].notes.contains(&"failed in 2 rounds".to_owned()),
        "{:?}",
        ranking.places[1].notes
    );
    assert_eq!(ranking.places[1].mean_ratio, None);
}

#[test]
fn a_technique_that_was_given_up_holds_nobody_up() {
    let mut run = Run::new().with("a", 12.0).with("b", 10.0).with("c", 9.0).rounds(20);
    run.trial("c").samples.retain(|sample| sample.round < 10);
    for round in 10..13 {
        run.trial("c").failures.push(failure(Some(round), FailureKind::Hang, "no end within 10 s"));
    }
    let ranking = run.one();
    assert_eq!((ranking.rounds, ranking.winner.as_deref()), (20, Some("b")));
    assert_eq!(standing(&ranking, "c"), Standing::Failed);
}

#[test]
fn a_technique_far_behind_leaves_and_is_slower_all_the_same() {
    let mut run = Run::new().with("a", 10.0).with("b", 10.0).with("c", 30.0).rounds(20);
    run.trial("c").samples.retain(|sample| sample.round < 10);
    let ranking = run.one();
    assert_eq!((ranking.rounds, ranking.verdict), (20, Verdict::Tie), "{}", ranking.sentence);
    let place = ranking.places.iter().find(|place| place.technique == "c").expect("a place");
    assert_eq!((place.place, place.rounds), (Standing::Slower, 10));
    assert_eq!(place.left_after_round, Some(10));
    assert!(place.notes[0].starts_with("left after round 10"), "{:?}", place.notes);
}

#[test]
fn when_everything_failed_the_ranking_says_so() {
    let mut run = Run::new();
    for name in ["a", "b"] {
        run.add(name, 0.0, Kind::BuiltIn).failures.push(failure(
            None,
            FailureKind::Refused,
            "permission denied",
        ));
    }
    let ranking = run.one();
    assert_eq!(ranking.verdict, Verdict::Refused);
    assert_eq!(ranking.sentence, "Refused: all 2 techniques failed. The first was a: permission denied.");
    assert_eq!(ranking.places.len(), 2);
}

#[test]
fn one_technique_alone_has_nothing_to_compare_with() {
    let ranking = Run::new().with("a", 10.0).rounds(20).one();
    assert_eq!(ranking.verdict, Verdict::Refused);
    assert!(ranking.sentence.contains("a is the only technique that took part"), "{}", ranking.sentence);
    assert!(ranking.places[0].median.is_some());
}

#[test]
fn twins_that_differ_in_two_attempts_refuse_the_verdict() {
    let mut run = Run::new().with("a", 12.0).with("b", 10.0).twin("a", 13.0).rounds(20);
    run.record.trials.iter_mut().for_each(|trial| trial.attempt = 1);
    let ranking = run.one();
    assert_eq!(ranking.verdict, Verdict::Refused);
    assert!(ranking.sentence.starts_with("Refused: the instrument tells a from itself (twin, by 8."));
    assert!(has_flag(&ranking, "twin", "in two attempts"));
    assert!(
        ranking.places.iter().all(|place| place.place == Standing::Undecided && place.ratio_low.is_none())
    );
}

#[test]
fn only_the_last_attempt_counts() {
    let first = Run::new().with("a", 1.0).with("b", 10.0).twin("a", 2.0).rounds(20);
    let mut run = Run::new().with("a", 12.0).with("b", 10.0).twin("a", 12.0).rounds(20);
    run.record.trials.iter_mut().for_each(|trial| trial.attempt = 1);
    run.record.trials.splice(0..0, first.record.trials);
    assert_eq!(run.one().winner.as_deref(), Some("b"));
}

#[test]
fn the_margin_is_never_smaller_than_what_the_twin_shows() {
    let mut run = Run::new().with("a", 10.0).with("b", 10.3).twin("a", 10.0).rounds(20);
    // The twin is 5 % off to either side in turn, with two thirds on one: not told apart, but a floor.
    for sample in &mut run.trial("twin").samples {
        let factor = if sample.round % 3 == 0 { 0.95 } else { 1.05 };
        sample.work_ns = sample.work_ns.map(|ns| (ns as f64 * factor) as u64);
    }
    let ranking = run.one();
    assert!(ranking.delta > 0.04, "{}", ranking.delta);
    assert_eq!(ranking.verdict, Verdict::WinnerSmall, "{}", ranking.sentence);
}

#[test]
fn the_limit_is_a_line_of_its_own_and_nobody_is_faster() {
    let mut run = Run::new().with("a", 12.0).with("b", 10.0);
    run.add("memcpy", 5.0, Kind::Ceiling);
    let ranking = run.rounds(20).one();
    let limit = ranking.places.last().expect("places");
    assert_eq!((limit.technique.as_str(), limit.place), ("memcpy", Standing::Limit));
    assert!((limit.ratio.expect("a ratio") - 0.5).abs() < 0.005);
    assert!(!ranking.flags.iter().any(|flag| flag.name == "instant"));

    let mut run = Run::new().with("a", 12.0).with("b", 4.0);
    run.add("memcpy", 5.0, Kind::Ceiling);
    assert!(has_flag(&run.rounds(20).one(), "instant", "b: faster than the limit memcpy"));
}

#[test]
fn an_interrupted_round_is_dropped_whole() {
    let mut run = Run::new().with("a", 12.0).with("b", 10.0).rounds(16);
    run.trial("a").samples.pop();
    assert_eq!(run.one().rounds, 15);
}

#[test]
fn before_the_first_look_nothing_is_claimed() {
    let ranking = Run::new().with("a", 12.0).with("b", 10.0).rounds(7).one();
    assert_eq!(ranking.verdict, Verdict::Inconclusive);
    assert_eq!(ranking.sentence, "Nothing can be said after 7 rounds: the first decision is made after 10.");
    assert!(
        ranking.would_take.as_deref().is_some_and(|text| text.starts_with("Another 3 rounds (~1")),
        "{ranking:?}"
    );
    assert!(
        ranking.places.iter().all(|place| place.place == Standing::Undecided && place.ratio_low.is_none())
    );
}

#[test]
fn a_stretch_too_short_for_the_clock_is_flagged_and_then_refused() {
    let mut run = Run::new().with("a", 12.0).with("b", 10.0).rounds(20);
    run.record.host.clock_step_ns = Some(20_000);
    assert!(has_flag(&run.one(), "clock", "coarse clock for a and b"));
    run.record.host.clock_step_ns = Some(200_000);
    assert_eq!(run.one().verdict, Verdict::Refused);
}

#[test]
fn a_full_disk_refuses_the_cell() {
    let mut run = Run::new().with("a", 12.0).with("b", 10.0).rounds(20);
    run.trial("a").failures.push(failure(
        Some(19),
        FailureKind::Crash,
        "write: No space left on device (os error 28)",
    ));
    assert!(run.one().sentence.starts_with("Refused: the disk was full while a ran."));
}

#[test]
fn memory_is_compared_in_bytes() {
    let mut run = Run::new().with("a", 12.0).with("b", 10.0).rounds(20);
    run.record.design.metric = Metric::Memory;
    for (name, bytes) in [("a", 1_000_000), ("b", 2_000_000)] {
        for sample in &mut run.trial(name).samples {
            sample.usage.peak_memory_bytes = Some(bytes + u64::from(sample.round));
        }
    }
    let ranking = run.one();
    assert_eq!(ranking.winner.as_deref(), Some("a"));
    assert!(ranking.sentence.starts_with("a needs the least memory: at least 100 % ahead of b"));
    assert_eq!(ranking.places[0].median, Some(1_000_009.5));
    assert_eq!(ranking.places[0].bytes_per_s, None);
}

#[test]
fn a_metric_that_was_not_measured_is_said_to_be_missing() {
    let mut run = Run::new().with("a", 12.0).with("b", 10.0).rounds(20);
    run.record.design.metric = Metric::Process;
    assert_eq!(
        run.one().sentence,
        "Refused: all 2 techniques failed. The first was a: the metric 'process' was not measured for it."
    );
}

#[test]
fn nothing_is_said_of_a_run_in_which_memory_ran_short() {
    for topic in ["swap", "out-of-memory"] {
        let mut run = Run::new().with("a", 12.0).with("b", 10.0).rounds(20);
        run.record.notes.push(Note { topic: topic.into(), text: "7 MiB were swapped in".into() });
        let ranking = run.one();
        assert_eq!(ranking.verdict, Verdict::Refused);
        assert!(
            ranking.sentence.starts_with("Refused: 7 MiB were swapped in. Free some memory"),
            "{}",
            ranking.sentence
        );
    }
}

#[test]
fn what_the_host_did_is_told() {
    let mut run = Run::new().with("a", 12.0).with("b", 10.0).rounds(20);
    run.record.notes.push(Note { topic: "steal".into(), text: "3 % of the time was stolen".into() });
    run.record.canaries =
        (0..20).map(|round| (round, 1_000_000 + 10_000 * u64::from(round), 2_000_000)).collect();
    run.record.host.processor.allowed = vec![0, 1];
    for trial in &mut run.record.trials {
        trial.workload.numbers.insert("threads".into(), 8);
        let interrupted = u64::from(trial.technique == "a");
        trial.samples.iter_mut().for_each(|sample| sample.usage.involuntary_switches = Some(interrupted));
    }
    let ranking = run.one();
    assert!(has_flag(&ranking, "steal", "3 %"));
    assert!(has_flag(&ranking, "drift", "the processor's pace changed"));
    assert!(has_flag(&ranking, "oversubscribed", "8 threads share 2 processors"));
    assert!(has_flag(
        &ranking,
        "tagged",
        "a is interrupted more often than b (20 of 20 samples against 0 of 20)"
    ));
}

#[test]
fn the_best_value_of_a_parameter_is_the_middle_of_its_plateau() {
    let mut run = Run::new();
    for (value, base) in
        [("4K", 20.0), ("16K", 10.1), ("64K", 10.0), ("256K", 10.05), ("1M", 10.1), ("16M", 15.0)]
    {
        run.add(&format!("read_write@{value}"), base, Kind::BuiltIn);
    }
    let ranking = run.with("mapped", 11.0).rounds(20).one();
    let best = &ranking.best_parameters[0];
    assert_eq!((best.technique.as_str(), best.value.as_str()), ("read_write", "64K"));
    assert_eq!(best.plateau, ["16K", "64K", "256K", "1M"]);
    assert_eq!(ranking.best_parameters.len(), 1);
}

#[test]
fn the_inner_rounds_of_a_session_give_one_value_a_round() {
    let mut run = Run::new().with("a", 12.0).with("b", 10.0).rounds(20);
    for trial in &mut run.record.trials {
        let samples = std::mem::take(&mut trial.samples);
        for sample in samples {
            for inner in 0..3 {
                trial.samples.push(Sample { inner, ..sample.clone() });
            }
        }
    }
    let ranking = run.one();
    assert_eq!((ranking.rounds, ranking.places[0].rounds), (20, 20));
    assert_eq!(ranking.winner.as_deref(), Some("b"));
}
