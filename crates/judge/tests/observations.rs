//! The verdict on anybody's samples: what it says, and what it does not depend on.

use judge::{Observation, Options, Ranking, Standing, Verdict, rank_observations, read_samples};
use proptest::prelude::*;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Rounds in which every technique's time is its base, jittered by up to `jitter`, in an order drawn anew.
fn rounds(bases: &[(&str, f64)], jitter: f64, count: u32, seed: u64) -> Vec<Observation> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut observations = Vec::new();
    for round in 0..count {
        let mut order: Vec<&(&str, f64)> = bases.iter().collect();
        order.shuffle(&mut random);
        for (position, (name, base)) in order.into_iter().enumerate() {
            let mut observation =
                Observation::new(round, *name, base * (1.0 + random.random_range(-jitter..jitter)));
            observation.position = Some(position as u32);
            observations.push(observation);
        }
    }
    observations
}

fn judged(observations: &[Observation]) -> Ranking {
    rank_observations(observations, &Options::default()).remove(0)
}

fn text(rankings: &[Ranking]) -> String {
    serde_json::to_string(rankings).expect("rankings are plain data")
}

#[test]
fn a_clear_winner_is_named_with_its_least_lead() {
    let ranking = judged(&rounds(&[("slow", 1.1), ("fast", 1.0), ("middle", 1.05)], 0.002, 20, 1));
    assert_eq!(ranking.verdict, Verdict::Winner);
    assert_eq!(ranking.winner.as_deref(), Some("fast"));
    assert!(ranking.sentence.starts_with("fast is fastest: at least 4."), "{}", ranking.sentence);
    assert!(ranking.sentence.ends_with("% ahead of everyone (95 %)."), "{}", ranking.sentence);
    let places: Vec<(&str, Standing)> =
        ranking.places.iter().map(|p| (p.technique.as_str(), p.place)).collect();
    assert_eq!(places, [("fast", Standing::Best), ("middle", Standing::Slower), ("slow", Standing::Slower)]);
    assert_eq!((ranking.rounds, ranking.would_take), (20, None));
}

#[test]
fn a_small_lead_is_a_win_that_says_so() {
    let ranking = judged(&rounds(&[("a", 1.0), ("b", 1.015)], 0.002, 20, 1));
    assert_eq!(ranking.verdict, Verdict::WinnerSmall);
    assert_eq!(ranking.sentence, "a is fastest (95 %), but the lead over b may be below 2 %.");
}

#[test]
fn techniques_within_the_margin_are_tied() {
    let ranking = judged(&rounds(&[("a", 1.0), ("b", 1.0), ("c", 1.4)], 0.01, 60, 5));
    assert_eq!(ranking.verdict, Verdict::Tie, "{}", ranking.sentence);
    let mut tied = ranking.tied.clone();
    tied.sort();
    assert_eq!(tied, ["a", "b"]);
    assert!(ranking.sentence.contains("are within 2 % of each other (95 %)."), "{}", ranking.sentence);
    assert_eq!(ranking.winner, None);
}

#[test]
fn two_that_cannot_be_told_apart_may_both_beat_the_rest() {
    let ranking = judged(&rounds(&[("a", 1.0), ("b", 1.01), ("c", 3.0)], 0.2, 20, 2));
    assert_eq!(ranking.verdict, Verdict::Partial, "{}", ranking.sentence);
    assert!(ranking.sentence.ends_with("; both beat the rest (95 %)."), "{}", ranking.sentence);
    assert!(ranking.would_take.as_deref().is_some_and(|text| text.contains("; a margin of")), "{ranking:?}");
}

#[test]
fn noise_that_hides_everything_is_admitted() {
    let ranking = judged(&rounds(&[("a", 1.0), ("b", 1.01)], 0.3, 20, 5));
    assert_eq!(ranking.verdict, Verdict::Inconclusive);
    assert!(
        ranking.sentence.contains("after 20 rounds: the resolution reached is +-"),
        "{}",
        ranking.sentence
    );
    let needed = ranking.would_take.expect("advice");
    assert!(
        needed.starts_with("This host is too noisy for a margin of 2 % at present; a margin of"),
        "{needed}"
    );
    assert!(ranking.places.iter().all(|place| place.place == Standing::Undecided));
}

#[test]
fn a_margin_that_nobody_would_accept_is_not_offered() {
    let needed = judged(&rounds(&[("a", 1.0), ("b", 1.01)], 1.5, 20, 5)).would_take.expect("advice");
    assert!(needed.ends_with("; let it come to rest, or give fewer techniques more rounds."), "{needed}");
}

#[test]
fn a_ratio_that_climbs_is_unstable() {
    let mut observations = rounds(&[("a", 1.0), ("b", 1.0)], 0.002, 60, 1);
    for observation in observations.iter_mut().filter(|observation| observation.technique == "b") {
        observation.value *= 1.0 + 0.1 * f64::from(observation.round.unwrap_or(0)) / 60.0;
    }
    let ranking = judged(&observations);
    assert_eq!(ranking.verdict, Verdict::Unstable);
    assert!(
        ranking.sentence.contains("the ratio of b to a moved from +1.2 % to +8."),
        "{}",
        ranking.sentence
    );
    assert!(ranking.flags.iter().any(|flag| flag.name == "unstable"));
}

#[test]
fn five_rounds_are_refused_and_six_are_judged() {
    let five = judged(&rounds(&[("a", 1.0), ("b", 2.0)], 0.01, 5, 1));
    assert_eq!(five.verdict, Verdict::Refused);
    assert_eq!(five.sentence, "Refused: 5 rounds are too few for any verdict: at least 6 are needed.");
    let six = judged(&rounds(&[("a", 1.0), ("b", 2.0)], 0.01, 6, 1));
    assert_eq!((six.verdict, six.rounds), (Verdict::Winner, 6));
}

#[test]
fn all_rounds_count_even_when_their_number_is_no_look() {
    for count in [13, 60, 77, 250] {
        assert_eq!(judged(&rounds(&[("a", 1.0), ("b", 1.1)], 0.01, count, 1)).rounds, count);
    }
}

#[test]
fn an_incomplete_last_round_is_dropped_whole() {
    let mut observations = rounds(&[("a", 1.0), ("b", 1.1)], 0.01, 21, 1);
    observations.pop();
    assert_eq!(judged(&observations).rounds, 20);
}

#[test]
fn an_incomplete_round_in_the_middle_is_dropped_whole_and_told() {
    let mut observations = rounds(&[("a", 1.0), ("b", 1.1)], 0.01, 21, 1);
    observations.retain(|observation| observation.round != Some(7) || observation.technique != "a");
    let ranking = judged(&observations);
    assert_eq!(ranking.rounds, 20);
    let flag = ranking.flags.iter().find(|flag| flag.name == "incomplete").expect("a flag");
    assert!(flag.text.ends_with("round 7"), "{}", flag.text);
}

#[test]
fn samples_taken_in_blocks_are_refused() {
    let text = r#"{"results": [{"command": "a", "times": [1,1,1,1,1,1,1]}, {"command": "b", "times": [2,2,2,2,2,2,2]}]}"#;
    let ranking = judged(&read_samples(text, None).expect("hyperfine's export"));
    assert_eq!(ranking.verdict, Verdict::Refused);
    assert!(ranking.sentence.contains("taken in blocks"), "{}", ranking.sentence);
    let mut counted = rounds(&[("a", 1.0), ("b", 1.1)], 0.01, 20, 1);
    for observation in &mut counted {
        let block = if observation.technique == "a" { 0 } else { 20 };
        observation.position = Some(block + observation.round.unwrap_or(0));
    }
    assert_eq!(judged(&counted).verdict, Verdict::Refused);
}

#[test]
fn a_counter_of_the_whole_run_is_no_block() {
    let mut counted = rounds(&[("a", 1.0), ("b", 1.1)], 0.01, 20, 1);
    for observation in &mut counted {
        observation.position =
            observation.position.map(|position| 2 * observation.round.unwrap_or(0) + position);
    }
    assert_eq!(judged(&counted).verdict, Verdict::Winner);
}

#[test]
fn an_order_that_never_changes_is_flagged() {
    let mut fixed = rounds(&[("a", 1.0), ("b", 1.1)], 0.01, 20, 1);
    for observation in &mut fixed {
        observation.position = Some(u32::from(observation.technique == "b"));
    }
    let ranking = judged(&fixed);
    let flag = ranking.flags.iter().find(|flag| flag.name == "order").expect("a flag");
    assert!(flag.text.starts_with("a ran before b in every round"), "{}", flag.text);
}

#[test]
fn paying_for_the_first_place_is_flagged_and_changes_no_verdict() {
    let mut observations = rounds(&[("a", 1.0), ("b", 1.0)], 0.005, 60, 1);
    for observation in observations.iter_mut().filter(|observation| observation.position == Some(0)) {
        observation.value *= 1.03;
    }
    let ranking = judged(&observations);
    assert!(!matches!(ranking.verdict, Verdict::Winner | Verdict::WinnerSmall), "{}", ranking.sentence);
    let flag = ranking.flags.iter().find(|flag| flag.name == "order").expect("a flag");
    assert!(flag.text.contains("depends on which of them runs first, by 6"), "{}", flag.text);
}

#[test]
fn a_margin_that_is_said_to_be_decided_now_is() {
    for jitter in [0.03, 0.3] {
        let observations = rounds(&[("a", 1.0), ("b", 1.01)], jitter, 20, 5);
        let needed = judged(&observations).would_take.expect("advice");
        assert_eq!(needed.starts_with("Between "), jitter < 0.1, "{needed}");
        let margin = needed.split("a margin of ").last().and_then(|rest| rest.split(" %").next());
        let delta = margin.and_then(|number| number.parse::<f64>().ok()).expect("a number") / 100.0;
        let decided =
            |delta| rank_observations(&observations, &Options { delta, ..Options::default() }).remove(0);
        assert_eq!(decided(delta).verdict, Verdict::Tie, "{needed}");
        assert_ne!(decided(delta * 0.8).verdict, Verdict::Tie, "{needed}");
    }
}

#[test]
fn slow_runs_that_change_the_order_are_told_first_and_in_short() {
    let mut observations = rounds(&[("a", 1.0), ("b", 1.03), ("c", 1.0)], 0.002, 20, 3);
    for observation in observations.iter_mut().filter(|o| o.technique == "a") {
        observation.value *= if observation.round.is_some_and(|round| round % 4 == 0) { 2.0 } else { 0.99 };
    }
    let ranking = judged(&observations);
    let tails: Vec<&str> =
        ranking.flags.iter().filter(|flag| flag.name == "tail").map(|flag| flag.text.as_str()).collect();
    assert!(tails[0].starts_with("slow runs change the order: by its mean "), "{tails:?}");
    assert!(tails[0].contains(" less than a (median: "), "{tails:?}");
}

#[test]
fn slow_runs_of_one_technique_leave_a_line_about_the_tail() {
    let mut random = ChaCha8Rng::seed_from_u64(9);
    let mut lines = 0;
    for seed in 0..50 {
        let mut observations = rounds(&[("a", 1.0), ("b", 1.0)], 0.005, 60, seed);
        for observation in observations.iter_mut().filter(|observation| observation.technique == "b") {
            if random.random_bool(0.1) {
                observation.value *= 1.3;
            }
        }
        let ranking = judged(&observations);
        lines += u32::from(ranking.flags.iter().any(|flag| flag.name == "tail"));
    }
    assert!(lines >= 40, "{lines} of 50");
}

#[test]
fn two_modes_have_no_typical_value() {
    let mut observations = rounds(&[("a", 1.0), ("b", 9.0)], 0.01, 20, 1);
    for observation in observations.iter_mut().filter(|observation| observation.technique == "b") {
        observation.value *= if observation.round.is_some_and(|round| round % 3 == 0) { 2.0 } else { 1.0 };
    }
    let ranking = judged(&observations);
    let flag = ranking.flags.iter().find(|flag| flag.name == "modes").expect("a flag");
    assert!(flag.text.starts_with("b has two modes"), "{}", flag.text);
}

#[test]
fn the_chance_of_error_is_shared_by_the_cells_unless_asked_otherwise() {
    let mut observations = rounds(&[("a", 1.0), ("b", 1.1)], 0.01, 20, 1);
    let mut other = observations.clone();
    other.iter_mut().for_each(|observation| "large".clone_into(&mut observation.workload.name));
    observations.extend(other);
    let shared = rank_observations(&observations, &Options::default());
    assert_eq!(shared.iter().map(|ranking| ranking.alpha).collect::<Vec<_>>(), [0.025, 0.025]);
    let own = rank_observations(&observations, &Options { per_cell: true, ..Options::default() });
    assert_eq!(own[0].alpha, 0.05);
}

#[test]
fn a_time_of_zero_is_disqualified() {
    let mut observations = rounds(&[("a", 1.0), ("b", 1.1), ("c", 1.2)], 0.01, 20, 1);
    observations.iter_mut().filter(|o| o.technique == "a").for_each(|o| o.value = 0.0);
    let ranking = judged(&observations);
    assert_eq!(ranking.winner.as_deref(), Some("b"));
    let failed = ranking.places.last().expect("places");
    assert_eq!((failed.technique.as_str(), failed.place), ("a", Standing::Failed));
}

#[test]
fn two_values_in_one_round_are_refused() {
    let mut observations = rounds(&[("a", 1.0), ("b", 1.1)], 0.01, 20, 1);
    observations.push(Observation::new(3, "a", 5.0));
    assert!(judged(&observations).sentence.starts_with("Refused: a has more than one value in round 3"));
}

fn anything() -> impl Strategy<Value = Vec<Observation>> {
    (2usize..5, 6u32..32, any::<u64>(), 0.001f64..0.3).prop_map(|(techniques, count, seed, jitter)| {
        let bases = [("a", 1.0), ("b", 1.02), ("c", 1.02), ("d", 1.5)];
        let mut observations = rounds(&bases[..techniques], jitter, count, seed);
        let mut random = ChaCha8Rng::seed_from_u64(seed ^ 1);
        for observation in &mut observations {
            if random.random_bool(0.02) {
                observation.value = f64::INFINITY;
            }
        }
        observations
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_order_of_the_rows_changes_nothing(observations in anything(), seed in any::<u64>()) {
        let mut shuffled = observations.clone();
        shuffled.shuffle(&mut ChaCha8Rng::seed_from_u64(seed));
        let options = Options::default();
        prop_assert_eq!(text(&rank_observations(&observations, &options)), text(&rank_observations(&shuffled, &options)));
    }

    #[test]
    fn the_unit_changes_no_verdict(observations in anything(), factor in 1e-6f64..1e6) {
        let mut scaled = observations.clone();
        scaled.iter_mut().for_each(|observation| observation.value *= factor);
        let (one, other) = (judged(&observations), judged(&scaled));
        prop_assert_eq!(one.verdict, other.verdict);
        prop_assert_eq!(&one.winner, &other.winner);
        for (one, other) in one.places.iter().zip(&other.places) {
            prop_assert_eq!(&one.technique, &other.technique);
            let (one, other) = (one.ratio.unwrap_or(0.0), other.ratio.unwrap_or(0.0));
            prop_assert!((one - other).abs() <= 1e-9 * one, "{} {}", one, other);
        }
    }

    #[test]
    fn the_names_change_no_verdict(observations in anything()) {
        let renamed = |name: &str| match name { "a" => "z", "b" => "y", "c" => "x", _ => "w" };
        let mut others = observations.clone();
        others.iter_mut().for_each(|o| renamed(&o.technique).clone_into(&mut o.technique));
        let (one, other) = (judged(&observations), judged(&others));
        prop_assert_eq!(one.verdict, other.verdict);
        prop_assert_eq!(one.winner.as_deref().map(renamed), other.winner.as_deref());
        let leader = |ranking: &Ranking| ranking.places[0].technique.clone();
        prop_assert_eq!(renamed(&leader(&one)), leader(&other));
    }

    #[test]
    fn an_interval_always_contains_its_estimate(observations in anything()) {
        for place in judged(&observations).places {
            let Some(ratio) = place.ratio else { continue };
            prop_assert!(place.ratio_low.is_none_or(|low| low <= ratio), "{:?}", place);
            prop_assert!(place.ratio_high.is_none_or(|high| ratio <= high), "{:?}", place);
        }
    }
}
