//! Random runs, with gaps, failures and entries that leave: everything that is decided agrees.

use judge::{Basis, Choice, Ranking, Standing, State};
use model::{Failure, FailureKind};
use proptest::prelude::*;

use super::one_decision::{Compared, Run, advice, entry, in_one_order};
use super::*;

#[derive(Debug, Clone, Copy, PartialEq)]
enum Part {
    Whole,
    LeavesAfter(u32),
    FailsFrom(u32),
    FailsIn(u32),
    Skipped,
    NotTried,
    NotEntered,
}

const NAMES: [&str; 5] = ["plain", "alpha", "beta@4K", "beta@64K", "gamma"];

#[derive(Debug, Clone)]
struct Drawn {
    metric: Compared,
    rounds: u32,
    jitter: f64,
    seed: u32,
    /// Level by level, entry by entry.
    levels: Vec<Vec<(Part, f64)>>,
}

fn drawn() -> impl Strategy<Value = Drawn> {
    let part = prop_oneof![
        14 => Just(Part::Whole),
        2 => prop::sample::select(vec![8, 10, 13]).prop_map(Part::LeavesAfter),
        1 => (0u32..20).prop_map(Part::FailsFrom),
        1 => (0u32..20).prop_map(Part::FailsIn),
        1 => Just(Part::Skipped),
        1 => Just(Part::NotTried),
        2 => Just(Part::NotEntered),
    ];
    let factor = prop::sample::select(vec![1.0, 1.0, 1.01, 1.015, 1.03, 1.06, 1.2, 1.5, 4.0]);
    let level = prop::collection::vec((part, factor), NAMES.len());
    let metric = prop::sample::select(vec![Compared::Time, Compared::Rate, Compared::Memory]);
    let rounds = prop::sample::select(vec![1, 4, 8, 13, 20, 20, 20]);
    let jitter = prop::sample::select(vec![0.001, 0.02, 0.2]);
    (metric, rounds, jitter, any::<u32>(), prop::collection::vec(level, 2..6))
        .prop_map(|(metric, rounds, jitter, seed, levels)| Drawn { metric, rounds, jitter, seed, levels })
}

/// Returns a number from 0 to 1 that follows from some others.
fn chance(seed: u32, place: u32, round: u32) -> f64 {
    let mixed = (u64::from(seed) << 32 | u64::from(place) << 16 | u64::from(round))
        .wrapping_mul(0x9e37_79b9_7f4a_7c15)
        .rotate_left(29)
        .wrapping_mul(0xbf58_476d_1ce4_e5b9);
    (mixed >> 11) as f64 / (1u64 << 53) as f64
}

impl Drawn {
    fn run(&self) -> Run {
        let mut run = Run::by(self.metric);
        for (nth, level) in self.levels.iter().enumerate() {
            let bytes = KIB << (2 * nth);
            for (place, (part, factor)) in level.iter().enumerate() {
                let key = (nth * NAMES.len() + place) as u32;
                self.add(&mut run, bytes, NAMES[place], *part, |round| {
                    let noise = self.jitter * (2.0 * chance(self.seed, key, round) - 1.0);
                    factor * (1.0 + noise) * (1 + nth) as f64
                });
            }
        }
        run
    }

    fn add(&self, run: &mut Run, bytes: u64, name: &str, part: Part, cost: impl Fn(u32) -> f64) {
        let last = match part {
            Part::LeavesAfter(round) => round.min(self.rounds),
            _ => self.rounds,
        };
        let fails = |round: u32| match part {
            Part::FailsFrom(first) => round >= first,
            Part::FailsIn(one) => round == one,
            _ => false,
        };
        match part {
            Part::NotEntered => {}
            Part::NotTried => {
                run.not_tried(bytes, name);
            }
            Part::Skipped => {
                run.skipped(bytes, name, cost(0));
            }
            _ => {
                run.entry(bytes, name, last, cost);
                let trial = run.record.trials.last_mut().expect("just added");
                trial.samples.retain(|sample| !fails(sample.round));
                for round in (0..=last).filter(|round| fails(*round)) {
                    let failure = Failure::before_the_rounds(FailureKind::Crash, "signal 11");
                    trial.failures.push(Failure { round: Some(round), ..failure });
                }
            }
        }
    }
}

fn rows_and_choice_agree(ranking: &Ranking, curve: &Curve, metric: Compared) {
    let level = curve.levels.iter().find(|level| level.workload == ranking.workload.name).expect("a level");
    assert_eq!(ranking.choice, level.choice);
    let is_judged = matches!(ranking.state, State::Wins | State::Tied | State::Same);
    let mut of_rows: Vec<&str> = ranking
        .entries
        .iter()
        .filter(|row| row.standing.is_candidate())
        .map(|row| row.technique.as_str())
        .collect();
    let mut tied: Vec<&str> = level.tied.iter().map(String::as_str).collect();
    of_rows.sort_unstable();
    tied.sort_unstable();
    assert!(!is_judged || of_rows == tied, "{ranking:?}");
    assert_eq!(is_judged, !tied.is_empty(), "{ranking:?}");
    in_one_order(ranking, metric);
    for point in curve.techniques.iter().flat_map(|line| &line.points).filter(|point| point.at == level.at) {
        let row = entry(ranking, &point.entry);
        assert_eq!((point.median, point.factor), (row.median, row.factor), "{point:?} {row:?}");
    }
    let Some(choice) = &ranking.choice else { return };
    let row = entry(ranking, &choice.entry);
    assert!(choice.is_baseline || row.standing.is_candidate(), "{choice:?} {row:?}");
    let baseline = ranking.entry("plain");
    assert_eq!(choice.is_baseline, choice.entry == "plain");
    if choice.is_baseline {
        return;
    }
    match baseline.map(|row| row.standing) {
        Some(Standing::Slower) => match choice.baseline {
            Some(over) => assert!(over.factor >= 1.0 && over.low.is_none_or(|low| low >= 1.0), "{over:?}"),
            // A baseline that failed in half of its rounds has no factor.
            None => assert_eq!(baseline.and_then(|row| row.factor), None, "{choice:?}"),
        },
        Some(Standing::Wins | Standing::Tied | Standing::Unjudged) => panic!("{choice:?} {baseline:?}"),
        _ => {
            let was_compared = curve.techniques.iter().any(|line| {
                line.technique == "plain" && line.points.iter().any(|point| point.factor_low.is_some())
            });
            let was_slow = ranking.not_tried.iter().any(|line| line.technique == "plain");
            assert!(was_slow || !was_compared, "{choice:?} {curve:?}");
        }
    }
}

/// Checks that a sentence counts as many tied, slower and skipped entries as there are rows.
fn sentence_counts_the_rows(ranking: &Ranking) {
    let rows = |is: &dyn Fn(Standing) -> bool| ranking.entries.iter().filter(|row| is(row.standing)).count();
    let number_before = |what: &str| {
        let words = ranking.sentence.split_once(what)?.0.rsplit(' ').next()?;
        words.parse::<usize>().ok()
    };
    if let Some((_, rest)) = ranking.sentence.split_once("tied with ") {
        let names = rest
            .split(", but how")
            .next()
            .and_then(|rest| rest.split(", and at most").next())
            .unwrap_or_default();
        let (named, more) = match names.split_once(" and ") {
            Some((named, more)) => {
                (named, more.strip_suffix(" more").map_or(1, |more| more.parse().expect("a number")))
            }
            None => (names, 0),
        };
        assert_eq!(named.split(", ").count() + more + 1, rows(&Standing::is_candidate), "{ranking:?}");
    }
    if let Some(slower) = number_before(" others are slower").or(number_before(" others are worse")) {
        assert_eq!(slower, rows(&|standing| standing == Standing::Slower), "{ranking:?}");
    }
    if let Some(skipped) = number_before(" others were skipped") {
        assert_eq!(skipped, ranking.skipped.len(), "{ranking:?}");
    }
}

fn choice_at(curve: &Curve, place: usize) -> Option<&Choice> {
    curve.levels.get(place).and_then(|level| level.choice.as_ref())
}

/// Checks that ranges are the neighbouring levels with one choice.
fn ranges_are_runs_of_one_choice(curve: &Curve) {
    let mut expected: Vec<(u64, u64, &str)> = Vec::new();
    for (place, level) in curve.levels.iter().enumerate() {
        let Some(choice) = &level.choice else { continue };
        let before = place.checked_sub(1).and_then(|before| choice_at(curve, before));
        match expected.last_mut() {
            Some(last) if before.is_some_and(|before| before.entry == choice.entry) => last.1 = level.at,
            _ => expected.push((level.at, level.at, &choice.entry)),
        }
    }
    assert_eq!(ranges(curve), expected);
}

/// Checks that a sentence names only what took part, and only measured levels.
fn names_only_what_exists(sentence: &str, decided: &Decided, levels: &[u64]) {
    let words: Vec<&str> = sentence.split([' ', ',', ';', ':', '.', '(', ')']).collect();
    for name in NAMES.iter().filter(|name| words.contains(name)) {
        let exists = decided.rankings.iter().any(|ranking| {
            let mut skipped = ranking.skipped.iter().chain(&ranking.not_tried).chain(&ranking.failures);
            ranking.entry(name).is_some() || skipped.any(|line| line.technique == *name)
        });
        assert!(exists, "{name}: {sentence}");
    }
    for pair in words.windows(2).filter(|pair| pair[1] == "KiB") {
        let bytes = pair[0].parse::<u64>().expect("a size") * KIB;
        assert!(levels.contains(&bytes), "{bytes}: {sentence}");
    }
    assert!(sentence.ends_with('.') && !sentence.contains("..") && !sentence.contains("  "), "{sentence}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn ranking_curve_and_advice_agree(drawn in drawn()) {
        let run = drawn.run();
        let decided = run.decided();
        let metric = drawn.metric;
        for curve in &decided.curves {
            let levels: Vec<u64> = curve.levels.iter().map(|level| level.at).collect();
            for ranking in decided.rankings.iter().filter(|ranking| curve.holds(ranking)) {
                rows_and_choice_agree(ranking, curve, metric);
                sentence_counts_the_rows(ranking);
                names_only_what_exists(&ranking.sentence, &decided, &levels);
                if let Some(text) = &ranking.advice {
                    names_only_what_exists(text, &decided, &levels);
                }
            }
            ranges_are_runs_of_one_choice(curve);
            names_only_what_exists(&curve.sentence, &decided, &levels);
            let is_judged = decided.rankings.iter().any(|one| matches!(one.state, State::Wins | State::Tied | State::Same));
            let Some(all) = advice(&decided, None) else {
                prop_assert!(!is_judged, "{:?}", curve);
                continue;
            };
            let advised: Vec<_> = all.ranges.iter().map(|one| one.range.clone()).collect();
            prop_assert_eq!(&advised, &curve.ranges);
            names_only_what_exists(&all.sentence, &decided, &levels);
            // A level at which everything was skipped was not measured.
            let measured = levels.iter().copied().enumerate().filter(|(_, at)| {
                let of_curve = decided.rankings.iter().filter(|ranking| curve.holds(ranking));
                let mut here = of_curve.filter(|ranking| ranking.workload.number("bytes") == Some(*at));
                here.any(|ranking| !ranking.entries.is_empty())
            });
            let measured: Vec<(usize, u64)> = measured.collect();
            for (nth, &(place, at)) in measured.iter().enumerate() {
                let here = advice(&decided, Some(at)).expect("something is known");
                prop_assert_eq!(here.basis, Basis::Measured);
                prop_assert_eq!(here.choice.as_ref(), choice_at(curve, place));
                let Some(&(above, next)) = measured.get(nth + 1) else { continue };
                let between = advice(&decided, Some(at + KIB)).expect("something is known");
                prop_assert_eq!(between.basis, Basis::Between { below: at, above: next });
                let names = [place, above].map(|place| choice_at(curve, place).map(|one| &one.entry));
                let shared = names[0].filter(|_| names[0] == names[1]);
                prop_assert_eq!(between.choice.as_ref().map(|one| &one.entry), shared);
            }
        }
    }
}
