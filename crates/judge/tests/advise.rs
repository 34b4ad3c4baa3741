//! What is advised from measurements of which the truth is known: at measured levels, between them, and beyond.

use judge::{
    Advice, Asked, Basis, Decided, KeptAnswers, Observation, Options, Question, advise, decide_observations,
};
use model::{Along, Cache, Conditions, Durability, Metric, Point, RunId, Setting, Workload};

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
    let options = Options { baseline: Some("plain".into()), ..Options::default() };
    decide_observations(&all, &options)
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
    let metric = runs[0].rankings[0].metric.key.to_string();
    let values = |entry: &str| match entry.split_once("@64K") {
        Some(_) => Point::default().with("buffer_bytes", 64 * KIB),
        None => Point::default(),
    };
    let question = Question { family: "copy", conditions, metric: &metric, among, values: &values };
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
    let over = choice.baseline.expect("the baseline took part");
    assert!((1.49..1.51).contains(&over.factor), "{over:?}");
    assert!(over.low.is_some_and(|low| low > 1.45 && low <= over.factor), "{over:?}");
    assert!(over.high.is_some_and(|high| high < 1.55 && high >= over.factor), "{over:?}");
    assert_eq!((choice.at_most_slower, choice.is_baseline), (Some(0.0), false));
    assert!(advice.ranges[0].is_sure);
    assert_eq!(advice.sentence, "Use small: plain is slower by 1.5x (1.4-1.6x).");
    assert_eq!(advice.origins[0].levels, [8 * KIB]);
    assert_eq!(advice.remarks, ["It holds from 4 KiB to 32 KiB.", "Use large@64K from 64 KiB to 256 KiB."]);
}

#[test]
fn one_choice_on_both_sides_is_advised_between_them() {
    let run = [crossing(&[4 * KIB, 8 * KIB, 16 * KIB, 64 * KIB, 128 * KIB])];
    for (bytes, below, above, entry) in [(10, 8, 16, "small"), (100, 64, 128, "large@64K")] {
        let advice = advised(&run, bytes * KIB);
        assert_eq!(advice.choice.as_ref().map(|choice| choice.entry.as_str()), Some(entry), "{bytes}");
        assert_eq!(advice.basis, Basis::Between { below: below * KIB, above: above * KIB });
        let told =
            format!("{bytes} KiB was not measured; it lies between {below} KiB and {above} KiB, which were.");
        assert_eq!(advice.remarks[0], told);
    }
    let values = &advised(&run, 100 * KIB).ranges[1].values;
    assert_eq!(values.number("buffer_bytes"), Some(64 * KIB));
}

#[test]
fn between_two_levels_with_two_choices_there_is_no_answer() {
    let advice = advised(&[crossing(&[4 * KIB, 64 * KIB])], 6 * KIB);
    assert_eq!((&advice.choice, advice.is_answer()), (&None, false));
    assert_eq!(
        advice.sentence,
        "No answer for 6 KiB: small at 4 KiB, large@64K at 64 KiB, and nothing was measured between."
    );
}

#[test]
fn skipped_size_has_the_choice_of_both_neighbours_or_none() {
    let all = doubled(4 * KIB, 8);
    let truth = |bytes: u64| if bytes < 32 * KIB { "small" } else { "large@64K" };
    for &skipped in &all[1..all.len() - 1] {
        let rest: Vec<u64> = all.iter().copied().filter(|&bytes| bytes != skipped).collect();
        let choice = advised(&[crossing(&rest)], skipped).choice;
        let is_change = (16 * KIB..=64 * KIB).contains(&skipped);
        assert!(is_change || choice.is_some_and(|choice| choice.entry == truth(skipped)), "{skipped}");
    }
}

#[test]
fn outside_of_what_was_measured_there_is_no_answer() {
    let run = [crossing(&doubled(4 * KIB, 5))];
    let told = [
        (
            KIB,
            4 * KIB,
            "No answer for 1 KiB: the smallest size that was measured is 4 KiB; there plain is slower than small by",
        ),
        (
            1 << 30,
            64 * KIB,
            "No answer for 1 GiB: the largest size that was measured is 64 KiB; there plain is slower than large@64K by",
        ),
    ];
    for (bytes, nearest, words) in told {
        let advice = advised(&run, bytes);
        assert_eq!((advice.basis, &advice.choice), (Basis::Outside { nearest }, &None));
        assert!(!advice.is_answer());
        assert!(advice.sentence.starts_with(words), "{}", advice.sentence);
    }
}

#[test]
fn without_a_size_every_level_has_its_choice() {
    let advice = asked_of(&[crossing(&doubled(4 * KIB, 7))], None, &conditions(), &[]).expect("measured");
    assert_eq!(advice.basis, Basis::AllLevels { from: 4 * KIB, to: 256 * KIB });
    assert_eq!(choices(&advice), [(4 * KIB, 32 * KIB, "small"), (64 * KIB, 256 * KIB, "large@64K")]);
    let told = "Use small from 4 KiB to 32 KiB (plain is slower by 1.5x, 1.4-1.6x); large@64K from 64 KiB to 256 KiB (plain \
                is slower by 2.2x, 2.2-";
    assert!(advice.sentence.starts_with(told), "{}", advice.sentence);
    assert!(advice.choice.is_none() && advice.is_answer());
}

/// The choices along the axis: where each begins and ends, and what it is.
fn choices(advice: &Advice) -> Vec<(u64, u64, &str)> {
    advice.ranges.iter().map(|one| (one.range.from, one.range.to, one.range.choice.entry.as_str())).collect()
}

#[test]
fn where_the_baseline_was_not_compared_there_is_no_answer() {
    let ends = measured(
        &[4 * KIB, 256 * KIB],
        &[("plain", &|bytes| bytes), ("a", &|bytes| 1.5 * bytes), ("b", &|bytes| 1.4 * bytes)],
    );
    let middle = measured(&[32 * KIB], &[("a", &|bytes| bytes), ("b", &|bytes| 1.01 * bytes)]);
    let runs = [middle, ends];
    let advice = asked_of(&runs, None, &conditions(), &[]).expect("measured");
    assert_eq!(choices(&advice), [(4 * KIB, 4 * KIB, "plain"), (256 * KIB, 256 * KIB, "plain")]);
    assert_eq!(advised(&runs, 100 * KIB).choice, None);
    let at = advised(&runs, 32 * KIB);
    assert_eq!(at.choice, None);
    assert_eq!(at.sentence, "No answer: the others were not compared with plain, the baseline.");
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
        metric: "work_ns",
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
    assert_eq!(advice.ranges.len(), 1, "{:?}", advice.sentence);
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
    let between = asked_of(&runs, None, &conditions(), &[]).expect("measured");
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
    assert_eq!((choice.entry.as_str(), choice.is_baseline), ("plain", true));
    assert_eq!(advice.sentence, "Use plain, the baseline: none of the others named is shown to be faster.");
    assert!(choice.at_most_slower.is_some_and(|cost| (0.45..0.6).contains(&cost)), "{choice:?}");
    assert_eq!(asked_of(&run, Some(4 * KIB), &conditions(), &["absent".to_owned()]), None);
}

#[test]
fn the_same_runs_give_the_same_advice_to_the_byte() {
    let text = |runs: &[Decided]| serde_json::to_string(&advised(runs, 20 * KIB)).expect("JSON");
    let sizes = [4 * KIB, 16 * KIB, 64 * KIB];
    assert_eq!(text(&[crossing(&sizes)]), text(&[crossing(&sizes)]));
    assert!(Metric::WORK.key == "work_ns");
}
