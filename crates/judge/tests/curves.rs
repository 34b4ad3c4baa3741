//! What is said over the levels of an axis, where the truth is known.

use judge::{
    Catalogue, CrossoverKind, Curve, Decided, GrowthKind, Observation, Options, PlainWay, State,
    decide_observations,
};
use model::{Along, Mark, Workload};

const ROUNDS: u32 = 20;
const KIB: u64 = 1 << 10;

/// The time of a technique at a size and in a round.
type Time<'a> = &'a dyn Fn(f64, u32) -> f64;

/// The samples of techniques at these sizes, each a hundredth apart from round to round.
fn samples(sizes: &[u64], techniques: &[(&str, Time<'_>)]) -> Vec<Observation> {
    let mut all = Vec::new();
    for &bytes in sizes {
        for round in 0..=ROUNDS {
            for (place, (technique, time)) in techniques.iter().enumerate() {
                let jitter = 1.0 + 1e-3 * f64::from((round * 7 + place as u32 * 3) % 5);
                let mut one = Observation::new(round, *technique, time(bytes as f64, round) * jitter);
                one.family = "copy".into();
                one.workload = Workload::of_bytes(bytes.to_string(), bytes);
                one.position = Some((place as u32 + round) % techniques.len() as u32);
                all.push(one);
            }
        }
    }
    all
}

fn decided(observations: &[Observation]) -> Decided {
    decide_observations(observations, &Options::default(), &Catalogue::new())
}

fn curve(sizes: &[u64], techniques: &[(&str, Time<'_>)]) -> Curve {
    let mut found = decided(&samples(sizes, techniques)).curves;
    assert_eq!(found.len(), 1, "{found:?}");
    found.remove(0)
}

fn doubled(first: u64, count: u32) -> Vec<u64> {
    (0..count).map(|power| first << power).collect()
}

/// As fast as `small` at 32 KiB, slower below and faster above.
fn large(bytes: f64, _round: u32) -> f64 {
    32.0 * 1024.0 + 0.5 * bytes
}

fn small(bytes: f64, _round: u32) -> f64 {
    1.5 * bytes
}

#[test]
fn two_that_cross_are_told_with_where_each_is_fastest_and_where_they_change_places() {
    let found =
        curve(&doubled(4 * KIB, 7), &[("small", &small), ("large", &large), ("slow", &|b, _| 9.0 * b + 1e6)]);
    assert_eq!(
        found.sentence,
        "Use small up to 32 KiB and large from 64 KiB on: nothing is surely faster. small is fastest up to 16 KiB, large \
         from 64 KiB on; between them it changes (95 % confidence)."
    );
    let crossover = &found.crossovers[0];
    assert_eq!(crossover.kind, CrossoverKind::Between);
    assert_eq!((crossover.from, crossover.to), (Some(16 * KIB), Some(64 * KIB)));
    let about = crossover.about.expect("opposite medians");
    assert!((30_000.0..36_000.0).contains(&about), "{about}");
    assert!(crossover.sentence.starts_with("small is ahead up to 16 KiB, large from 64 KiB on (they change"));
}

#[test]
fn one_that_is_fastest_throughout_is_told_so() {
    let found = curve(&doubled(KIB, 4), &[("a", &|b, _| b), ("b", &|b, _| 1.2 * b)]);
    assert_eq!(found.sentence, "a is fastest at every size from 1 KiB to 8 KiB (95 % confidence).");
    assert!(found.crossovers.is_empty());
}

/// What is said of the plain way, where it is one of these.
fn plain_way(sizes: &[u64], techniques: &[(&str, Time<'_>)], reference: &str) -> PlainWay {
    let options = Options { reference: Some(reference.into()), ..Options::default() };
    let decided = decide_observations(&samples(sizes, techniques), &options, &Catalogue::new());
    decided.curves[0].plain_way.clone().expect("it was judged")
}

#[test]
fn how_far_the_plain_way_is_from_the_fastest_is_told_over_the_levels() {
    let slower = plain_way(&doubled(KIB, 4), &[("a", &|b, _| b), ("b", &|b, _| 2.4 * b)], "b");
    assert_eq!(
        slower.sentence,
        "b takes 2.3 to 2.5 times as long as the fastest, depending on the size (95 % confidence at each level)."
    );
    assert!(slower.factor_low > 2.3 && slower.factor_high.is_some_and(|high| high < 2.5), "{slower:?}");
    let crossing = plain_way(&doubled(4 * KIB, 7), &[("small", &small), ("large", &large)], "small");
    assert_eq!(crossing.at, Some(256 * KIB));
    assert_eq!(
        crossing.sentence,
        "small takes 2.3 to 2.5 times as long as the fastest at 256 KiB; small may be fastest at 4 of 7 levels (95 % \
         confidence at each level)."
    );
}

#[test]
fn where_the_plain_way_is_never_surely_slower_its_limit_is_told_or_what_the_others_take() {
    let fastest = plain_way(&doubled(KIB, 4), &[("a", &|b, _| b), ("b", &|b, _| 2.4 * b)], "a");
    assert!(fastest.is_of_others && fastest.factor_low > 2.3, "{fastest:?}");
    assert_eq!(
        fastest.sentence,
        "a is the plain way: every other technique that was compared takes at least 2.3 times as long at every size (95 % \
         confidence at each level)."
    );
    let alike = plain_way(&doubled(KIB, 4), &[("a", &|b, _| b), ("b", &|b, _| b)], "a");
    assert_eq!((alike.at, alike.factor_low), (None, 1.0));
    assert_eq!(
        alike.sentence,
        "a costs at most 1 % more than the best at every size (95 % confidence at each level)."
    );
}

#[test]
fn where_no_end_has_one_fastest_the_ends_are_told_without_a_claim_over_the_levels() {
    let wave =
        |phase: u32| move |b: f64, round: u32| b * if (round + phase).is_multiple_of(2) { 1.04 } else { 1.0 };
    let (a, b) = (wave(0), wave(1));
    let found = curve(&doubled(KIB, 3), &[("a", &a), ("b", &b), ("slow", &|b, _| 3.0 * b)]);
    assert_eq!((found.fastest_up_to.as_ref(), found.fastest_from.as_ref()), (None, None));
    assert!(found.sentence.contains("At 1 KiB b and a may be fastest."), "{}", found.sentence);
    assert!(found.sentence.contains("At 4 KiB b and a may be fastest."), "{}", found.sentence);
    assert!(found.crossovers.is_empty(), "nothing is sure of two that merely lead");
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
    assert_eq!(found.sentence, "p is fastest at every size from 1 KiB to 4 KiB (95 % confidence).");
    let names: Vec<&str> = found.techniques.iter().map(|line| line.technique.as_str()).collect();
    assert_eq!(names, ["p", "other"]);
    assert_eq!(found.techniques[0].points[0].entry, "p@4K");
    assert_eq!(found.techniques[0].points[2].entry, "p@64K");
}

#[test]
fn the_values_of_the_only_technique_keep_their_names() {
    let found = curve(&doubled(KIB, 3), &[("p@4K", &|b, _| b), ("p@64K", &|b, _| 1.5 * b)]);
    assert_eq!(found.sentence, "p@4K is fastest at every size from 1 KiB to 4 KiB (95 % confidence).");
    let names: Vec<&str> = found.techniques.iter().map(|line| line.technique.as_str()).collect();
    assert_eq!(names, ["p@4K", "p@64K"]);
}

#[test]
fn a_technique_of_which_only_one_variant_may_be_fastest_is_called_by_its_name() {
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
        let pairs = vec![("p".to_owned(), "other".to_owned())];
        one.along = Some(Along { axis: "bytes".into(), pairs, ..Along::default() });
    }
    let found = decided(&samples).curves.remove(0);
    assert_eq!(found.sentence, "p_like is fastest at every size from 1 KiB to 4 KiB (95 % confidence).");
    let line = &found.techniques[0];
    assert_eq!((line.technique.as_str(), line.points[0].entry.as_str()), ("p_like", "p_like"));
    assert_eq!(found.crossovers[0].entries, ("p_like".to_owned(), "other".to_owned()));
}

#[test]
fn pairs_that_a_family_asks_for_are_told_whichever_is_fastest() {
    let mut samples =
        samples(&doubled(4 * KIB, 7), &[("small", &small), ("large", &large), ("best", &|b, _| 0.1 * b)]);
    let pairs = vec![("large".to_owned(), "small".to_owned()), ("small".to_owned(), "absent".to_owned())];
    for one in &mut samples {
        one.along = Some(Along { axis: "bytes".into(), pairs: pairs.clone(), ..Along::default() });
    }
    let found = decided(&samples).curves.remove(0);
    assert_eq!(found.sentence, "best is fastest at every size from 4 KiB to 256 KiB (95 % confidence).");
    assert_eq!(found.crossovers.len(), 1, "{:?}", found.crossovers);
    assert_eq!(found.crossovers[0].ahead_below.as_deref(), Some("small"));
    assert_eq!(found.crossovers[0].ahead_above.as_deref(), Some("large"));
}

#[test]
fn techniques_that_the_user_named_are_marked_whichever_is_fastest() {
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
fn how_times_grow_is_told_for_each_technique() {
    let found = curve(
        &doubled(KIB, 7),
        &[
            ("linear", &|b, _| b),
            ("square", &|b, _| b * b),
            ("constant", &|_, _| 1e9),
            ("bent", &|b, _| 8192.0 + b * b / 8192.0),
        ],
    );
    let kind = |name: &str| {
        let line = found.techniques.iter().find(|line| line.technique == name).expect(name);
        line.growth.as_ref().expect("enough rounds").kind
    };
    assert_eq!(kind("linear"), GrowthKind::Linear);
    assert_eq!(kind("square"), GrowthKind::Faster);
    assert_eq!(kind("constant"), GrowthKind::Slower);
    assert_eq!(kind("bent"), GrowthKind::Bent);
}

#[test]
fn one_level_is_told_as_a_place_and_not_as_a_range() {
    let fastest_at = |own: f64| move |n: f64, _: u32| if n == own { 1e6 } else { 2e6 };
    let (one, four, many) =
        (fastest_at(1.0), fastest_at(4.0), |n: f64, _: u32| if n > 4.0 { 1e6 } else { 2e6 });
    let mut samples = samples(&[1, 4, 16], &[("one", &one), ("four", &four), ("many", &many)]);
    for sample in &mut samples {
        sample.workload.point.set("threads", sample.workload.bytes().expect("a level"));
        sample.workload.point.0.remove("bytes");
        sample.along = Some(Along { axis: "threads".into(), ..Along::default() });
    }
    let sentence = decided(&samples).curves.remove(0).sentence;
    assert!(
        sentence.starts_with("Use one at 1 thread, four at 4 and many from 16 on: nothing"),
        "{sentence}"
    );
}

#[test]
fn where_all_levels_do_the_same_work_the_best_of_them_are_a_plateau_and_more_workers_have_a_price() {
    let over = |threads: &[u64], time: Time<'_>| {
        let mut samples = samples(threads, &[("a", time), ("b", &|n, r| 2.0 * time(n, r))]);
        for one in &mut samples {
            one.workload.point.set("threads", one.workload.bytes().expect("a level"));
            one.workload.point.0.remove("bytes");
            one.along = Some(Along { axis: "threads".into(), is_spread: true, ..Along::default() });
            one.setting.conditions.processors = vec![0, 1];
        }
        decided(&samples).curves.remove(0).techniques.remove(0).spread.expect("the same work")
    };
    // Half as long with two, then flat, then a price for each thread.
    let spread = over(&doubled(1, 8), &|n, _| if n < 2.0 { 2e6 } else { 1e6 + 1e4 * (n - 8.0).max(0.0) });
    assert_eq!(spread.best, [2, 4, 8]);
    let overhead = spread.overhead.expect("two processors");
    assert_eq!((overhead.at, overhead.base, overhead.processors), (128, 2, 2));
    assert!((2.19..2.21).contains(&overhead.factor), "{overhead:?}");
    assert!(overhead.factor_low.is_some_and(|low| low > 2.15), "{overhead:?}");
    // What the law says exactly: throughput n / (1 + 0.05 (n - 1) + 0.001 n (n - 1)).
    let law = over(&doubled(4, 7), &|n, _| 1e6 * (1.0 + 0.05 * (n - 1.0) + 0.001 * n * (n - 1.0)) / n).law;
    let law = law.expect("it fits");
    assert!(law.is_oversubscribed);
    assert!((0.04..0.06).contains(&law.contention) && (0.0009..0.0011).contains(&law.coherence), "{law:?}");
    assert!(law.peak.is_some_and(|peak| (28.0..34.0).contains(&peak)), "{law:?}");
}

#[test]
fn where_the_same_work_is_done_in_pieces_the_middle_of_the_best_ones_is_told_with_its_gain_over_the_whole() {
    let of_pieces = |time: Time<'_>| {
        let mut samples = samples(&doubled(KIB, 6), &[("a", time), ("b", &|n, r| 2.0 * time(n, r))]);
        for one in &mut samples {
            one.workload.point.set("piece_bytes", one.workload.bytes().expect("a level"));
            one.workload.point.0.remove("bytes");
            let marks = vec![Mark { at: 20 * KIB, name: "L1".into() }];
            one.along =
                Some(Along { axis: "piece_bytes".into(), is_same_work: true, marks, ..Along::default() });
            one.setting.conditions.processors = vec![0, 1];
        }
        decided(&samples).curves.remove(0)
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
    assert!((2.9..3.1).contains(&gain.factor), "{gain:?}");
    assert!(gain.factor_low.is_some_and(|low| low > 2.8), "{gain:?}");
    // Where the whole is as good as any piece, nothing is gained.
    let flat = of_pieces(&|n, _| if n < 20.0 * KIB as f64 { 2e6 } else { 1e6 });
    let spread = flat.techniques[0].spread.as_ref().expect("the same work");
    assert_eq!((&spread.best[..], &spread.gain), (&[32 * KIB][..], &None));
}

#[test]
fn the_level_to_choose_is_chosen_by_one_half_of_the_rounds_and_confirmed_or_refuted_by_the_other() {
    let of_pieces = |time: Time<'_>| {
        let mut samples = samples(&doubled(KIB, 6), &[("a", time), ("b", &|n, r| 2.0 * time(n, r))]);
        for one in &mut samples {
            one.workload.point.set("piece_bytes", one.workload.bytes().expect("a level"));
            one.workload.point.0.remove("bytes");
            one.along = Some(Along { axis: "piece_bytes".into(), is_same_work: true, ..Along::default() });
        }
        decided(&samples).curves.remove(0).techniques.remove(0).spread.expect("the same work")
    };
    let flat = of_pieces(&|n, _| if n < 20.0 * KIB as f64 { 1e6 } else { 3e6 });
    let confirmed = flat.confirmation.expect("both halves have enough rounds");
    assert_eq!((confirmed.at, Some(confirmed.at)), (4 * KIB, flat.chosen));
    assert_eq!((&confirmed.against[..], confirmed.rounds), (&[2 * KIB, 8 * KIB, 32 * KIB][..], 10));
    assert!(confirmed.is_confirmed && !confirmed.is_refuted, "{confirmed:?}");
    assert!(confirmed.at_most.is_some_and(|most| (1.0..1.05).contains(&most)), "{confirmed:?}");
    // Good in the even rounds alone: what chose it would have confirmed it.
    let lucky = |n: f64, round: u32| match (n / KIB as f64, round % 2) {
        (8.0, 0) => 0.5e6,
        (8.0, _) => 1.5e6,
        _ => 1e6,
    };
    let refuted = of_pieces(&lucky);
    let told = refuted.confirmation.as_ref().expect("it is said");
    assert!(told.at == 8 * KIB && told.is_refuted && !told.is_confirmed, "{refuted:?}");
}

#[test]
fn while_all_levels_may_be_best_one_that_typically_costs_little_is_chosen() {
    let mut samples =
        samples(&doubled(KIB, 8), &[("a", &|n, _| if n < 6.0 * KIB as f64 { 1e6 } else { 3e6 })]);
    // Too few for a claim about so many levels.
    samples.retain(|sample| sample.round <= Some(8));
    for one in &mut samples {
        one.workload.point.set("piece_bytes", one.workload.bytes().expect("a level"));
        one.workload.point.0.remove("bytes");
        one.along = Some(Along { axis: "piece_bytes".into(), is_same_work: true, ..Along::default() });
    }
    let spread = decided(&samples).curves.remove(0).techniques.remove(0).spread.expect("the same work");
    assert_eq!(spread.best, doubled(KIB, 8));
    // The middle of all of them would cost three times as much.
    assert_eq!(spread.chosen, Some(2 * KIB));
}

#[test]
fn a_level_that_is_among_the_best_is_not_told_to_cost_more_and_no_level_grows_where_all_do_the_same_work() {
    let mut same_work = 0;
    // From levels that differ by nothing to such that differ by much, each with as much noise.
    for percent in 0..40 {
        let cost = |n: f64, round: u32| {
            let noise = f64::from((round * 37 + n as u32 / 1024 * 11) % 17) / 17.0 * 0.2;
            1e6 * (1.0 + f64::from(percent) / 100.0 * (n / 4096.0).log2().max(0.0) + noise)
        };
        let mut samples = samples(&doubled(KIB, 5), &[("a", &cost), ("b", &|n, r| 2.0 * cost(n, r))]);
        for one in &mut samples {
            one.workload.point.set("piece_bytes", one.workload.bytes().expect("a level"));
            one.workload.point.0.remove("bytes");
            one.along = Some(Along { axis: "piece_bytes".into(), is_same_work: true, ..Along::default() });
        }
        let curve = decided(&samples).curves.remove(0);
        assert!(curve.techniques.iter().all(|line| line.growth.is_none()), "{curve:?}");
        for spread in curve.techniques.iter().filter_map(|line| line.spread.as_ref()) {
            let is_best = spread.best.contains(&(16 * KIB));
            same_work += u32::from(is_best);
            assert!(spread.gain.is_none() || !is_best, "{spread:?}");
        }
    }
    assert!(0 < same_work && same_work < 80, "both are met: {same_work}");
}

#[test]
fn where_a_part_of_the_techniques_was_entered_at_a_level_a_claim_says_among_how_many_it_holds() {
    let all: [(&str, Time<'_>); 4] = [
        ("a", &|b, _| b),
        ("b", &|b, _| 1.2 * b),
        ("c", &|b, _| if b == 2048.0 { 0.8 * b } else { 1.5 * b }),
        ("d", &|b, _| 1.6 * b),
    ];
    let mut samples = samples(&doubled(KIB, 3), &all);
    let is_entered = |one: &Observation| one.workload.bytes() == Some(2 * KIB) || *one.technique < *"c";
    samples.retain(is_entered);
    let curve = decided(&samples).curves.remove(0);
    assert_eq!(
        curve.sentence,
        "Use a up to 1 KiB, c at 2 KiB and a from 4 KiB on: nothing that was compared there is surely faster. Among 2 of 4 \
         techniques, a is fastest up to 1 KiB and from 4 KiB on; between them others may be as fast (95 % confidence)."
    );
    let compared: Vec<(u32, usize)> =
        curve.levels.iter().map(|level| (level.compared, level.not_compared.len())).collect();
    assert_eq!(compared, [(2, 2), (4, 0), (2, 2)]);
    samples.retain(|one| *one.technique != *"c");
    let curve = decided(&samples).curves.remove(0);
    assert_eq!(
        curve.sentence,
        "Among those compared (2 to 3 of 3 techniques), a is fastest at every size from 1 KiB to 4 KiB (95 % confidence)."
    );
}

#[test]
fn where_the_work_grows_with_the_level_no_level_is_best() {
    let found = curve(&doubled(KIB, 4), &[("a", &|b, _| b), ("b", &|b, _| 1.2 * b)]);
    assert!(found.techniques.iter().all(|line| line.spread.is_none()));
}

#[test]
fn a_level_of_which_nothing_may_be_said_ends_what_is_said_over_the_levels() {
    let mut samples = samples(&doubled(KIB, 4), &[("a", &|b, _| b), ("b", &|b, _| 1.2 * b)]);
    for one in samples.iter_mut().filter(|one| one.workload.bytes() == Some(4 * KIB)) {
        one.interleaved = false;
    }
    let found = decided(&samples);
    assert_eq!(found.rankings.iter().filter(|ranking| ranking.state == State::Refused).count(), 1);
    let curve = &found.curves[0];
    assert_eq!(
        curve.sentence,
        "Use a at every size: nothing is surely faster. a is fastest up to 2 KiB and from 8 KiB on; between them others may be \
         as fast (95 % confidence)."
    );
    assert!(curve.levels[2].fastest.is_empty());
}

#[test]
fn where_the_twin_of_a_level_is_told_from_its_original_no_level_is_judged() {
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
    assert_eq!(found.curves[0].fastest_up_to, None);
}

#[test]
fn contests_that_differ_in_several_numbers_are_no_curve() {
    let mut samples = samples(&doubled(KIB, 2), &[("a", &|b, _| b), ("b", &|b, _| 1.2 * b)]);
    for one in samples.iter_mut().filter(|one| one.workload.bytes() == Some(KIB)) {
        one.workload.point.set("records", 3);
        one.workload.point.set("key_bytes", 9);
    }
    for one in samples.iter_mut().filter(|one| one.workload.bytes() != Some(KIB)) {
        one.workload.point.set("records", 4);
        one.workload.point.set("key_bytes", 8);
    }
    assert!(decided(&samples).curves.is_empty());
}
