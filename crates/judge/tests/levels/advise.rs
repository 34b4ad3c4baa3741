//! What is advised from measurements of which the truth is known: at measured levels, between them, and beyond.

use judge::{Basis, Options, decide_observations};
use model::{Along, Cache, Durability, Metric, Setting};

use super::*;

fn conditions() -> Conditions {
    Conditions {
        cache: Some(Cache::Warm),
        durability: Some(Durability::Returned),
        file_system: Some("ext4".into()),
        ..Conditions::default()
    }
}

/// Returns a run of techniques at some sizes.
fn measured(sizes: &[u64], techniques: &[(&str, Time<'_>)]) -> Decided {
    let mut all = samples(sizes, techniques);
    for one in &mut all {
        one.setting = Setting { conditions: conditions(), ..Setting::default() };
        one.along = (sizes.len() > 1).then(|| Along { axis: "bytes".into(), ..Along::default() });
    }
    let options = Options { baseline: Some("plain".into()), ..Options::default() };
    decide_observations(&all, &options)
}

fn advised(runs: &[Decided], bytes: u64) -> Advice {
    answer(runs, &[asked(Some(bytes))], &conditions(), &[]).expect("it was measured")
}

fn advised_for_all(runs: &[Decided]) -> Advice {
    answer(runs, &[asked(None)], &conditions(), &[]).expect("measured")
}

/// `small` and `large` are equal at 32 KiB; `plain` always takes half as long again as `small`.
fn crossing(sizes: &[u64]) -> Decided {
    measured(
        sizes,
        &[
            ("small", &|bytes, _| 1.5 * bytes),
            ("large@64K", &|bytes, _| 32.0 * 1024.0 + 0.5 * bytes),
            ("plain", &|bytes, _| 2.25 * bytes),
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
    assert_eq!(advice.remarks, ["It holds from 4 to 32 KiB.", "Next to that: large@64K from 64 to 256 KiB."]);
}

#[test]
fn one_choice_on_both_sides_is_advised_between_them() {
    let run = [crossing(&[4 * KIB, 8 * KIB, 16 * KIB, 64 * KIB, 128 * KIB])];
    for (bytes, below, above, entry) in [(10, 8, 16, "small"), (100, 64, 128, "large@64K")] {
        let advice = advised(&run, bytes * KIB);
        assert_eq!(advice.choice.as_ref().map(|choice| choice.entry.as_str()), Some(entry), "{bytes}");
        assert_eq!(advice.basis, Basis::Between { below: below * KIB, above: above * KIB });
        let said = format!("{bytes} KiB lies between {below} and {above} KiB, which were measured.");
        assert_eq!(advice.remarks[0], said);
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
    for &skipped in &all[1..all.len() - 1] {
        let rest: Vec<u64> = all.iter().copied().filter(|&bytes| bytes != skipped).collect();
        let choice = advised(&[crossing(&rest)], skipped).choice;
        let is_change = (16 * KIB..=64 * KIB).contains(&skipped);
        let truth = if skipped < 32 * KIB { "small" } else { "large@64K" };
        assert!(is_change || choice.is_some_and(|choice| choice.entry == truth), "{skipped}");
    }
}

#[test]
fn outside_of_what_was_measured_there_is_no_answer() {
    let run = [crossing(&doubled(4 * KIB, 5))];
    let said = [
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
    for (bytes, nearest, words) in said {
        let advice = advised(&run, bytes);
        assert_eq!((advice.basis, &advice.choice), (Basis::Outside { nearest }, &None));
        assert!(!advice.is_answer());
        assert!(advice.sentence.starts_with(words), "{}", advice.sentence);
    }
}

#[test]
fn figures_of_the_nearest_level_are_its_own() {
    let run = [crossing(&doubled(4 * KIB, 7))];
    let there = "the largest size that was measured is 256 KiB; there plain is slower than large@64K by 3.6x";
    let said = advised(&run, 1 << 30).sentence;
    assert!(said.contains(there), "{said}");
}

#[test]
fn levels_to_choose_are_those_of_the_asked_metric() {
    let run = |key: &str, best: f64| {
        let far = |bytes: f64| (bytes / best).log2().abs();
        let mut all = samples(
            &doubled(KIB, 5),
            &[("a", &|bytes, _| 1.0 + far(bytes)), ("b", &|bytes, _| 3.0 + 2.0 * far(bytes))],
        );
        for one in &mut all {
            one.metric = Metric::built_in(key);
            one.along = Some(Along { axis: "bytes".into(), is_same_work: true, ..Along::default() });
        }
        decide_observations(&all, &Options::default())
    };
    let [by_time, by_memory] = [run("work", 2048.0), run("memory", 8192.0)];
    // The question is by the metric of the first contest, and the curve by the other one stands first.
    let chosen = |asked_by: &Decided, other: &Decided| {
        let rankings = [&asked_by.rankings[..], &other.rankings].concat();
        let curves = [&other.curves[..], &asked_by.curves].concat();
        let advice = answer(&[Decided { rankings, curves }], &[asked(None)], &Conditions::default(), &[]);
        advice.expect("measured").best_levels.expect("the same work").chosen
    };
    assert_eq!(chosen(&by_time, &by_memory), 2 * KIB);
    assert_eq!(chosen(&by_memory, &by_time), 8 * KIB);
}

#[test]
fn levels_to_choose_are_those_of_techniques_that_were_named() {
    let mut all = samples(
        &doubled(KIB, 3),
        &[("ssh me@host", &|bytes, _| 4096.0 / bytes), ("b", &|bytes, _| 9999.0 / bytes)],
    );
    for one in &mut all {
        one.kind = model::Kind::Command;
        one.along = Some(Along { axis: "bytes".into(), is_same_work: true, ..Along::default() });
    }
    let runs = [decide_observations(&all, &Options::default())];
    let best = |among: &str| {
        let among = [among.to_owned()];
        let advice = answer(&runs, &[asked(None)], &Conditions::default(), &among)?;
        advice.best_levels.map(|best| best.entry)
    };
    assert_eq!(best("ssh me@host").as_deref(), Some("ssh me@host"));
    assert_eq!(best("ssh me@other"), None);
}

#[test]
fn best_levels_are_those_of_a_technique_that_is_chosen() {
    let far = |bytes: f64| (bytes / 2048.0).log2().abs();
    let mut all = samples(
        &doubled(KIB, 5),
        &[("plain", &|_, _| 9.0), ("pool", &|_, _| 1.0), ("tasks", &|bytes, _| 2.0 + far(bytes))],
    );
    for one in &mut all {
        one.along = Some(Along { axis: "bytes".into(), is_same_work: true, ..Along::default() });
    }
    let advice = answer(
        &[decide_observations(&all, &Options::default())],
        &[asked(None)],
        &Conditions::default(),
        &[],
    );
    let advice = advice.expect("measured");
    assert!(advice.best_levels.is_none_or(|best| best.entry != "tasks"), "{}", advice.sentence);
    assert!(advice.sentence.starts_with("Use pool"), "{}", advice.sentence);
}

#[test]
fn without_a_size_every_level_has_its_choice() {
    let advice = advised_for_all(&[crossing(&doubled(4 * KIB, 7))]);
    assert_eq!(advice.basis, Basis::AllLevels { from: 4 * KIB, to: 256 * KIB });
    assert_eq!(choices(&advice), [(4 * KIB, 32 * KIB, "small"), (64 * KIB, 256 * KIB, "large@64K")]);
    let said = "Use small from 4 to 32 KiB (plain is slower by 1.5x, 1.4-1.6x, or more); large@64K from 64 to 256 KiB (plain is slower \
                by 2.2x, 2.2-";
    assert!(advice.sentence.starts_with(said), "{}", advice.sentence);
    assert!(advice.choice.is_none() && advice.is_answer());
}

/// Returns the choices along the axis: where each begins and ends, and what it is.
fn choices(advice: &Advice) -> Vec<(u64, u64, &str)> {
    advice.ranges.iter().map(|one| (one.range.from, one.range.to, one.range.choice.entry.as_str())).collect()
}

#[test]
fn where_the_baseline_was_not_compared_there_is_no_answer() {
    let ends = measured(
        &[4 * KIB, 256 * KIB],
        &[("plain", &|bytes, _| bytes), ("a", &|bytes, _| 1.5 * bytes), ("b", &|bytes, _| 1.4 * bytes)],
    );
    let middle = measured(&[32 * KIB], &[("a", &|bytes, _| bytes), ("b", &|bytes, _| 1.01 * bytes)]);
    let runs = [middle, ends];
    let advice = advised_for_all(&runs);
    assert_eq!(choices(&advice), [(4 * KIB, 4 * KIB, "plain"), (256 * KIB, 256 * KIB, "plain")]);
    assert_eq!(advised(&runs, 100 * KIB).choice, None);
    let at = advised(&runs, 32 * KIB);
    assert_eq!(at.choice, None);
    assert_eq!(at.sentence, "No answer: the others were not compared with plain, the baseline.");
}

#[test]
fn of_two_questions_the_one_with_several_levels_counts() {
    let both = [asked(Some(KIB)), asked(None)];
    let advice = answer(&[crossing(&doubled(4 * KIB, 3))], &both, &conditions(), &[]).expect("measured");
    assert_eq!(advice.basis, Basis::AllLevels { from: 4 * KIB, to: 16 * KIB });
    let only = advised_for_all(&[crossing(&[4 * KIB])]);
    assert!(only.remarks[0].starts_with("4 KiB is the only size that was measured"), "{:?}", only.remarks);
}

#[test]
fn what_differs_by_less_than_a_hundredth_does_not_take_turns() {
    let alike = |phase: f64| move |bytes: f64, _: u32| bytes * (1.0 + 0.002 * (bytes.log2() + phase).sin());
    let run = measured(
        &doubled(KIB, 8),
        &[("a", &alike(0.0)), ("b", &alike(2.0)), ("c", &alike(4.0)), ("plain", &|bytes, _| 2.0 * bytes)],
    );
    let advice = advised_for_all(&[run]);
    assert_eq!(advice.ranges.len(), 1, "{:?}", advice.sentence);
}

#[test]
fn nothing_is_advised_from_another_cache_or_file_system() {
    let run = [crossing(&doubled(4 * KIB, 3))];
    let cold = Conditions { cache: Some(Cache::Cold), ..conditions() };
    let xfs = Conditions { file_system: Some("xfs".into()), ..conditions() };
    for other in [cold, xfs] {
        assert_eq!(answer(&run, &[asked(Some(4 * KIB))], &other, &[]), None);
    }
}

#[test]
fn levels_of_several_runs_are_joined_the_latest_first() {
    let older = crossing(&[4 * KIB, 64 * KIB]);
    let latest =
        measured(&[4 * KIB], &[("small", &|bytes, _| 3.0 * bytes), ("plain", &|bytes, _| 2.0 * bytes)]);
    let runs = [latest, older];
    let chosen = [4 * KIB, 64 * KIB].map(|bytes| advised(&runs, bytes).choice.expect("a choice").entry);
    assert_eq!(chosen, ["plain", "large@64K"]);
    let between = advised_for_all(&runs);
    let origins: Vec<&str> = between.origins.iter().map(|origin| origin.run.0.as_str()).collect();
    assert_eq!(origins, ["run-9", "run-8"]);
}

#[test]
fn a_run_of_a_few_techniques_does_not_hide_one_of_many() {
    let few = measured(&[4 * KIB], &[("plain", &|bytes, _| bytes)]);
    let two = measured(&[4 * KIB], &[("plain", &|bytes, _| bytes), ("slow", &|bytes, _| 2.0 * bytes)]);
    let many: [(&str, Time<'_>); 5] = [
        ("t0", &|bytes, _| bytes),
        ("t1", &|bytes, _| 2.0 * bytes),
        ("t2", &|bytes, _| 3.0 * bytes),
        ("t3", &|bytes, _| 4.0 * bytes),
        ("t4", &|bytes, _| 5.0 * bytes),
    ];
    let advice = advised(&[few, two, measured(&[4 * KIB], &many)], 4 * KIB);
    assert_eq!(advice.choice.expect("a choice").entry, "t0");
    assert_eq!(advice.remarks, ["Run run-8, which is newer, compared only plain and slow."]);
}

#[test]
fn a_newer_run_that_beats_the_choice_says_what_to_use() {
    let tied: [(&str, Time<'_>); 4] =
        [("a", &|b, _| b), ("b", &|b, _| 1.5 * b), ("plain", &|b, _| 2.0 * b), ("slow", &|b, _| 3.0 * b)];
    let again = |rivals: &[(&str, Time<'_>)]| {
        let advice = advised(&[measured(&[KIB], rivals), measured(&[KIB], &tied)], KIB);
        (advice.choice.expect("a choice").entry, advice.remarks.len())
    };
    assert_eq!(again(&[("a", &|b, _| 1.2 * b), ("b", &|b, _| b), ("plain", &|b, _| 2.0 * b)]).0, "b");
    assert_eq!(again(&[("b", &|b, _| b), ("plain", &|b, _| 0.5 * b)]), ("a".to_owned(), 1));
    // The next has to compare what that one says to use.
    let second = measured(&[KIB], &[("a", &|b, _| 1.2 * b), ("b", &|b, _| b), ("plain", &|b, _| 2.0 * b)]);
    let third = measured(&[KIB], &[("a", &|b, _| b), ("plain", &|b, _| 2.0 * b)]);
    assert_eq!(advised(&[third, second, measured(&[KIB], &tied)], KIB).choice.expect("a choice").entry, "b");
}

#[test]
fn the_best_of_the_techniques_that_a_program_has_is_advised() {
    let run = [crossing(&doubled(4 * KIB, 7))];
    let (at, among) = ([asked(Some(4 * KIB))], ["plain".to_owned(), "large".to_owned()]);
    let advice = answer(&run, &at, &conditions(), &among).expect("measured");
    let choice = advice.choice.expect("a choice");
    assert_eq!((choice.entry.as_str(), choice.is_baseline), ("plain", true));
    assert_eq!(advice.sentence, "Use plain, the baseline: none of the others named is shown to be faster.");
    assert!(choice.at_most_slower.is_some_and(|cost| (0.45..0.6).contains(&cost)), "{choice:?}");
    assert_eq!(answer(&run, &at, &conditions(), &["absent".to_owned()]), None);
    // A newer run that lacks one of those named is set aside.
    let [wide] = run;
    let runs = [measured(&[4 * KIB], &[("plain", &|b, _| b), ("small", &|b, _| 0.5 * b)]), wide];
    let advice = answer(&runs, &at, &conditions(), &among).expect("measured");
    assert_eq!(advice.choice.map(|choice| choice.entry), Some("plain".into()));
    assert!(advice.remarks.last().is_some_and(|one| one.contains("compared only")), "{:?}", advice.remarks);
}

#[test]
fn the_same_runs_give_the_same_advice_to_the_byte() {
    let text = |runs: &[Decided]| serde_json::to_string(&advised(runs, 20 * KIB)).expect("JSON");
    let sizes = [4 * KIB, 16 * KIB, 64 * KIB];
    assert_eq!(text(&[crossing(&sizes)]), text(&[crossing(&sizes)]));
}
