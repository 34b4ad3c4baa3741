//! The limit on what choosing the leader costs, and short contests of many entries.

use rand::RngExt;
use stats::contest::Rules;
use stats::synthetic::{HOSTILE, QUIET, SHARED};

use crate::simulate::{
    Course, Figures, Rounds, exponential, falsehoods, fewest, follow, most, normal, random, rules, steady,
};

/// V10: one exact entry, and 31 noisy ones that are slower by little.
fn v10(contests: u64, figures: &mut Figures) {
    for (place, slower) in [0.03, 0.045, 0.06].into_iter().enumerate() {
        let mut taus = vec![slower; 32];
        taus[0] = 0.0;
        let mut random = random(1000 + place as u64);
        let hits = (0..contests).filter(|_| {
            let rounds: Rounds = (0..=60)
                .map(|_| {
                    let noise = |entry: usize| if entry == 0 { 0.005 } else { 0.1 };
                    let value = |entry: usize| (taus[entry] + noise(entry) * normal(&mut random)).exp();
                    (0..32).map(value).collect()
                })
                .collect();
            falsehoods(&follow(&rounds, &rules(8, 60), Course::AllLooks, &mut random), &taus).at_most
        });
        let what = format!("the leader's limit is false, others slower by {slower}");
        // 1.25 % is the level of the limit for a leader named beforehand.
        figures.few(&what, hits.count() as u64, contests, (500, 15), 0.0125);
    }
}

/// V11: fourteen copies of a large file in a short plan.
fn v11(contests: u64, figures: &mut Figures) {
    const TIMES: [f64; 14] =
        [1.0, 1.09, 1.10, 1.14, 1.57, 1.64, 1.73, 1.76, 1.80, 1.88, 1.98, 2.06, 2.20, 2.65];
    let mut random = random(1100);
    let (mut size, mut hits) = (0, 0);
    let taus = TIMES.map(f64::ln);
    for _ in 0..contests {
        let rounds: Rounds = (0..=13)
            .map(|_| {
                let mut value = |time: f64| {
                    let slow = if random.random_bool(0.06) { 0.8 * exponential(&mut random) } else { 0.0 };
                    time * (0.12 / std::f64::consts::SQRT_2 * normal(&mut random) + slow).exp()
                };
                TIMES.iter().map(|&time| value(time)).collect()
            })
            .collect();
        let answers = follow(&rounds, &rules(6, 13), Course::AllLooks, &mut random);
        size += answers.last().expect("looks").candidates.len();
        hits += u64::from(falsehoods(&answers, &taus).any());
    }
    figures.mean("mean S after 13 rounds", size as f64 / contests as f64, 7.0);
    figures.at_most("any false statement", hits, contests, most(contests, 0.05));
}

/// V17: with a coarse limit the candidate with the smallest limit leads, and those that hold up no answer leave.
fn v17(contests: u64, figures: &mut Figures) {
    const DELTA: f64 = 0.1;
    let coarse = Rules { delta: DELTA, ..rules(6, 60) };
    let mut random = random(1700);
    for slower in [0.1, 0.12, 0.15] {
        // One exact entry among noisy ones that cost little more than what is asked for.
        let mut taus = vec![slower; 32];
        taus[0] = 0.0;
        let (mut limit, mut any) = (0, 0);
        for _ in 0..contests {
            let noise = |entry: usize| if entry == 0 { 0.005 } else { 0.25 };
            let mut value = |entry: usize| (taus[entry] + noise(entry) * normal(&mut random)).exp();
            let rounds: Rounds = (0..=60).map(|_| (0..32).map(&mut value).collect()).collect();
            let found = falsehoods(&follow(&rounds, &coarse, Course::UntilCoarse, &mut random), &taus);
            limit += u64::from(found.at_most);
            any += u64::from(found.any());
        }
        let what = format!("one exact entry, others slower by {slower}");
        figures.at_most(&format!("the limit is false: {what}"), limit, contests, most(contests, 0.025));
        figures.at_most(&format!("any false statement: {what}"), any, contests, most(contests, 0.05));
    }
    let taus = [0.0, 0.01, 0.02, 0.05, 0.09, 0.12, 0.2, 0.3, 0.5, 1.0];
    for (name, host) in [("quiet", QUIET), ("shared", SHARED), ("hostile", HOSTILE)] {
        let (mut limit, mut any, mut decided) = (0, 0, 0);
        for _ in 0..contests {
            let rounds = steady(host, &taus, 60, &mut random);
            let answers = follow(&rounds, &coarse, Course::UntilCoarse, &mut random);
            let found = falsehoods(&answers, &taus);
            limit += u64::from(found.at_most);
            any += u64::from(found.any());
            decided += u64::from(answers.last().is_some_and(|last| last.decided));
        }
        figures.at_most(&format!("the limit is false: {name}"), limit, contests, most(contests, 0.025));
        figures.at_most(&format!("any false statement: {name}"), any, contests, most(contests, 0.05));
        let least = if name == "hostile" { 0.8 } else { 0.97 };
        figures.at_least(&format!("decided: {name}"), decided, contests, fewest(contests, least));
    }
    // An exact entry and one next to it, before a noisy one that is faster by more than the limit asked for.
    let taus = [0.15, 0.16, 0.0];
    let (mut any, mut decided) = (0, 0);
    for _ in 0..contests {
        let mut value = |entry: usize| (taus[entry] + [0.005, 0.005, 0.2][entry] * normal(&mut random)).exp();
        let rounds: Rounds = (0..=60).map(|_| (0..3).map(&mut value).collect()).collect();
        let answers = follow(&rounds, &coarse, Course::UntilCoarse, &mut random);
        any += u64::from(falsehoods(&answers, &taus).any());
        decided += u64::from(answers.last().is_some_and(|last| last.decided));
    }
    figures.at_most("any false statement: a noisy one ahead", any, contests, most(contests, 0.05));
    figures.at_least("decided: a noisy one ahead", decided, contests, fewest(contests, 0.5));
}

simulations! {
    v17_a_leader_with_the_smallest_limit_keeps_it, v17_long = "V17": v17(15, 500);
    v10_the_limit_holds_for_one_exact_entry_among_noisy_ones, v10_long = "V10": v10(12, 500);
    v11_few_candidates_are_left_of_fourteen_after_thirteen_rounds, v11_long = "V11": v11(60, 200);
}
