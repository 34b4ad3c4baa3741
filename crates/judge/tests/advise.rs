//! What is advised from measurements of which the truth is known: at measured levels, between them, and beyond.

use judge::{
    Advice, Asked, Basis, Catalogue, Certainty, Decided, KeptAnswers, Observation, Options, Question, advise,
    decide_observations,
};
use model::{Along, Cache, Conditions, Durability, Point, Quantity, RunId, Setting, Workload};

const ROUNDS: u32 = 20;
const KIB: u64 = 1 << 10;

/// The time of a technique at a level.
type Time<'a> = &'a dyn Fn(f64) -> f64;

fn conditions() -> Conditions {
    Conditions {
        cache: Some(Cache::Warm),
        durability: Some(Durability::Returned),
        file_system: Some("ext4".into()),
        ..Conditions::default()
    }
}

/// A run of techniques at some sizes, with jitter of a thousandth.
fn measured(sizes: &[u64], techniques: &[(&str, Time<'_>)]) -> Decided {
    measured_in(ROUNDS, sizes, techniques)
}

fn measured_in(rounds: u32, sizes: &[u64], techniques: &[(&str, Time<'_>)]) -> Decided {
    let mut all = Vec::new();
    for &bytes in sizes {
        for round in 0..=rounds {
            for (place, (technique, time)) in techniques.iter().enumerate() {
                let jitter = 1.0 + 1e-3 * f64::from((round * 7 + place as u32 * 3) % 5);
                let mut one = Observation::new(round, *technique, time(bytes as f64) * jitter);
                one.family = "copy".into();
                one.workload = Workload::of_bytes(format!("{bytes}B"), bytes);
                one.setting = Setting { conditions: conditions(), ..Setting::default() };
                one.position = Some((place as u32 + round) % techniques.len() as u32);
                one.along = (sizes.len() > 1).then(|| Along { axis: "bytes".into(), ..Along::default() });
                all.push(one);
            }
        }
    }
    let options = Options { reference: Some("plain".into()), ..Options::default() };
    decide_observations(&all, &options, &Catalogue::new())
}

/// What is advised from these runs, the latest first; of all sizes where none is named.
fn asked_of(
    runs: &[Decided],
    bytes: Option<u64>,
    conditions: &Conditions,
    among: &[String],
) -> Option<Advice> {
    let ids: Vec<RunId> = (0..runs.len()).map(|nth| RunId(format!("run-{}", 9 - nth))).collect();
    let kept: Vec<KeptAnswers<'_>> = runs
        .iter()
        .zip(&ids)
        .map(|(decided, id)| KeptAnswers { id, started: "2026-01-01T00:00:00Z", decided })
        .collect();
    let quantity = runs[0].rankings[0].quantity.key.to_string();
    let values = |entry: &str| match entry.split_once("@64K") {
        Some(_) => Point::default().with("buffer_bytes", 64 * KIB),
        None => Point::default(),
    };
    let question = Question { family: "copy", conditions, quantity: &quantity, among, values: &values };
    let workload = Workload::of_bytes("asked", bytes.unwrap_or(1));
    advise(&question, &[Asked { workload, axis: Some("bytes".into()), is_level: bytes.is_some() }], &kept)
}

fn advised(runs: &[Decided], bytes: u64) -> Advice {
    asked_of(runs, Some(bytes), &conditions(), &[]).expect("it was measured")
}

fn doubled(first: u64, count: u32) -> Vec<u64> {
    (0..count).map(|power| first << power).collect()
}

/// `small` and `large` are equal at 32 KiB; `plain` always takes half as long again as `small`.
fn crossing(sizes: &[u64]) -> Decided {
    measured(
        sizes,
        &[
            ("small", &|bytes| 1.5 * bytes),
            ("large@64K", &|bytes| 32.0 * 1024.0 + 0.5 * bytes),
            ("plain", &|bytes| 2.25 * bytes),
        ],
    )
}

#[test]
fn at_a_measured_size_the_leader_is_advised_with_what_it_gains() {
    let advice = advised(&[crossing(&doubled(4 * KIB, 7))], 8 * KIB);
    let choice = advice.choice.as_ref().expect("a size was named");
    assert_eq!((choice.entry.as_str(), &advice.basis), ("small", &Basis::Measured));
    let over = choice.over_plain.as_ref().expect("the plain way took part");
    assert!((1.49..1.51).contains(&over.factor), "{over:?}");
    assert!(over.factor_low.is_some_and(|low| low > 1.45 && low <= over.factor), "{over:?}");
    assert!(over.factor_high.is_some_and(|high| high < 1.55 && high >= over.factor), "{over:?}");
    assert_eq!((choice.at_most_slower, choice.certainty), (Some(0.0), Certainty::Sure));
    let sentence =
        "Use small: plain, the plain way, takes 1.4 to 1.6 times as long, and it costs at most 1 % more";
    assert!(advice.sentence.starts_with(sentence), "{}", advice.sentence);
    assert_eq!(advice.origins[0].levels, [8 * KIB]);
}

#[test]
fn the_crossover_is_told_with_the_levels_that_hold_it() {
    let advice = advised(&[crossing(&doubled(4 * KIB, 7))], 8 * KIB);
    let above = advice.choice.expect("a choice").above.expect("measured levels lie above");
    assert!((16 * KIB..=32 * KIB).contains(&above.last), "{above:?}");
    assert!((32 * KIB..=64 * KIB).contains(&above.beyond.expect("large is faster")), "{above:?}");
    assert_eq!(above.instead.as_deref(), Some("large@64K"));
    let told = advice.remarks.join(" ");
    assert!(told.contains("large@64K is better"), "{told}");
}

#[test]
fn between_two_measured_sizes_the_cheaper_one_by_interpolation_is_advised_and_that_is_said() {
    // Without 32 KiB the crossover lies between 16 and 64 KiB.
    let run = [crossing(&[4 * KIB, 8 * KIB, 16 * KIB, 64 * KIB, 128 * KIB])];
    for (bytes, entry) in [(20 * KIB, "small"), (50 * KIB, "large@64K"), (100 * KIB, "large@64K")] {
        let advice = advised(&run, bytes);
        assert_eq!(advice.choice.as_ref().map(|choice| choice.entry.as_str()), Some(entry), "{bytes}");
        assert!(matches!(advice.basis, Basis::Interpolated { .. }), "{:?}", advice.basis);
        assert!(advice.remarks[0].contains("interpolated between"), "{:?}", advice.remarks);
    }
    let close = advised(&run, 20 * KIB).choice.expect("a choice");
    let about = close.above.and_then(|above| above.about).expect("they are equal somewhere");
    assert!((28.0 * 1024.0..37.0 * 1024.0).contains(&about), "{about}");
    let values = advised(&run, 50 * KIB).choice.expect("a choice").values;
    assert_eq!(values.number("buffer_bytes"), Some(64 * KIB));
}

#[test]
fn between_levels_the_interval_is_that_of_both_neighbours() {
    let advice = advised(&[crossing(&[4 * KIB, 64 * KIB])], 6 * KIB);
    let choice = advice.choice.expect("a choice");
    assert_eq!(choice.entry, "small");
    // At 64 KiB small is slower than large, so choosing it has that limit.
    assert!(choice.at_most_slower.is_some_and(|cost| cost > 0.4), "{choice:?}");
    assert_eq!(choice.certainty, Certainty::Limited);
}

#[test]
fn a_size_that_was_left_out_gets_the_technique_that_is_fastest_there() {
    let all = doubled(4 * KIB, 8);
    let truth = |bytes: u64| if bytes < 32 * KIB { "small" } else { "large@64K" };
    for &left_out in &all[1..all.len() - 1] {
        let rest: Vec<u64> = all.iter().copied().filter(|&bytes| bytes != left_out).collect();
        let advice = advised(&[crossing(&rest)], left_out);
        let entry = advice.choice.expect("a choice").entry;
        assert!(entry == truth(left_out) || left_out == 32 * KIB, "{left_out}: {entry}");
    }
}

#[test]
fn outside_of_what_was_measured_the_nearest_level_answers_and_nothing_is_extrapolated() {
    let run = [crossing(&doubled(4 * KIB, 5))];
    for (bytes, nearest) in [(KIB, 4 * KIB), (1 << 30, 64 * KIB)] {
        let advice = advised(&run, bytes);
        assert_eq!(advice.basis, Basis::Nearest { at: nearest });
        let at_end = advised(&run, nearest).choice.expect("a choice");
        assert_eq!(advice.choice.expect("a choice"), at_end);
        assert!(advice.remarks[0].contains("lies outside of what was measured"), "{:?}", advice.remarks);
    }
}

#[test]
fn without_a_size_every_level_has_its_choice_and_there_is_no_gap() {
    let advice = asked_of(&[crossing(&doubled(4 * KIB, 7))], None, &conditions(), &[]).expect("measured");
    assert_eq!(advice.basis, Basis::AllLevels { from: 4 * KIB, to: 256 * KIB });
    let entries: Vec<&str> = advice.stretches.iter().map(|one| one.choice.entry.as_str()).collect();
    assert_eq!(entries, ["small", "large@64K"]);
    assert_eq!((advice.stretches[0].from, advice.stretches[1].to), (4 * KIB, 256 * KIB));
    assert_eq!(advice.stretches[0].to + 1, advice.stretches[1].from);
    assert!(advice.sentence.starts_with("Use small up to "), "{}", advice.sentence);
    assert!(advice.choice.is_none());
}

#[test]
fn one_choice_for_all_levels_is_told_as_one() {
    let run = measured(&doubled(KIB, 3), &[("a", &|bytes| bytes), ("plain", &|bytes| 2.0 * bytes)]);
    let advice = asked_of(&[run], None, &conditions(), &[]).expect("measured");
    assert_eq!(advice.choice.expect("one choice").entry, "a");
    assert!(
        advice.sentence.ends_with("That holds at every size from 1 KiB to 4 KiB."),
        "{}",
        advice.sentence
    );
}

/// The choices along the axis: where each begins and ends, and what it is.
fn choices(advice: &Advice) -> Vec<(u64, u64, &str)> {
    advice.stretches.iter().map(|one| (one.from, one.to, one.choice.entry.as_str())).collect()
}

#[test]
fn where_the_plain_way_was_not_compared_nothing_else_is_advised() {
    let ends = measured(
        &[4 * KIB, 256 * KIB],
        &[("plain", &|bytes| bytes), ("a", &|bytes| 1.5 * bytes), ("b", &|bytes| 1.4 * bytes)],
    );
    let middle = measured(&[32 * KIB], &[("a", &|bytes| bytes), ("b", &|bytes| 1.01 * bytes)]);
    let runs = [middle, ends];
    let advice = asked_of(&runs, None, &conditions(), &[]).expect("measured");
    assert_eq!(choices(&advice), [(4 * KIB, 256 * KIB, "plain")]);
    let between = advised(&runs, 100 * KIB).choice.expect("a choice");
    assert_eq!((between.entry.as_str(), between.certainty), ("plain", Certainty::Open));
    assert_eq!((between.at_most_slower, between.plain_was_compared), (None, false));
    let told = advised(&runs, 32 * KIB).remarks.join(" ");
    assert!(told.contains("plain way was not compared"), "{told}");
}

#[test]
fn no_choice_is_slower_than_the_plain_way_at_any_level() {
    // At 4 KiB `a` is far better than the plain way, at 64 KiB far worse, and in between they cross.
    let crossing = |bytes: f64| bytes * (0.5 + bytes / (64.0 * 1024.0));
    let sizes = [4 * KIB, 64 * KIB];
    let run = [measured(&sizes, &[("a", &crossing), ("plain", &|bytes| bytes)])];
    let advice = asked_of(&run, None, &conditions(), &[]).expect("measured");
    assert!(matches!(choices(&advice)[..], [(_, _, "a"), (_, _, "plain")]), "{:?}", choices(&advice));
    let over = advice.stretches.iter().filter_map(|one| one.choice.over_plain.as_ref());
    assert!(over.clone().all(|over| over.factor >= 1.0) && over.count() == 1, "{:?}", advice.stretches);
    let last = advice.stretches[0].to;
    let just_behind = advised(&run, last + 1).choice.expect("a choice");
    assert!(just_behind.is_plain, "{just_behind:?}");
    let before = advised(&run, last).choice.and_then(|choice| choice.over_plain).expect("both are known");
    assert!((1.0..1.01).contains(&before.factor), "{before:?}");
}

#[test]
fn what_is_hardly_slower_than_the_plain_way_is_not_kept_beside_it() {
    let run = measured(
        &[4 * KIB, 8 * KIB],
        &[
            ("a", &|bytes| if bytes < 5_000.0 { 0.7 * bytes } else { 1.006 * bytes }),
            ("plain", &|bytes| bytes),
        ],
    );
    let advice = asked_of(&[run], None, &conditions(), &[]).expect("measured");
    assert_eq!(advice.stretches.last().map(|one| one.choice.entry.as_str()), Some("plain"));
}

#[test]
fn what_is_as_fast_as_the_plain_way_is_told_in_words_and_what_is_slower_is_admitted() {
    let run = [measured_in(
        4,
        &[4 * KIB],
        &[("a", &|bytes| 1.004 * bytes), ("b", &|bytes| 2.0 * bytes), ("plain", &|bytes| bytes)],
    )];
    let among =
        |name: &str| asked_of(&run, Some(4 * KIB), &conditions(), &[name.to_owned()]).expect("measured");
    assert!(
        among("a").sentence.contains("plain, the plain way, takes about as long"),
        "{}",
        among("a").sentence
    );
    let slower = among("b").remarks.join(" ");
    assert!(slower.contains("plain, the plain way, is better here"), "{slower}");
}

#[test]
fn levels_between_binary_sizes_are_told_in_binary_units() {
    let advice = asked_of(&[crossing(&doubled(4 * KIB, 7))], None, &conditions(), &[]).expect("measured");
    assert!(advice.sentence.contains(" KiB") && !advice.sentence.contains("kB"), "{}", advice.sentence);
    assert_eq!(advice.level(32 * KIB + 1), "32 KiB");
    let decimal = asked_of(&[crossing(&[1_000, 25_700])], None, &conditions(), &[]).expect("measured");
    assert_eq!(decimal.level(11_640), "11.6 kB");
}

#[test]
fn of_two_ways_to_understand_a_question_the_one_with_several_levels_counts() {
    let run = crossing(&doubled(4 * KIB, 3));
    let conditions = conditions();
    let id = RunId("run-1".to_owned());
    let kept = [KeptAnswers { id: &id, started: "2026-01-01T00:00:00Z", decided: &run }];
    let question = Question {
        family: "copy",
        conditions: &conditions,
        quantity: "work_ns",
        among: &[],
        values: &|_| Point::default(),
    };
    let workload = Workload::of_bytes("asked", 4 * KIB);
    let level = Asked { workload: workload.clone(), axis: Some("bytes".into()), is_level: true };
    let beyond = Asked { workload: Workload::of_bytes("asked", KIB), ..level.clone() };
    let all = Asked { is_level: false, ..level };
    let advice = advise(&question, &[beyond, all], &kept).expect("measured");
    assert_eq!(advice.basis, Basis::AllLevels { from: 4 * KIB, to: 16 * KIB });
    let single = crossing(&[4 * KIB]);
    let kept = [KeptAnswers { decided: &single, ..kept[0] }];
    let all = Asked { workload, axis: Some("bytes".into()), is_level: false };
    let only = advise(&question, &[all], &kept).expect("measured");
    assert!(only.remarks[0].starts_with("4 KiB is the only size that was measured"), "{:?}", only.remarks);
}

#[test]
fn what_differs_by_less_than_a_hundredth_does_not_take_turns() {
    let alike = |phase: f64| move |bytes: f64| bytes * (1.0 + 0.002 * (bytes.log2() + phase).sin());
    let run = measured(
        &doubled(KIB, 8),
        &[("a", &alike(0.0)), ("b", &alike(2.0)), ("c", &alike(4.0)), ("plain", &|bytes| 2.0 * bytes)],
    );
    let advice = asked_of(&[run], None, &conditions(), &[]).expect("measured");
    assert!(advice.stretches.len() < 4, "{:?}", advice.sentence);
}

#[test]
fn nothing_is_advised_from_another_cache_file_system_or_family_size() {
    let run = [crossing(&doubled(4 * KIB, 3))];
    let cold = Conditions { cache: Some(Cache::Cold), ..conditions() };
    let xfs = Conditions { file_system: Some("xfs".into()), ..conditions() };
    for other in [cold, xfs] {
        assert_eq!(asked_of(&run, Some(4 * KIB), &other, &[]), None);
    }
}

#[test]
fn levels_of_several_runs_are_joined_and_of_one_level_the_latest_run_counts() {
    let older = crossing(&[4 * KIB, 64 * KIB]);
    let latest = measured(&[4 * KIB], &[("small", &|bytes| 3.0 * bytes), ("plain", &|bytes| 2.0 * bytes)]);
    let runs = [latest, older];
    let at = |bytes| advised(&runs, bytes).choice.expect("a choice").entry;
    assert_eq!((at(4 * KIB).as_str(), at(64 * KIB).as_str()), ("plain", "large@64K"));
    let between = advised(&runs, 16 * KIB);
    let origins: Vec<&str> = between.origins.iter().map(|origin| origin.run.0.as_str()).collect();
    assert_eq!(origins, ["run-9", "run-8"]);
}

#[test]
fn a_run_of_a_few_techniques_does_not_hide_one_of_many() {
    let few = measured(&[4 * KIB], &[("plain", &|bytes| bytes)]);
    let two = measured(&[4 * KIB], &[("plain", &|bytes| bytes), ("slow", &|bytes| 2.0 * bytes)]);
    let many: Vec<(String, f64)> = (0..8).map(|nth| (format!("t{nth}"), 1.0 + f64::from(nth))).collect();
    let times: Vec<Box<dyn Fn(f64) -> f64>> =
        many.iter().map(|&(_, factor)| Box::new(move |bytes: f64| factor * bytes) as Box<_>).collect();
    let techniques: Vec<(&str, Time<'_>)> =
        many.iter().zip(&times).map(|((name, _), time)| (name.as_str(), time.as_ref() as Time<'_>)).collect();
    let advice = advised(&[few, two, measured(&[4 * KIB], &techniques)], 4 * KIB);
    assert_eq!(advice.choice.expect("a choice").entry, "t0");
}

#[test]
fn of_the_techniques_that_a_program_has_the_best_is_advised_with_what_it_costs_beside_the_fastest() {
    let run = [crossing(&doubled(4 * KIB, 7))];
    let among = ["plain".to_owned(), "large".to_owned()];
    let advice = asked_of(&run, Some(4 * KIB), &conditions(), &among).expect("measured");
    let choice = advice.choice.expect("a choice");
    assert_eq!((choice.entry.as_str(), choice.is_plain), ("plain", true));
    assert!(choice.at_most_slower.is_some_and(|cost| (0.45..0.6).contains(&cost)), "{choice:?}");
    assert_eq!(asked_of(&run, Some(4 * KIB), &conditions(), &["absent".to_owned()]), None);
}

#[test]
fn the_same_runs_give_the_same_advice_to_the_byte() {
    let text = |runs: &[Decided]| serde_json::to_string(&advised(runs, 20 * KIB)).expect("JSON");
    let sizes = [4 * KIB, 16 * KIB, 64 * KIB];
    assert_eq!(text(&[crossing(&sizes)]), text(&[crossing(&sizes)]));
    assert!(Quantity::WORK.key == "work_ns");
}
