//! What is said over the levels of an axis, where the truth is known.

use judge::{Options, Spread, State, decide_observations};
use model::{Along, Mark};

use super::*;

/// Makes the sizes the levels of another axis.
fn along(mut samples: Vec<Observation>, along: &Along) -> Vec<Observation> {
    for one in &mut samples {
        one.workload.point.set(&along.axis, one.workload.bytes().expect("a level"));
        one.workload.point.0.remove("bytes");
        one.along = Some(along.clone());
        one.setting.conditions.processors = vec![0, 1];
    }
    samples
}

fn in_pieces() -> Along {
    Along { axis: "piece_bytes".into(), is_same_work: true, ..Along::default() }
}

fn decided(observations: &[Observation]) -> Decided {
    decide_observations(observations, &Options::default())
}

fn spread(observations: &[Observation]) -> Spread {
    decided(observations).curves[0].techniques[0].spread.clone().expect("the same work")
}

fn curve(sizes: &[u64], techniques: &[(&str, Time<'_>)]) -> Curve {
    let mut found = decided(&samples(sizes, techniques)).curves;
    assert_eq!(found.len(), 1, "{found:?}");
    found.remove(0)
}

/// As fast as `small` at 32 KiB, slower below and faster above.
fn large(bytes: f64, _round: u32) -> f64 {
    32.0 * 1024.0 + 0.5 * bytes
}

fn small(bytes: f64, _round: u32) -> f64 {
    1.5 * bytes
}

#[test]
fn two_that_cross_have_a_range_each() {
    let found =
        curve(&doubled(4 * KIB, 7), &[("small", &small), ("large", &large), ("slow", &|b, _| 9.0 * b + 1e6)]);
    assert_eq!(ranges(&found), [(4 * KIB, 32 * KIB, "small"), (64 * KIB, 256 * KIB, "large")]);
    assert_eq!(found.sentence, "Use small from 4 to 32 KiB; large from 64 to 256 KiB.");
    assert_eq!(found.levels[3].tied.len(), 2, "they are equal at 32 KiB: {:?}", found.levels[3]);
    assert_eq!(found.levels[2].tied, ["small"]);
}

#[test]
fn one_that_wins_throughout_has_one_range() {
    let found = curve(&doubled(KIB, 4), &[("a", &|b, _| b), ("b", &|b, _| 1.2 * b)]);
    assert_eq!(found.sentence, "Use a at every size.");
    assert_eq!(ranges(&found), [(KIB, 8 * KIB, "a")]);
    assert!(found.levels.iter().all(|level| level.tied == ["a"]), "{:?}", found.levels);
    assert!(found.techniques.iter().all(|line| line.spread.is_none()), "the work grows with the level");
}

/// Returns the curve of these with one of them as the baseline.
fn with_baseline(sizes: &[u64], techniques: &[(&str, Time<'_>)], baseline: &str) -> Curve {
    let options = Options { baseline: Some(baseline.into()), ..Options::default() };
    decide_observations(&samples(sizes, techniques), &options).curves.remove(0)
}

#[test]
fn what_the_baseline_costs_is_said_of_each_range() {
    let slower = with_baseline(&doubled(KIB, 4), &[("a", &|b, _| b), ("b", &|b, _| 2.4 * b)], "b");
    assert_eq!(slower.sentence, "Use a at every size (b is slower by 2.4x, 2.3-2.5x, or more).");
    let ratio = slower.ranges[0].choice.baseline.expect("it is slower");
    assert!(ratio.low.is_some_and(|low| low > 2.3) && ratio.high.is_some_and(|high| high < 2.5), "{ratio:?}");
    let crossing = with_baseline(&doubled(4 * KIB, 7), &[("small", &small), ("large", &large)], "small");
    assert_eq!(ranges(&crossing), [(4 * KIB, 32 * KIB, "small"), (64 * KIB, 256 * KIB, "large")]);
    assert!(crossing.ranges[0].choice.is_baseline && crossing.ranges[0].choice.baseline.is_none());
    // The least favourable of its levels.
    let ratio = crossing.ranges[1].choice.baseline.expect("it is slower");
    assert!((1.4..1.6).contains(&ratio.factor) && ratio.low.is_some_and(|low| low > 1.4), "{ratio:?}");
}

#[test]
fn a_baseline_that_is_tied_is_the_choice() {
    let fastest = with_baseline(&doubled(KIB, 4), &[("a", &|b, _| b), ("b", &|b, _| 2.4 * b)], "a");
    assert_eq!(fastest.sentence, "Use a at every size (the baseline).");
    let alike = with_baseline(&doubled(KIB, 4), &[("a", &|b, _| b), ("b", &|b, _| b)], "a");
    assert_eq!(ranges(&alike), [(KIB, 8 * KIB, "a")]);
    let choice = &alike.ranges[0].choice;
    assert!(choice.at_most_slower.is_some_and(|cost| cost < 0.02), "{choice:?}");
}

#[test]
fn two_that_are_tied_at_every_level_have_one_choice() {
    let wave =
        |phase: u32| move |b: f64, round: u32| b * if (round + phase).is_multiple_of(2) { 1.04 } else { 1.0 };
    let (a, b) = (wave(0), wave(1));
    let found = curve(&doubled(KIB, 3), &[("a", &a), ("b", &b), ("slow", &|b, _| 3.0 * b)]);
    assert!(found.levels.iter().all(|level| level.tied.len() == 2), "{:?}", found.levels);
    assert_eq!(ranges(&found).len(), 1, "{}", found.sentence);
}

#[test]
fn the_values_and_variants_of_a_technique_are_one() {
    let mut samples = samples(
        &doubled(KIB, 3),
        &[
            ("p@4K", &|b, _| if b < 2000.0 { b } else { 1.3 * b }),
            ("p@64K", &|b, _| if b < 2000.0 { 1.3 * b } else { b }),
            ("other", &|b, _| 1.5 * b),
            ("p_like", &|b, _| 1.6 * b),
        ],
    );
    for one in samples.iter_mut().filter(|one| one.technique == "p_like") {
        one.variant_of = Some("p".into());
    }
    let found = decided(&samples).curves.remove(0);
    assert_eq!(ranges(&found), [(KIB, KIB, "p@4K"), (2 * KIB, 4 * KIB, "p@64K")]);
    let names: Vec<&str> = found.techniques.iter().map(|line| line.technique.as_str()).collect();
    assert_eq!(names, ["p", "other"]);
    assert_eq!(found.techniques[0].points[0].entry, "p@4K");
    assert_eq!(found.techniques[0].points[2].entry, "p@64K");
    // The values of the only technique keep their names.
    let found = curve(&doubled(KIB, 3), &[("p@4K", &|b, _| b), ("p@64K", &|b, _| 1.5 * b)]);
    assert_eq!(found.sentence, "Use p@4K at every size.");
    let names: Vec<&str> = found.techniques.iter().map(|line| line.technique.as_str()).collect();
    assert_eq!(names, ["p@4K", "p@64K"]);
}

#[test]
fn the_only_variant_that_may_be_fastest_gives_its_name() {
    let mut samples = samples(
        &doubled(KIB, 3),
        &[
            ("p@4K", &|b, _| 2.0 * b),
            ("p@64K", &|b, _| 1.9 * b),
            ("p", &|b, _| 1.9 * b),
            ("p_like", &|b, _| b),
            ("other", &|b, _| 1.5 * b),
        ],
    );
    for one in &mut samples {
        one.variant_of = (one.technique == "p_like").then(|| "p".to_owned());
    }
    let found = decided(&samples).curves.remove(0);
    assert_eq!(found.sentence, "Use p_like at every size.");
    let line = &found.techniques[0];
    assert_eq!((line.technique.as_str(), line.points[0].entry.as_str()), ("p_like", "p_like"));
}

#[test]
fn techniques_that_the_user_named_are_marked() {
    let mut samples =
        samples(&doubled(KIB, 3), &[("p@4K", &|b, _| b), ("q@4K", &|b, _| 2.0 * b), ("r", &|b, _| 3.0 * b)]);
    let named = vec!["q@4K".to_owned(), "absent".to_owned()];
    for one in &mut samples {
        one.along = Some(Along { axis: "bytes".into(), named: named.clone(), ..Along::default() });
    }
    let found = decided(&samples).curves.remove(0);
    let marked: Vec<(&str, bool)> =
        found.techniques.iter().map(|line| (line.technique.as_str(), line.is_named)).collect();
    assert_eq!(marked, [("p", false), ("q", true), ("r", false)]);
}

#[test]
fn one_level_is_a_place_and_not_a_range() {
    let fastest_at = |own: f64| move |n: f64, _: u32| if n == own { 1e6 } else { 2e6 };
    let (one, four, many) =
        (fastest_at(1.0), fastest_at(4.0), |n: f64, _: u32| if n > 4.0 { 1e6 } else { 2e6 });
    let samples = samples(&[1, 4, 16], &[("one", &one), ("four", &four), ("many", &many)]);
    let samples = along(samples, &Along { axis: "threads".into(), ..Along::default() });
    let sentence = decided(&samples).curves.remove(0).sentence;
    assert_eq!(sentence, "Use one at 1 thread; four at 4 threads; many at 16 threads.");
}

#[test]
fn the_best_levels_of_the_same_work_are_a_plateau() {
    let over = |threads: &[u64], time: Time<'_>| {
        let samples = samples(threads, &[("a", time), ("b", &|n, r| 2.0 * time(n, r))]);
        let threads = Along { axis: "threads".into(), is_spread: true, ..Along::default() };
        spread(&along(samples, &threads))
    };
    // Half as long with two, then flat, then a price for each thread.
    let spread = over(&doubled(1, 8), &|n, _| if n < 2.0 { 2e6 } else { 1e6 + 1e4 * (n - 8.0).max(0.0) });
    assert_eq!(spread.best, [2, 4, 8]);
    let overhead = spread.overhead.expect("two processors");
    assert_eq!((overhead.at, overhead.base, overhead.processors), (128, 2, 2));
    assert!((2.19..2.21).contains(&overhead.ratio.factor), "{overhead:?}");
    assert!(overhead.ratio.low.is_some_and(|low| low > 2.15), "{overhead:?}");
    // What the law says exactly: throughput n / (1 + 0.05 (n - 1) + 0.001 n (n - 1)).
    let law = over(&doubled(4, 7), &|n, _| 1e6 * (1.0 + 0.05 * (n - 1.0) + 0.001 * n * (n - 1.0)) / n).law;
    let law = law.expect("it fits");
    assert!(law.is_oversubscribed);
    assert!((0.04..0.06).contains(&law.contention) && (0.0009..0.0011).contains(&law.coherence), "{law:?}");
    assert!(law.peak.is_some_and(|peak| (28.0..34.0).contains(&peak)), "{law:?}");
}

#[test]
fn the_middle_of_the_best_pieces_is_chosen_with_its_gain() {
    let of_pieces = |time: Time<'_>| {
        let samples = samples(&doubled(KIB, 6), &[("a", time), ("b", &|n, r| 2.0 * time(n, r))]);
        let marks = vec![Mark { at: 20 * KIB, name: "L1".into() }];
        decided(&along(samples, &Along { marks, ..in_pieces() })).curves.remove(0)
    };
    // Calls cost a little in the smallest pieces, and what the cache does not hold takes three times as long.
    let curve = of_pieces(&|n, _| match n / KIB as f64 {
        small if small < 2.0 => 1.2e6,
        held if held < 20.0 => 1e6,
        _ => 3e6,
    });
    assert_eq!(curve.marks, [Mark { at: 20 * KIB, name: "L1".into() }]);
    let spread = curve.techniques[0].spread.as_ref().expect("the same work");
    assert_eq!(spread.best, [2 * KIB, 4 * KIB, 8 * KIB, 16 * KIB]);
    assert_eq!((&spread.overhead, &spread.law), (&None, &None), "pieces are no workers");
    let gain = spread.gain.as_ref().expect("more rounds than it takes");
    assert_eq!((gain.at, gain.over), (4 * KIB, 32 * KIB));
    assert!((2.9..3.1).contains(&gain.ratio.factor), "{gain:?}");
    assert!(gain.ratio.low.is_some_and(|low| low > 2.8), "{gain:?}");
    // What mostly takes twice as long is none of the best, where it is not shown to either.
    let open = of_pieces(&|n, round| match n / KIB as f64 {
        small if small < 2.0 => 1.5e6,
        large if large > 20.0 && round % 5 < 3 => 2e6,
        large if large > 20.0 => 0.9e6,
        _ => 1e6,
    });
    let spread = open.techniques[0].spread.as_ref().expect("the same work");
    assert_eq!(spread.best, [2 * KIB, 4 * KIB, 8 * KIB, 16 * KIB]);
    // Where the whole is as good as any piece, nothing is gained.
    let flat = of_pieces(&|n, _| if n < 20.0 * KIB as f64 { 2e6 } else { 1e6 });
    let spread = flat.techniques[0].spread.as_ref().expect("the same work");
    assert_eq!((&spread.best[..], &spread.gain), (&[32 * KIB][..], &None));
}

#[test]
fn where_no_level_is_shown_to_be_worse_none_is_chosen() {
    let mut samples =
        samples(&doubled(KIB, 8), &[("a", &|n, _| if n < 6.0 * KIB as f64 { 1e6 } else { 3e6 })]);
    // Too few for a claim about this many levels.
    samples.retain(|sample| sample.round <= Some(8));
    let spread = spread(&along(samples, &in_pieces()));
    assert_eq!((spread.best, spread.chosen, spread.gain), (Vec::new(), None, None));
}

#[test]
fn a_level_among_the_best_does_not_cost_more() {
    let mut same_work = 0;
    // From levels that differ by nothing to such that differ by much, each with as much noise.
    for percent in 0..40 {
        let cost = |n: f64, round: u32| {
            let noise = f64::from((round * 37 + n as u32 / 1024 * 11) % 17) / 17.0 * 0.2;
            1e6 * (1.0 + f64::from(percent) / 100.0 * (n / 4096.0).log2().max(0.0) + noise)
        };
        let samples = samples(&doubled(KIB, 5), &[("a", &cost), ("b", &|n, r| 2.0 * cost(n, r))]);
        let curve = decided(&along(samples, &in_pieces())).curves.remove(0);
        for spread in curve.techniques.iter().filter_map(|line| line.spread.as_ref()) {
            let is_best = spread.best.is_empty() || spread.best.contains(&(16 * KIB));
            same_work += u32::from(is_best);
            assert!(spread.gain.is_none() || !is_best, "{spread:?}");
        }
    }
    assert!(0 < same_work && same_work < 80, "both are met: {same_work}");
}

#[test]
fn a_rival_that_was_not_measured_at_a_level_is_named() {
    let all: [(&str, Time<'_>); 4] = [
        ("a", &|b, _| b),
        ("b", &|b, _| 1.2 * b),
        ("c", &|b, _| if b == 2048.0 { 0.8 * b } else { 1.5 * b }),
        ("d", &|b, _| 1.6 * b),
    ];
    let mut samples = samples(&doubled(KIB, 3), &all);
    samples.retain(|one| one.workload.bytes() == Some(2 * KIB) || *one.technique < *"c");
    let curve = decided(&samples).curves.remove(0);
    assert_eq!(
        curve.sentence,
        "Use a at 1 KiB; c at 2 KiB; a at 4 KiB. Not measured: c at 1 KiB and 4 KiB (ahead elsewhere)."
    );
    let compared: Vec<(u32, usize)> =
        curve.levels.iter().map(|level| (level.compared, level.not_compared.len())).collect();
    assert_eq!(compared, [(2, 2), (4, 0), (2, 2)]);
    samples.retain(|one| *one.technique != *"c");
    let curve = decided(&samples).curves.remove(0);
    assert_eq!(curve.sentence, "Use a at every size.", "what is slower where it was measured is no rival");
}

#[test]
fn rivals_are_named_with_the_levels_that_they_lack() {
    let all: [(&str, Time<'_>); 6] = [
        ("a", &|b, _| b),
        ("b", &|b, _| 0.8 * b),
        ("c", &|b, _| 0.8 * b),
        ("d", &|b, _| 0.8 * b),
        ("e", &|b, _| 0.8 * b),
        ("slow", &|b, _| 1.5 * b),
    ];
    for (count, expected) in [
        (
            3,
            "Use a at 1 KiB; b at 2 KiB; c at 4 KiB. Not measured: b at 1 KiB and 4 KiB; c at 1 KiB and 2 KiB (ahead elsewhere).",
        ),
        (
            5,
            "Use a at 1 KiB; b at 2 KiB; c at 4 KiB; d at 8 KiB; e at 16 KiB. Not measured at every level: b, c, d and e \
             (ahead elsewhere).",
        ),
    ] {
        let sizes = doubled(KIB, count);
        let mut samples = samples(&sizes, &all);
        // The others are measured at their own level alone, and lead there.
        samples.retain(|one| {
            let own = all.iter().zip(&sizes).find(|((name, _), _)| *one.technique == **name);
            ["a", "slow"].contains(&&*one.technique) || one.workload.bytes() == own.map(|(_, bytes)| *bytes)
        });
        assert_eq!(decided(&samples).curves[0].sentence, expected);
    }
}

#[test]
fn a_level_that_is_refused_parts_a_range() {
    let mut samples = samples(&doubled(KIB, 4), &[("a", &|b, _| b), ("b", &|b, _| 1.2 * b)]);
    for one in samples.iter_mut().filter(|one| one.workload.bytes() == Some(4 * KIB)) {
        one.interleaved = false;
    }
    let found = decided(&samples);
    assert_eq!(found.rankings.iter().filter(|ranking| ranking.state == State::Refused).count(), 1);
    let curve = &found.curves[0];
    assert_eq!(curve.sentence, "Use a at 1 KiB and 2 KiB; a at 8 KiB. No answer at 4 KiB.");
    assert_eq!(ranges(curve), [(KIB, 2 * KIB, "a"), (8 * KIB, 8 * KIB, "a")]);
    assert!(curve.levels[2].tied.is_empty() && curve.levels[2].choice.is_none());
}

#[test]
fn a_twin_that_differs_refuses_every_level() {
    let mut samples = samples(
        &doubled(KIB, 3),
        &[
            ("a", &|b, _| b),
            ("b", &|b, _| 1.2 * b),
            ("a (twin)", &|b, _| if b < 1500.0 { 1.5 * b } else { b }),
        ],
    );
    samples.retain(|one| one.technique != "a (twin)" || one.workload.bytes() == Some(KIB));
    for one in samples.iter_mut().filter(|one| one.technique == "a (twin)") {
        one.kind = model::Kind::Twin;
        one.twin_of = Some("a".into());
    }
    let found = decided(&samples);
    assert!(found.rankings.iter().all(|ranking| ranking.state == State::Refused), "{:?}", found.rankings);
    let others =
        found.rankings.iter().filter(|ranking| ranking.sentence.contains("another level of this curve"));
    assert_eq!(others.count(), 2);
    assert_eq!(ranges(&found.curves[0]), []);
}

#[test]
fn contests_that_differ_in_several_numbers_are_no_curve() {
    let mut samples = samples(&doubled(KIB, 2), &[("a", &|b, _| b), ("b", &|b, _| 1.2 * b)]);
    for one in &mut samples {
        let (records, key_bytes) = if one.workload.bytes() == Some(KIB) { (3, 9) } else { (4, 8) };
        one.workload.point.set("records", records);
        one.workload.point.set("key_bytes", key_bytes);
    }
    assert!(decided(&samples).curves.is_empty());
}
