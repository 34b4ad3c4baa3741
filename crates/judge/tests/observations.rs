//! The answer to samples of any program: what it says, and what it does not depend on.

use judge::{Observation, Options, Ranking, Standing, State, rank_observations, read_samples};
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

/// Round 0 and so many counted rounds in which the values are given one by one: what a sentence says is fixed to the
/// letter.
fn scripted(counted: u32, entries: &[(&str, &dyn Fn(u32) -> f64)]) -> Vec<Observation> {
    let rounds = 0..=counted;
    rounds
        .flat_map(|round| entries.iter().map(move |(name, of)| Observation::new(round, *name, of(round))))
        .collect()
}

/// Above and below a value in turn, so that two such series cannot be told apart.
fn around(value: f64, reach: f64, turn: u32) -> impl Fn(u32) -> f64 {
    move |round| if (round + turn).is_multiple_of(2) { value * (1.0 + reach) } else { value / (1.0 + reach) }
}

fn sentence(counted: u32, entries: &[(&str, &dyn Fn(u32) -> f64)]) -> (State, String) {
    let ranking = judged(&scripted(counted, entries));
    (ranking.state, ranking.sentence)
}

#[test]
fn one_that_is_fastest_is_named_with_the_least_factor_of_the_others() {
    let told = sentence(20, &[("slow", &|_| 1.5), ("fast", &|_| 1.0), ("middle", &|_| 1.059)]);
    let expected =
        "fast is fastest: every other technique takes at least 1.05 times as long (95 % confidence).";
    assert_eq!(told, (State::Fastest, expected.to_owned()));
    let told = sentence(20, &[("fast", &|_| 1.0), ("slow", &|_| 2.57)]);
    assert_eq!(told.1, "fast is fastest: slow takes at least 2.5 times as long (95 % confidence).");
    let told = sentence(20, &[("fast", &|_| 1.0), ("slow", &|_| 1.003)]);
    assert_eq!(told.1, "fast is fastest: slow is slower (95 % confidence).");
}

#[test]
fn a_lead_that_is_open_names_the_next_with_its_upper_end() {
    // At the first look a lower end asks for more than 8 of 8 rounds when there are many entries.
    let others: Vec<String> = (0..9).map(|number| format!("other_{number}")).collect();
    let mut entries: Vec<(&str, &dyn Fn(u32) -> f64)> = vec![("fast", &|_| 1.0), ("next", &|_| 1.083)];
    entries.extend(others.iter().map(|name| (name.as_str(), &(|_| 1.3) as &dyn Fn(u32) -> f64)));
    let observations = scripted(8, &entries);
    let options = Options { looks: vec![8, 10, 13, 16, 20], ..Options::default() };
    let ranking = rank_observations(&observations, &options).remove(0);
    assert_eq!(ranking.state, State::LeadOpen, "{}", ranking.sentence);
    assert_eq!(
        ranking.sentence,
        "fast is fastest; by how much is open: the next, next, is behind (95 % confidence)."
    );
    assert_eq!(ranking.entry("next").expect("an entry").standing, Standing::Behind);
}

#[test]
fn one_technique_with_several_values_is_one_answer() {
    let (state, told) = sentence(
        20,
        &[
            ("presized@128K", &around(1.0, 0.03, 0)),
            ("presized@256K", &around(1.0, 0.03, 1)),
            ("presized@4K", &|_| 1.4),
            ("splice", &|_| 1.25),
        ],
    );
    assert_eq!(state, State::OneTechnique);
    assert_eq!(
        told,
        "presized is fastest, with any value from 128K to 256K: splice takes at least 1.21 times as long. \
         Among these, presized@256K costs at most 7 % more than the best (95 % confidence)."
    );
}

#[test]
fn a_technique_that_competes_with_itself_has_an_answer_too() {
    let values: [(&str, &dyn Fn(u32) -> f64); 3] =
        [("p@4K", &around(1.0, 0.03, 0)), ("p@64K", &around(1.0, 0.03, 1)), ("p@1M", &|_| 1.4)];
    let ranking = judged(&scripted(20, &values));
    assert_eq!(
        ranking.sentence,
        "p is fastest, with any value from 4K to 64K: every other value takes at least 1.3 times as long. Among \
         these, p@64K costs at most 7 % more than the best (95 % confidence)."
    );
    assert_eq!(
        ranking.advice.as_deref(),
        Some("Use p, any value from 4K to 64K: p@64K costs at most 7 % more than the best.")
    );
    let one = judged(&scripted(20, &[("p@4K", &|_| 1.0), ("p@1M", &|_| 1.4)]));
    assert_eq!(
        one.sentence,
        "p is fastest, with a value of 4K: every other value takes at least 1.4 times as long (95 % confidence)."
    );
}

#[test]
fn values_that_are_no_neighbours_are_listed() {
    let (_, told) = sentence(
        20,
        &[
            ("p@4K", &around(1.0, 0.03, 0)),
            ("p@64K", &|_| 1.4),
            ("p@1M", &around(1.0, 0.03, 1)),
            ("splice", &|_| 2.0),
        ],
    );
    assert!(told.starts_with("p is fastest, with a value of 4K or 1M: splice takes at least 1.9"), "{told}");
}

#[test]
fn a_few_that_cannot_be_told_apart_are_named() {
    let (state, told) = sentence(
        20,
        &[("a", &around(1.0, 0.03, 0)), ("b", &around(1.0, 0.03, 1)), ("c", &|_| 1.4), ("d", &|_| 3.0)],
    );
    assert_eq!(state, State::Few);
    assert_eq!(
        told,
        "b is fastest, or within 7 % of the fastest; a cannot be told from it. Every other technique takes at least \
         1.3 times as long (95 % confidence)."
    );
    let (_, two) = sentence(20, &[("a", &around(1.0, 0.03, 0)), ("b", &around(1.0, 0.03, 1))]);
    assert_eq!(
        two,
        "b is fastest, or within 7 % of the fastest; a cannot be told from it (95 % confidence)."
    );
}

#[test]
fn many_that_may_be_fastest_are_counted() {
    let names: Vec<String> = (0..7).map(|number| format!("t{number}")).collect();
    let all: Vec<Box<dyn Fn(u32) -> f64>> = (0..7u32)
        .map(|turn| {
            Box::new(move |round: u32| 1.0 + 0.1 * f64::from((round * 3 + turn) % 7))
                as Box<dyn Fn(u32) -> f64>
        })
        .collect();
    let mut entries: Vec<(&str, &dyn Fn(u32) -> f64)> =
        names.iter().map(String::as_str).zip(all.iter().map(|of| &**of)).collect();
    entries.push(("slow", &|_| 9.0));
    let (state, told) = sentence(20, &entries);
    assert_eq!(state, State::Many, "{told}");
    assert!(told.contains("; 6 of the 7 others may be as fast: "), "{told}");
    assert!(told.ends_with(" and 4 more. The other is slower (95 % confidence)."), "{told}");
    entries.pop();
    let (_, all) = sentence(20, &entries);
    assert!(
        all.contains("; all 6 others may be as fast: ") && all.ends_with(" and 4 more (95 % confidence)."),
        "{all}"
    );
}

#[test]
fn techniques_that_differ_by_no_more_than_asked_are_alike() {
    let entries: [(&str, &dyn Fn(u32) -> f64); 3] =
        [("a", &around(1.0, 0.002, 0)), ("b", &around(1.0, 0.002, 1)), ("c", &|_| 1.004)];
    let (state, told) = sentence(60, &entries);
    assert_eq!(state, State::Alike);
    assert_eq!(
        told,
        "No difference above 2 %: all 3 techniques are within 2 % of the fastest (95 % confidence)."
    );
    let advice = judged(&scripted(60, &entries)).advice.expect("an advice");
    assert!(advice.ends_with(" or any other: nothing is more than 2 % from the fastest."), "{advice}");
}

#[test]
fn without_a_limit_the_answer_says_who_may_be_fastest() {
    let entries: [(&str, &dyn Fn(u32) -> f64); 4] = [
        ("a", &around(1.0, 0.03, 0)),
        ("b", &around(1.0, 0.03, 1)),
        ("c", &around(1.01, 0.03, 0)),
        ("d", &|_| 1.9),
    ];
    let ranking = judged(&scripted(6, &entries));
    assert_eq!(ranking.state, State::NoLimit, "{}", ranking.sentence);
    assert_eq!(
        ranking.sentence,
        "b leads; 1 of 4 techniques is slower or behind, 3 may be fastest. No limit yet to what choosing b can cost \
         (95 % confidence, 6 rounds)."
    );
    assert_eq!(ranking.at_most_slower, None);
    let advice = ranking.advice.expect("an advice");
    assert_eq!(advice, "Use b for now, and measure longer to be sure: 2 others may be as fast.");
}

#[test]
fn three_to_five_rounds_say_who_may_be_fastest_and_no_factors() {
    for (counted, sure) in [(3, "85 %"), (4, "92 %"), (5, "95 %")] {
        let entries: [(&str, &dyn Fn(u32) -> f64); 4] =
            [("a", &around(1.0, 0.03, 0)), ("b", &around(1.0, 0.03, 1)), ("c", &|_| 1.5), ("d", &|_| 1.9)];
        let ranking = judged(&scripted(counted, &entries));
        assert_eq!(ranking.state, State::VeryShort);
        let leader = ranking.leader.as_deref().expect("a leader");
        assert_eq!(
            ranking.sentence,
            format!(
                "{leader} leads after {counted} rounds; 1 other may be as fast, 2 are behind ({sure} confidence)."
            )
        );
        assert!(ranking.entries.iter().all(|e| e.factor_low.is_none() && e.factor_high.is_none()));
        assert_eq!(ranking.at_most_slower, None);
    }
}

#[test]
fn no_sentence_gives_up() {
    for counted in 0..24 {
        for jitter in [0.001, 0.05, 0.8] {
            let bases = [("a", 1.0), ("b", 1.01), ("c@4K", 1.0), ("c@8K", 1.2), ("d", 3.0)];
            let ranking = judged(&rounds(&bases, jitter, counted + 1, u64::from(counted)));
            let said = &ranking.sentence;
            assert!(
                !["ndecided", "+-", "resolution", "efused"].iter().any(|word| said.contains(word)),
                "{said}"
            );
            assert!(said.ends_with('.') && !said.contains(".."), "{said}");
            assert!(ranking.advice.is_some(), "{said}");
        }
    }
}

#[test]
fn more_rounds_are_offered_only_where_they_are_worth_it() {
    let open = judged(&rounds(&[("a", 1.0), ("b", 1.0), ("c", 3.0)], 0.2, 21, 2));
    assert_eq!(open.further, None, "no time is known of samples without a unit");
    let mut timed = rounds(&[("a", 1e7), ("b", 1e7), ("c", 3e7)], 0.2, 21, 2);
    timed.iter_mut().for_each(|o| o.quantity = Some(model::Quantity::PROCESS));
    assert_eq!(judged(&timed).further, None, "nor of samples without their cost");
}

#[test]
fn a_ratio_that_climbs_is_told_and_the_answer_is_one_about_this_run() {
    let mut observations = rounds(&[("a", 1.0), ("b", 1.02)], 0.002, 61, 1);
    for observation in observations.iter_mut().filter(|observation| observation.technique == "b") {
        observation.value *= 1.0 + 0.1 * f64::from(observation.round.unwrap_or(0)) / 60.0;
    }
    let ranking = judged(&observations);
    assert!(
        ranking.sentence.starts_with("a is fastest over this run: b takes at least 1.0"),
        "{}",
        ranking.sentence
    );
    let flag = ranking.flags.iter().find(|flag| flag.name == "ratio_moved").expect("a flag");
    assert!(flag.important);
    assert!(flag.text.starts_with("b slowed down against a during the run: 1.0"), "{}", flag.text);
}

#[test]
fn a_ratio_that_changes_sides_withdraws_the_claim() {
    let mut observations = rounds(&[("a", 1.0), ("b", 1.0)], 0.002, 61, 1);
    for observation in observations.iter_mut().filter(|observation| observation.technique == "b") {
        let round = observation.round.unwrap_or(0);
        observation.value *= if round <= 38 { 1.08 } else { 0.93 };
    }
    let ranking = judged(&observations);
    let flag = ranking.flags.iter().find(|flag| flag.name == "ratio_moved").expect("a flag");
    assert!(flag.text.ends_with("; which of the two is faster cannot be told"), "{}", flag.text);
    assert!(ranking.entries.iter().all(|entry| entry.standing == Standing::MayBeFastest));
    assert_eq!((ranking.candidates.len(), ranking.at_most_slower), (2, None));
    assert_eq!(ranking.state, State::NoLimit, "{}", ranking.sentence);
}

#[test]
fn all_counted_rounds_are_used_even_when_their_number_is_no_look() {
    for count in [14, 61, 78, 251] {
        assert_eq!(judged(&rounds(&[("a", 1.0), ("b", 1.1)], 0.01, count, 1)).rounds, count - 1);
    }
}

#[test]
fn an_incomplete_last_round_is_not_used() {
    let mut observations = rounds(&[("a", 1.0), ("b", 1.1)], 0.01, 22, 1);
    observations.pop();
    assert_eq!(judged(&observations).rounds, 20);
}

#[test]
fn an_incomplete_round_in_the_middle_is_dropped_whole_and_told() {
    let mut observations = rounds(&[("a", 1.0), ("b", 1.1)], 0.01, 22, 1);
    observations.retain(|observation| observation.round != Some(7) || observation.technique != "a");
    let ranking = judged(&observations);
    assert_eq!(ranking.rounds, 20);
    let flag = ranking.flags.iter().find(|flag| flag.name == "incomplete").expect("a flag");
    assert!(flag.text.ends_with("round 7"), "{}", flag.text);
}

#[test]
fn samples_taken_in_blocks_are_refused() {
    let text = r#"{"results": [{"command": "a", "times": [1,1,1,1,1,1,1]}, {"command": "b", "times": [2,2,2,2,2,2,2]}]}"#;
    let ranking = judged(&read_samples(text, None, None).expect("hyperfine's export"));
    assert_eq!(ranking.state, State::Refused);
    assert!(ranking.sentence.contains("taken in blocks"), "{}", ranking.sentence);
    let mut counted = rounds(&[("a", 1.0), ("b", 1.1)], 0.01, 20, 1);
    for observation in &mut counted {
        let block = if observation.technique == "a" { 0 } else { 20 };
        observation.position = Some(block + observation.round.unwrap_or(0));
    }
    assert_eq!(judged(&counted).state, State::Refused);
}

#[test]
fn a_counter_of_the_whole_run_is_no_block() {
    let mut counted = rounds(&[("a", 1.0), ("b", 1.1)], 0.01, 20, 1);
    for observation in &mut counted {
        observation.position =
            observation.position.map(|position| 2 * observation.round.unwrap_or(0) + position);
    }
    assert_eq!(judged(&counted).state, State::Fastest);
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
fn paying_for_the_first_place_is_flagged_and_changes_no_answer() {
    let mut observations = rounds(&[("a", 1.0), ("b", 1.0)], 0.005, 60, 1);
    for observation in observations.iter_mut().filter(|observation| observation.position == Some(0)) {
        observation.value *= 1.03;
    }
    let ranking = judged(&observations);
    assert_eq!(ranking.candidates.len(), 2, "{}", ranking.sentence);
    let flag = ranking.flags.iter().find(|flag| flag.name == "order").expect("a flag");
    assert!(flag.text.contains("depends on which of them runs first, by 6"), "{}", flag.text);
}

#[test]
fn slow_runs_of_the_leader_are_told_because_another_one_may_be_chosen() {
    let slow = |round: u32| match (round % 5, round % 4) {
        (0, _) => 3.0,
        (_, 0) => 1.02,
        _ => 0.99,
    };
    let steady = |round: u32| 1.0 + 0.001 * f64::from(round % 5);
    let ranking = judged(&scripted(60, &[("a", &slow), ("b", &steady), ("c", &|_| 2.0)]));
    let (leader, other) = (ranking.leader.as_deref(), ranking.candidates.get(1).map(String::as_str));
    assert_eq!((leader, other), (Some("a"), Some("b")), "{}", ranking.sentence);
    let flag = ranking.flags.iter().find(|flag| flag.name == "tail").expect("a flag");
    assert!(flag.important, "{flag:?}");
    assert_eq!(flag.text, "a has more slow runs (12 of 60) than b (0 of 60)");
    let means = ranking.flags.iter().find(|flag| flag.text.contains("mean")).expect("the means reverse");
    assert!(
        means.text.starts_with("slow runs of a change the order: in a typical round b costs 1.")
            && means.text.ends_with(" % less by the mean of all rounds"),
        "{}",
        means.text
    );
}

#[test]
fn two_modes_have_no_typical_value() {
    let two = |round: u32| if round.is_multiple_of(3) { 2.0 } else { 1.0 + 0.001 * f64::from(round % 5) };
    let ranking = judged(&scripted(20, &[("a", &around(1.0, 0.1, 0)), ("b", &two)]));
    let flag = ranking.flags.iter().find(|flag| flag.name == "modes").expect("a flag");
    assert!(flag.text.starts_with("b has two modes") && !flag.important, "{flag:?}");
}

#[test]
fn the_chance_of_error_is_that_of_each_contest_unless_the_report_shares_it() {
    let mut observations = rounds(&[("a", 1.0), ("b", 1.1)], 0.01, 20, 1);
    let mut other = observations.clone();
    other.iter_mut().for_each(|observation| "large".clone_into(&mut observation.workload.name));
    observations.extend(other);
    let own = rank_observations(&observations, &Options::default());
    assert_eq!(own.iter().map(|ranking| ranking.alpha).collect::<Vec<_>>(), [0.05, 0.05]);
    let shared = rank_observations(&observations, &Options { alpha_report: true, ..Options::default() });
    assert_eq!(shared[0].alpha, 0.025);
    assert!(shared[0].sentence.ends_with("(97.5 % confidence)."), "{}", shared[0].sentence);
}

#[test]
fn a_time_of_zero_is_disqualified() {
    let mut observations = rounds(&[("a", 1.0), ("b", 1.1), ("c", 1.2)], 0.01, 20, 1);
    observations.iter_mut().filter(|o| o.technique == "a").for_each(|o| o.value = 0.0);
    let ranking = judged(&observations);
    assert_eq!(ranking.leader.as_deref(), Some("b"));
    let failed = ranking.entries.last().expect("entries");
    assert_eq!((failed.technique.as_str(), failed.standing), ("a", Standing::Failed));
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
    fn the_unit_changes_no_answer(observations in anything(), factor in 1e-6f64..1e6) {
        let mut scaled = observations.clone();
        scaled.iter_mut().for_each(|observation| observation.value *= factor);
        let (one, other) = (judged(&observations), judged(&scaled));
        prop_assert_eq!(one.state, other.state);
        prop_assert_eq!(&one.candidates, &other.candidates);
        for (one, other) in one.entries.iter().zip(&other.entries) {
            prop_assert_eq!(&one.technique, &other.technique);
            let (one, other) = (one.factor.unwrap_or(0.0), other.factor.unwrap_or(0.0));
            prop_assert!((one - other).abs() <= 1e-9 * one, "{} {}", one, other);
        }
    }

    #[test]
    fn the_leader_is_a_candidate_and_stands_first(observations in anything()) {
        let ranking = judged(&observations);
        let Some(leader) = ranking.leader.clone() else {
            prop_assert_eq!(ranking.state, State::Refused);
            prop_assert!(ranking.entries.iter().all(|entry| entry.standing == Standing::Failed), "{:?}", ranking);
            return Ok(());
        };
        prop_assert_eq!(&ranking.entries[0].technique, &leader);
        prop_assert_eq!(&ranking.candidates[0], &leader);
        for entry in &ranking.entries {
            prop_assert_eq!(entry.standing.is_candidate(), ranking.candidates.contains(&entry.technique));
            if let (Some(low), Some(high)) = (entry.factor_low, entry.factor_high) {
                prop_assert!(1.0 <= low && low <= high * (1.0 + 1e-12), "{:?}", entry);
            }
        }
    }
}
