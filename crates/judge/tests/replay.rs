//! Replays synthetic experiments whose truth is known through the code that judges the samples of other programs.

use judge::{Observation, Options, Ranking, rank_observations};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use stats::contest::{Assessment, Rules, assess};
use stats::synthetic::{HOSTILE, NoisyHost, QUIET, SHARED};
use testkit::turns;

/// The looks of a run of 60 rounds.
const LOOKS: [u32; 10] = [8, 10, 13, 16, 20, 25, 30, 40, 50, 60];

/// One experiment: `effects[technique]` is how much slower it truly is, as a fraction.
fn experiment(
    scenario: &NoisyHost, effects: &[f64], rounds: u32, random: &mut ChaCha8Rng,
) -> Vec<Observation> {
    let mut observations = Vec::with_capacity(rounds as usize * effects.len());
    turns(*scenario, effects.len(), rounds - 1, random, |turn, _| {
        let time = 1e7 * (1.0 + effects[turn.entry]) * turn.factor;
        let mut observation = Observation::new(turn.round, format!("t{}", turn.entry), time);
        observation.position = Some(turn.position);
        observations.push(observation);
    });
    observations
}

fn judged(scenario: &NoisyHost, effects: &[f64], rounds: u32, seed: u64) -> Ranking {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let observations = experiment(scenario, effects, rounds, &mut random);
    rank_observations(&observations, &Options::default()).remove(0)
}

fn place(technique: &str) -> usize {
    technique[1..].parse().expect("t0, t1...")
}

/// Returns whether nothing false is said of a truth in which `t0` takes the least time.
fn holds(ranking: &Ranking, effects: &[f64]) -> bool {
    let least = effects.iter().copied().fold(f64::INFINITY, f64::min);
    let truth = |name: &str| (1.0 + effects[place(name)]) / (1.0 + least);
    let one_of_the_fastest = ranking.candidates.iter().any(|name| truth(name) == 1.0);
    let leader = truth(ranking.leader.as_deref().expect("a leader"));
    let limit = ranking.at_most_slower.is_none_or(|limit| leader <= (1.0 + limit) * 1.000_001);
    let factors = ranking
        .entries
        .iter()
        .filter(|entry| Some(&entry.technique) != ranking.leader.as_ref())
        .all(|entry| {
            let truth = truth(&entry.technique);
            entry.factor_low.unwrap_or(1.0) <= truth && truth <= entry.factor_high.unwrap_or(f64::INFINITY)
        });
    one_of_the_fastest && limit && factors
}

/// Counts, of this many contests, those with a false statement, those with one candidate, and the mean number of candidates.
fn replayed(scenario: &NoisyHost, effects: &[f64], counted: u32, contests: u32) -> (u32, u32, f64) {
    let (mut wrong, mut alone, mut candidates) = (0, 0, 0);
    for seed in 0..contests {
        let ranking = judged(scenario, effects, counted + 1, 1_000 * u64::from(seed) + effects.len() as u64);
        wrong += u32::from(!holds(&ranking, effects));
        alone += u32::from(ranking.candidates.len() == 1);
        candidates += ranking.candidates.len();
    }
    (wrong, alone, candidates as f64 / f64::from(contests))
}

#[test]
fn of_two_that_are_alike_one_is_seldom_called_fastest() {
    for scenario in [&QUIET, &SHARED, &HOSTILE] {
        let (wrong, alone, _) = replayed(scenario, &[0.0, 0.0], 60, 400);
        // 5 % of 400 is 20; the 99.9 % point of the binomial is 35.
        assert!(alone <= 35 && wrong <= 35, "{}: {alone} with one candidate, {wrong} false", scenario.name);
    }
}

#[test]
fn differences_are_found_and_never_the_wrong_way_round() {
    let (alike, two_ahead) = ([0.0; 10], [0.0, 0.0, 0.05, 0.05, 0.05, 0.05, 0.05, 0.05, 0.05, 0.05]);
    let short = [0.0, 0.09, 0.1, 0.57, 0.73, 0.98];
    // What is allowed is the 99.9 % point of 5 %: 21 of 200, 28 of 300.
    for (scenario, effects, counted, contests, most_wrong, alone, candidates) in [
        (&SHARED, &[0.0, 0.02][..], 60, 200, 21, 186..=200, 1.0..2.0),
        (&SHARED, &[0.0, 0.05], 60, 200, 21, 196..=200, 1.0..2.0),
        (&SHARED, &alike, 60, 200, 21, 0..=0, 9.0..10.1),
        (&SHARED, &two_ahead, 60, 200, 21, 0..=200, 1.0..3.0),
        (&HOSTILE, &short, 10, 300, 28, 0..=300, 1.0..5.0),
    ] {
        let (wrong, own, mean) = replayed(scenario, effects, counted, contests);
        assert!(wrong <= most_wrong, "{effects:?}: something false in {wrong} of {contests}");
        assert!(alone.contains(&own), "{effects:?}: one candidate in {own} of {contests}");
        assert!(candidates.contains(&mean), "{effects:?}: {mean} candidates");
    }
}

/// Plays the coordinator: at each look entries leave, until all is decided. Returns what it would have stored.
fn stopped_early(scenario: &NoisyHost, effects: &[f64], seed: u64) -> (Vec<Observation>, Assessment) {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut rest = experiment(scenario, effects, 61, &mut random);
    let rules = Rules { alpha: 0.05, delta: 0.02, looks: LOOKS.to_vec(), baseline: None };
    let entries: Vec<usize> = (0..effects.len()).collect();
    let mut matrix = stats::Matrix::new(effects.len());
    let mut stored = Vec::new();
    let mut assessment = Assessment::default();
    for &look in &rules.looks {
        let (now, later): (Vec<_>, Vec<_>) =
            rest.into_iter().partition(|observation| observation.round <= Some(look));
        for one in &now {
            matrix.set(place(&one.technique), one.round.unwrap_or(0) as usize, vec![one.value]);
        }
        stored.extend(now);
        assessment = assess(&matrix, &entries, &rules);
        assert_eq!(assessment.look, Some(look));
        if assessment.decided {
            break;
        }
        let leavers = assessment.leavers();
        rest = later.into_iter().filter(|one| !leavers.contains(&place(&one.technique))).collect();
    }
    (stored, assessment)
}

#[test]
fn a_run_that_stops_early_is_judged_alike_afterwards() {
    let mut effects = [0.5; 6];
    effects[..2].fill(0.0);
    let (mut wrong, mut departures) = (0, 0);
    for seed in 0..300 {
        let (observations, assessment) = stopped_early(&SHARED, &effects, 99_000_000 + seed);
        let options = Options { looks: LOOKS.to_vec(), ..Options::default() };
        let ranking = rank_observations(&observations, &options).remove(0);
        assert_eq!(Some(ranking.rounds), assessment.look, "seed {seed}");
        let candidates = assessment.candidates.iter().map(|index| format!("t{index}"));
        assert_eq!(ranking.candidates, candidates.collect::<Vec<_>>(), "seed {seed}");
        wrong += u32::from(!holds(&ranking, &effects));
        departures += u32::from(assessment.rows.iter().any(|row| row.left_after.is_some()));
    }
    assert!(wrong <= 28, "something false in {wrong} of 300");
    assert!(departures >= 80, "an entry left in {departures} of 300");
}
