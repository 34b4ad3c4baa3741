//! The answer to samples of any program: what it says, and what it does not depend on.

use judge::{Observation, Options, Ranking, Standing, State, rank_observations, read_samples};
use proptest::prelude::*;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Rounds in which every technique's time is its base, jittered by up to `jitter`, in an order drawn again.
fn rounds(bases: &[(&str, f64)], jitter: f64, count: u32, seed: u64) -> Vec<Observation> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut observations = Vec::new();
    for round in 0..count {
        let mut order: Vec<&(&str, f64)> = bases.iter().collect();
        order.shuffle(&mut random);
        for (position, (name, base)) in (0..).zip(order) {
            let value = base * (1.0 + random.random_range(-jitter..jitter));
            observations
                .push(Observation { position: Some(position), ..Observation::new(round, *name, value) });
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

/// Names, each with its value in a round.
type Entries<'a> = &'a [(&'a str, &'a dyn Fn(u32) -> f64)];

/// Makes round 0 and this many counted rounds of given values, so that sentences are fixed to the letter.
fn scripted(counted: u32, entries: Entries<'_>) -> Vec<Observation> {
    let rounds = (0..=counted).flat_map(|round| entries.iter().map(move |entry| (round, entry)));
    rounds.map(|(round, (name, of))| Observation::new(round, *name, of(round))).collect()
}

/// Above and below a value in turn, so that two such series cannot be distinguished.
fn around(value: f64, reach: f64, turn: u32) -> impl Fn(u32) -> f64 {
    move |round| if (round + turn).is_multiple_of(2) { value * (1.0 + reach) } else { value / (1.0 + reach) }
}

#[test]
fn an_answer_says_who_wins_or_is_tied() {
    let (a, b, behind) = (around(1.0, 0.03, 0), around(1.0, 0.03, 1), around(1.01, 0.03, 0));
    let cases: [(u32, Entries<'_>, State, &str); 7] = [
        (
            20,
            &[("slow", &|_| 1.5), ("fast", &|_| 1.0), ("middle", &|_| 1.059)],
            State::Wins,
            "fast wins; 2 others are slower, middle by 1.06x (1.05-1.06x).",
        ),
        (
            20,
            &[("fast", &|_| 1.0), ("slow", &|_| 2.57)],
            State::Wins,
            "fast wins; slow is slower by 2.6x (2.5-2.6x).",
        ),
        (20, &[("p@4K", &|_| 1.0), ("p@1M", &|_| 1.4)], State::Wins, "p@4K wins; p@1M is slower by 1.4x."),
        (
            20,
            &[("p@4K", &a), ("p@64K", &b), ("p@1M", &|_| 1.4)],
            State::Tied,
            "p@64K leads; tied with p@4K, and at most 7 % slower than the fastest. p@1M is slower by 1.4x (1.3-1.5x).",
        ),
        (
            20,
            &[("a", &a), ("b", &b), ("c", &|_| 1.4), ("d", &|_| 3.0)],
            State::Tied,
            "b leads; tied with a, and at most 7 % slower than the fastest. 2 others are slower, c by 1.4x (1.3-1.5x).",
        ),
        (
            20,
            &[("a", &a), ("b", &b)],
            State::Tied,
            "b leads; tied with a, and at most 7 % slower than the fastest.",
        ),
        (
            6,
            &[("a", &a), ("b", &b), ("c", &behind), ("d", &|_| 1.9)],
            State::Tied,
            "b leads; tied with a and c, but how much slower it may be is not known yet. d is slower by about 1.9x.",
        ),
    ];
    for (counted, entries, state, sentence) in cases {
        let ranking = judged(&scripted(counted, entries));
        assert_eq!((ranking.state, ranking.sentence.as_str()), (state, sentence));
        let choice = ranking.choice.expect("a choice");
        assert_eq!(ranking.leader.as_ref(), Some(&choice.entry));
        assert_eq!(ranking.at_most_slower, choice.at_most_slower);
        assert_eq!(choice.at_most_slower.is_none(), counted == 6, "a limit needs more rounds");
        if entries[0].0 == "p@4K" && state == State::Wins {
            assert_eq!(ranking.advice.as_deref(), Some("Use p@4K: p@1M is slower by 1.4x."));
        }
    }
}

#[test]
fn a_lead_that_is_open_has_a_factor_without_an_interval() {
    // At the first look a lower end asks for more than 8 of 8 rounds when there are many entries.
    let others: Vec<String> = (0..9).map(|number| format!("other_{number}")).collect();
    let mut entries: Vec<(&str, &dyn Fn(u32) -> f64)> = vec![("fast", &|_| 1.0), ("second", &|_| 1.083)];
    entries.extend(others.iter().map(|name| (name.as_str(), &(|_| 1.3) as &dyn Fn(u32) -> f64)));
    let observations = scripted(8, &entries);
    let options = Options { looks: vec![8, 10, 13, 16, 20], ..Options::default() };
    let ranking = rank_observations(&observations, &options).remove(0);
    assert_eq!(ranking.state, State::Wins, "{}", ranking.sentence);
    assert_eq!(ranking.sentence, "fast wins; 10 others are slower, second by about 1.08x.");
    let second = ranking.entry("second").expect("an entry");
    assert_eq!((second.standing, second.factor_low), (Standing::Slower, None));
}

#[test]
fn tied_values_of_one_technique_are_listed() {
    let (a, b) = (around(1.0, 0.03, 0), around(1.0, 0.03, 1));
    let ranking = judged(&scripted(
        20,
        &[("presized@128K", &a), ("presized@256K", &b), ("presized@4K", &|_| 1.4), ("splice", &|_| 1.25)],
    ));
    assert_eq!(ranking.state, State::Tied);
    assert_eq!(
        ranking.sentence,
        "presized@256K leads; tied with presized@128K, and at most 7 % slower than the fastest. 2 others are slower, splice by 1.25x (1.21-1.29x)."
    );
    assert_eq!(ranking.best_parameters[0].tied, ["128K", "256K"]);
}

#[test]
fn many_that_are_tied_are_counted() {
    let names: Vec<String> = (0..7).map(|number| format!("t{number}")).collect();
    let of = (0..7).map(|turn| move |round: u32| 1.0 + 0.1 * f64::from((round * 3 + turn) % 7));
    let all: Vec<_> = of.collect();
    let mut entries: Vec<(&str, &dyn Fn(u32) -> f64)> = Vec::new();
    for (name, of) in names.iter().zip(&all) {
        entries.push((name, of));
    }
    entries.push(("slow", &|_| 9.0));
    let ranking = judged(&scripted(20, &entries));
    assert_eq!((ranking.state, ranking.candidates.len()), (State::Tied, 7), "{}", ranking.sentence);
    let said = "tied with t4, t5, t6, t1 and 2 more, and at most";
    assert!(ranking.sentence.contains(said), "{}", ranking.sentence);
    assert!(ranking.sentence.ends_with(". slow is slower by 6.9x (5.6-9.0x)."), "{}", ranking.sentence);
}

#[test]
fn entries_within_the_tolerance_are_the_same() {
    let entries: [(&str, &dyn Fn(u32) -> f64); 3] =
        [("a", &around(1.0, 0.002, 0)), ("b", &around(1.0, 0.002, 1)), ("c", &|_| 1.004)];
    let ranking = judged(&scripted(60, &entries));
    assert_eq!((ranking.state, ranking.candidates.len()), (State::Same, 3));
    assert_eq!(ranking.sentence, "All 3 are within 2 % of the fastest.");
    let leader = ranking.leader.expect("a leader");
    assert_eq!(ranking.advice, Some(format!("Use {leader}: nothing is shown to be faster.")));
}

#[test]
fn three_to_five_rounds_say_who_is_tied_and_no_intervals() {
    for (counted, sure) in [(3, 0.85), (4, 0.92), (5, 0.95)] {
        let entries: [(&str, &dyn Fn(u32) -> f64); 4] =
            [("a", &around(1.0, 0.03, 0)), ("b", &around(1.0, 0.03, 1)), ("c", &|_| 1.5), ("d", &|_| 1.9)];
        let ranking = judged(&scripted(counted, &entries));
        assert_eq!(ranking.state, State::Tied);
        assert_eq!(ranking.candidates.len(), 2, "{}", ranking.sentence);
        let said = "but how much slower it may be is not known yet. 2 others are slower, c by about 1.5x.";
        assert!(ranking.sentence.contains(said), "{}", ranking.sentence);
        assert!(ranking.confidence.is_some_and(|found| (found - sure).abs() < 0.01), "{ranking:?}");
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
            let gives_up = ["ndecided", "+-", "resolution", "efused"];
            assert!(!gives_up.iter().any(|word| said.contains(word)), "{said}");
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
    timed.iter_mut().for_each(|o| o.metric = Some(model::Metric::PROCESS));
    assert_eq!(judged(&timed).further, None, "nor of samples without their cost");
}

#[test]
fn a_ratio_that_climbs_is_flagged() {
    let mut observations = rounds(&[("a", 1.0), ("b", 1.02)], 0.002, 61, 1);
    for observation in observations.iter_mut().filter(|observation| observation.technique == "b") {
        observation.value *= 1.0 + 0.1 * f64::from(observation.round.unwrap_or(0)) / 60.0;
    }
    let ranking = judged(&observations);
    assert_eq!((ranking.state, ranking.leader.as_deref()), (State::Wins, Some("a")), "{}", ranking.sentence);
    let b = ranking.entry("b").expect("an entry");
    assert!(b.factor_low <= b.factor && b.factor_high.is_none(), "the bounds contradict each other: {b:?}");
    let flag = ranking.flags.iter().find(|flag| flag.name == "ratio_moved").expect("a flag");
    assert!(flag.important);
    assert!(flag.text.starts_with("b slowed down against a during the run, from 1.0"), "{}", flag.text);
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
    assert!(flag.text.ends_with("; which of the two is faster is unknown"), "{}", flag.text);
    assert!(ranking.entries.iter().all(|entry| entry.standing == Standing::Tied));
    assert_eq!((ranking.candidates.len(), ranking.at_most_slower), (2, None));
    assert_eq!(ranking.state, State::Tied, "{}", ranking.sentence);
}

#[test]
fn all_complete_counted_rounds_are_used() {
    let pair = |count: u32| rounds(&[("a", 1.0), ("b", 1.1)], 0.01, count, 1);
    for count in [14, 61, 78, 251] {
        assert_eq!(judged(&pair(count)).rounds, count - 1, "whether or not it is a look");
    }
    let mut observations = pair(22);
    observations.pop();
    assert_eq!(judged(&observations).rounds, 20, "the last one is incomplete");
    let mut observations = pair(22);
    observations.retain(|observation| observation.round != Some(7) || observation.technique != "a");
    let ranking = judged(&observations);
    assert_eq!(ranking.rounds, 20);
    let flag = ranking.flags.iter().find(|flag| flag.name == "incomplete").expect("a flag");
    assert!(flag.text.ends_with("round 7"), "{}", flag.text);
}

#[test]
fn samples_taken_in_blocks_are_refused() {
    let text = r#"{"results": [{"command": "a", "times": [1,1,1,1,1,1,1]}, {"command": "b", "times": [2,2,2,2,2,2,2]}]}"#;
    let samples = read_samples(text, None, None).expect("hyperfine's export");
    let ranking = samples.decide(&Options::default()).rankings.remove(0);
    assert_eq!(ranking.state, State::Refused);
    assert!(ranking.sentence.contains("taken in blocks"), "{}", ranking.sentence);
    let numbered = |number: &dyn Fn(&Observation) -> Option<u32>| {
        let mut counted = rounds(&[("a", 1.0), ("b", 1.1)], 0.01, 20, 1);
        counted.iter_mut().for_each(|one| one.position = number(one));
        judged(&counted).state
    };
    let in_blocks = numbered(&|one| Some(one.round? + if one.technique == "a" { 0 } else { 20 }));
    assert_eq!(in_blocks, State::Refused);
    // A counter of the whole run is no block.
    assert_eq!(numbered(&|one| Some(2 * one.round? + one.position?)), State::Wins);
}

#[test]
fn an_order_that_bears_on_the_ratio_is_flagged() {
    let mut fixed = rounds(&[("a", 1.0), ("b", 1.1)], 0.01, 20, 1);
    for observation in &mut fixed {
        observation.position = Some(u32::from(observation.technique == "b"));
    }
    let ranking = judged(&fixed);
    let flag = ranking.flags.iter().find(|flag| flag.name == "order").expect("a flag");
    assert!(flag.text.starts_with("a ran before b in every round"), "{}", flag.text);
    // So is a place that costs something.
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
fn slow_runs_of_the_leader_are_important() {
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
    let head = "slow runs of a change the order: in a typical round b costs 1.";
    assert!(means.text.starts_with(head), "{}", means.text);
    assert!(means.text.ends_with(" % less by the mean of all rounds"), "{}", means.text);
}

#[test]
fn two_modes_have_no_typical_value() {
    let two = |round: u32| if round.is_multiple_of(3) { 2.0 } else { 1.0 + 0.001 * f64::from(round % 5) };
    let ranking = judged(&scripted(20, &[("a", &around(1.0, 0.1, 0)), ("b", &two)]));
    let flag = ranking.flags.iter().find(|flag| flag.name == "modes").expect("a flag");
    assert!(flag.text.starts_with("b has two modes") && !flag.important, "{flag:?}");
}

#[test]
fn alpha_is_that_of_each_contest_unless_the_report_shares_it() {
    let mut observations = rounds(&[("a", 1.0), ("b", 1.1)], 0.01, 20, 1);
    let mut other = observations.clone();
    other.iter_mut().for_each(|observation| "large".clone_into(&mut observation.workload.name));
    observations.extend(other);
    let own = rank_observations(&observations, &Options::default());
    assert_eq!(own.iter().map(|ranking| ranking.alpha).collect::<Vec<_>>(), [0.05, 0.05]);
    let shared = rank_observations(&observations, &Options { alpha_report: true, ..Options::default() });
    assert_eq!(shared[0].alpha, 0.025);
    assert!(shared[0].confidence.is_some_and(|found| (found - 0.975).abs() < 1e-9), "{shared:?}");
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
