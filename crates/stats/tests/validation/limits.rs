//! The limit on what choosing the leader costs, and short contests of many entries.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use stats::contest::{Assessment, Rules};
use stats::synthetic::{HOSTILE, QUIET, SHARED};

use crate::simulate::{
    Course, Figures, Rounds, exponential, falsehoods, follow, normal, random, rules, steady, tally,
};

/// Rounds of entries that take these times (logarithms), each with a spread of its own.
fn noisy(taus: &[f64], spread: impl Fn(usize) -> f64, random: &mut ChaCha8Rng) -> Rounds {
    let mut value = |entry: usize| (taus[entry] + spread(entry) * normal(random)).exp();
    (0..=60).map(|_| (0..taus.len()).map(&mut value).collect()).collect()
}

fn exact_among(slower: f64) -> Vec<f64> {
    (0..32).map(|entry| if entry == 0 { 0.0 } else { slower }).collect()
}

/// V10: the 31 are noisy.
fn v10(contests: u64, figures: &mut Figures) {
    for (place, slower) in [0.03, 0.045, 0.06].into_iter().enumerate() {
        let taus = exact_among(slower);
        let [hits] = tally(contests, &mut random(1000 + place as u64), |random| {
            let rounds = noisy(&taus, |entry| if entry == 0 { 0.005 } else { 0.1 }, random);
            [falsehoods(&follow(&rounds, &rules(8, 60), Course::AllLooks, random), &taus).at_most]
        });
        // 1.25 % is the level of the limit for a leader named beforehand.
        let what = format!("the leader's limit is false, others slower by {slower}");
        figures.few(&what, hits, contests, 0.0125);
    }
}

/// V11: fourteen copies of a large file in a short plan.
fn v11(contests: u64, figures: &mut Figures) {
    const TIMES: [f64; 14] =
        [1.0, 1.09, 1.10, 1.14, 1.57, 1.64, 1.73, 1.76, 1.80, 1.88, 1.98, 2.06, 2.20, 2.65];
    let (taus, mut size) = (TIMES.map(f64::ln), 0);
    let [hits] = tally(contests, &mut random(1100), |random| {
        let mut value = |time: f64| {
            let slow = if random.random_bool(0.06) { 0.8 * exponential(random) } else { 0.0 };
            time * (0.12 / std::f64::consts::SQRT_2 * normal(random) + slow).exp()
        };
        let rounds: Rounds = (0..=13).map(|_| TIMES.iter().map(|&time| value(time)).collect()).collect();
        let answers = follow(&rounds, &rules(6, 13), Course::AllLooks, random);
        size += answers.last().expect("looks").candidates.len();
        [falsehoods(&answers, &taus).any()]
    });
    figures.mean("mean S after 13 rounds", size as f64 / contests as f64, 7.0);
    figures.few("any false statement", hits, contests, 0.05);
}

/// V17: with a coarse limit the candidate with the smallest limit leads, and those that hold up no answer leave.
fn v17(contests: u64, figures: &mut Figures) {
    let coarse = Rules { delta: 0.1, ..rules(6, 60) };
    let mut random = random(1700);
    let mut judge =
        |what: &str, taus: &[f64], decided_at_least: f64, rounds: &dyn Fn(&mut ChaCha8Rng) -> Rounds| {
            let [limit, any, decided] = tally(contests, &mut random, |random| {
                let answers = follow(&rounds(random), &coarse, Course::UntilCoarse, random);
                let found = falsehoods(&answers, taus);
                [found.at_most, found.any(), answers.last().is_some_and(|last: &Assessment| last.decided)]
            });
            figures.few(&format!("the limit is false: {what}"), limit, contests, 0.025);
            figures.few(&format!("any false statement: {what}"), any, contests, 0.05);
            figures.many(&format!("decided: {what}"), decided, contests, decided_at_least);
        };
    for slower in [0.1, 0.12, 0.15] {
        // One exact entry among noisy ones that cost little more than what is asked for.
        let (taus, what) = (exact_among(slower), format!("one exact entry, others slower by {slower}"));
        judge(&what, &taus, 0.0, &|random| {
            noisy(&taus, |entry| if entry == 0 { 0.005 } else { 0.25 }, random)
        });
    }
    let taus = [0.0, 0.01, 0.02, 0.05, 0.09, 0.12, 0.2, 0.3, 0.5, 1.0];
    for (host, least) in [(QUIET, 0.97), (SHARED, 0.97), (HOSTILE, 0.8)] {
        judge(host.name, &taus, least, &|random| steady(host, &taus, 60, random));
    }
    // An exact entry and one next to it, before a noisy one that is faster by more than the limit asked for.
    let taus = [0.15, 0.16, 0.0];
    judge("a noisy one ahead", &taus, 0.5, &|random| {
        noisy(&taus, |entry| [0.005, 0.005, 0.2][entry], random)
    });
}

simulations! {
    v17_a_leader_with_the_smallest_limit_keeps_it, v17_long = "V17": v17(15, 500);
    v10_the_limit_holds_for_one_exact_entry_among_noisy_ones, v10_long = "V10": v10(12, 500);
    v11_few_candidates_are_left_of_fourteen_after_thirteen_rounds, v11_long = "V11": v11(60, 200);
}
