//! Replays thousands of synthetic experiments whose truth is known through the code that judges anybody's samples.

use judge::{Observation, Options, Ranking, Standing, Verdict, rank_observations};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use stats::synthetic::{HOSTILE, NoisyHost, QUIET, SHARED, SyntheticNoise};

const ROUNDS: u32 = 60;
const REPLICATES: u32 = 2_000;

/// One experiment: `effects[technique]` is how much slower it truly is, as a fraction.
fn experiment(
    scenario: &NoisyHost,
    effects: &[f64],
    rounds: u32,
    random: &mut ChaCha8Rng,
) -> Vec<Observation> {
    let samples = rounds * effects.len() as u32;
    let mut noise = SyntheticNoise::new(*scenario, samples, random);
    let mut observations = Vec::with_capacity(samples as usize);
    let mut order: Vec<usize> = (0..effects.len()).collect();
    for round in 0..rounds {
        for last in (1..order.len()).rev() {
            order.swap(last, random.random_range(0..=last));
        }
        for (position, &technique) in order.iter().enumerate() {
            let time = 1e7 * (1.0 + effects[technique]) * noise.next_factor(position as u32, random);
            let mut observation = Observation::new(round, format!("t{technique}"), time);
            observation.position = Some(position as u32);
            observations.push(observation);
        }
    }
    observations
}

fn judged(scenario: &NoisyHost, effects: &[f64], rounds: u32, seed: u64) -> Ranking {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let observations = experiment(scenario, effects, rounds, &mut random);
    rank_observations(&observations, &Options::default()).remove(0)
}

fn wins(ranking: &Ranking) -> bool {
    matches!(ranking.verdict, Verdict::Winner | Verdict::WinnerSmall)
}

/// Whether the printed interval of the slower place holds the true ratio.
fn covers(ranking: &Ranking, effect: f64) -> bool {
    let truth = if ranking.places[0].technique == "t0" { 1.0 + effect } else { 1.0 / (1.0 + effect) };
    let place = &ranking.places[1];
    place.ratio_low.unwrap_or(0.0) <= truth && truth <= place.ratio_high.unwrap_or(f64::INFINITY)
}

/// Shares in percent: false winners (or found ones when the effect is not 0), wrong winners, covering intervals.
fn pairs(scenario: &NoisyHost, effect: f64) -> (f64, f64, f64) {
    let (mut found, mut wrong, mut covered) = (0, 0, 0);
    for seed in 0..REPLICATES {
        let ranking =
            judged(scenario, &[0.0, effect], ROUNDS, u64::from(seed) * 1_000 + (effect * 100.0) as u64);
        found += u32::from(wins(&ranking) && (effect == 0.0 || ranking.winner.as_deref() == Some("t0")));
        wrong += u32::from(wins(&ranking) && ranking.winner.as_deref() == Some("t1"));
        covered += u32::from(covers(&ranking, effect));
    }
    let percent = |count: u32| f64::from(count) * 100.0 / f64::from(REPLICATES);
    (percent(found), percent(wrong), percent(covered))
}

fn alike(scenario: &NoisyHost) {
    let (found, _, covered) = pairs(scenario, 0.0);
    assert!(found <= 6.0, "{}: {found} % false winners", scenario.name);
    assert!(covered >= 94.0, "{}: {covered} % of the intervals cover 1", scenario.name);
}

#[test]
fn techniques_that_are_alike_have_no_winner_on_a_quiet_host() {
    alike(&QUIET);
}

#[test]
fn techniques_that_are_alike_have_no_winner_on_a_shared_host() {
    alike(&SHARED);
}

#[test]
fn techniques_that_are_alike_have_no_winner_on_a_hostile_host() {
    alike(&HOSTILE);
}

#[test]
fn differences_of_one_two_and_five_percent_are_found_on_a_shared_host() {
    for (effect, power) in [(0.01, 85.0), (0.02, 97.0), (0.05, 99.0)] {
        let (found, wrong, covered) = pairs(&SHARED, effect);
        assert!(found >= power, "{effect}: {found} % found");
        assert!(wrong <= 0.5, "{effect}: {wrong} % the wrong way round");
        assert!(covered >= 94.0, "{effect}: {covered} % covered");
    }
}

#[test]
fn intervals_hold_on_quiet_and_hostile_hosts_too() {
    for scenario in [&QUIET, &HOSTILE] {
        for effect in [0.01, 0.02, 0.05] {
            let (_, wrong, covered) = pairs(scenario, effect);
            assert!(wrong <= 1.0, "{} {effect}: {wrong} % the wrong way round", scenario.name);
            assert!(covered >= 94.0, "{} {effect}: {covered} % covered", scenario.name);
        }
    }
}

/// What was said of families: shares in percent of false winners, of families with a false "slower" line, and of those
/// whose best two are in one tie group.
fn families(effects: &[f64], best: usize, replicates: u32) -> (f64, f64, f64) {
    let (mut winners, mut slower, mut both) = (0, 0, 0);
    for seed in 0..replicates {
        let ranking = judged(&SHARED, effects, ROUNDS, 77_000_000 + u64::from(seed));
        let is_best =
            |name: &str| name.strip_prefix('t').and_then(|n| n.parse::<usize>().ok()).unwrap_or(best) < best;
        winners += u32::from(wins(&ranking));
        let lines = ranking.places.iter().filter(|place| place.place == Standing::Slower);
        slower += u32::from(lines.into_iter().any(|place| is_best(&place.technique)));
        both += u32::from(
            ranking.verdict == Verdict::Tie && ranking.tied.iter().filter(|name| is_best(name)).count() == 2,
        );
    }
    let percent = |count: u32| f64::from(count) * 100.0 / f64::from(replicates);
    (percent(winners), percent(slower), percent(both))
}

#[test]
fn ten_techniques_that_are_alike_have_neither_a_winner_nor_a_slower_one() {
    let (winners, slower, _) = families(&[0.0; 10], 10, 1_000);
    assert!(winners <= 1.0, "{winners} % false winners");
    assert!(slower <= 6.0, "{slower} % of the families with a false line");
}

#[test]
fn two_that_are_best_are_tied_before_eight_that_are_slower() {
    let mut effects = [0.05; 10];
    effects[..2].fill(0.0);
    let (winners, slower, both) = families(&effects, 2, 1_000);
    assert!(winners <= 6.0, "{winners} % false winners");
    assert!(slower <= 6.0, "{slower} % of the families with a false line");
    assert!(both >= 90.0, "{both} % with both in the tie group");
}

/// Plays the coordinator: looks at the announced rounds, lets those leave who are far behind, stops when everything is
/// decided. What is left is what a run would have stored.
fn stopped_early(scenario: &NoisyHost, effects: &[f64], seed: u64) -> (Vec<Observation>, stats::Assessment) {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut rest = experiment(scenario, effects, ROUNDS, &mut random);
    let rules = stats::Rules { alpha: 0.05, delta: 0.02, looks: stats::DEFAULT_LOOKS.to_vec() };
    let competitors: Vec<usize> = (0..effects.len()).collect();
    let index = |observation: &Observation| observation.technique[1..].parse::<usize>().expect("t0, t1...");
    let mut matrix = stats::Matrix::new(effects.len());
    let mut stored = Vec::new();
    let mut assessment = stats::Assessment::default();
    for &look in &rules.looks {
        let (now, later): (Vec<_>, Vec<_>) =
            rest.into_iter().partition(|observation| observation.round < Some(look));
        for observation in &now {
            matrix.set(index(observation), observation.round.unwrap_or(0) as usize, vec![observation.value]);
        }
        stored.extend(now);
        assessment = stats::assess(&matrix, &competitors, &rules);
        assert_eq!(assessment.look, Some(look));
        if assessment.decided {
            break;
        }
        let leavers = stats::leavers(&assessment);
        rest = later.into_iter().filter(|observation| !leavers.contains(&index(observation))).collect();
    }
    (stored, assessment)
}

#[test]
fn a_run_that_stops_and_drops_early_is_judged_alike_afterwards() {
    let mut effects = [0.5; 6];
    effects[..2].fill(0.0);
    let (mut false_winners, mut departures) = (0, 0);
    for seed in 0..500 {
        let (observations, assessment) = stopped_early(&SHARED, &effects, 99_000_000 + seed);
        let ranking = rank_observations(&observations, &Options::default()).remove(0);
        assert_eq!(Some(ranking.rounds), assessment.look, "seed {seed}");
        let leader = assessment.leader.expect("a look was made");
        assert_eq!(ranking.places[0].technique, format!("t{leader}"), "seed {seed}");
        false_winners += u32::from(wins(&ranking));
        departures += u32::from(assessment.rows.iter().any(|row| row.left.is_some()));
    }
    assert!(false_winners <= 30, "{false_winners} of 500 false winners");
    assert!(departures >= 200, "somebody left in {departures} of 500");
}

#[test]
fn stopping_early_saves_rounds() {
    for (effect, most) in [(0.02, 22.0), (0.05, 14.0)] {
        let rounds = |seed| stopped_early(&SHARED, &[0.0, effect], seed).1.look.unwrap_or(0);
        let mean = (0..500).map(|seed| f64::from(rounds(seed))).sum::<f64>() / 500.0;
        assert!(mean <= most, "{mean} rounds for {effect}");
    }
}
