//! What is said next to an answer, about two runs, and of how time grows along an axis.

use rand_chacha::ChaCha8Rng;
use stats::contest::{assess, means_reverse, ratios_that_moved};
use stats::synthetic::{HOSTILE, NoisyHost, QUIET, SHARED};
use stats::{Matrix, compare_fields};

use crate::simulate::{Figures, Rounds, matrix_of, normal, on_host, random, rules, steady, tally};

/// V13: two runs of twenty techniques, each of which a run shifts by 1 %.
fn v13(pairs: u64, figures: &mut Figures) {
    let entries: Vec<(usize, usize)> = (0..20).map(|entry| (entry, entry)).collect();
    for changed in [None, Some(7)] {
        let [wrong, found] = tally(pairs, &mut random(1300), |random| {
            let before = one_run(random, |_| 0.0);
            let after = one_run(random, |entry| if changed == Some(entry) { 0.2f64.ln_1p() } else { 0.0 });
            let techniques = compare_fields(&before, &after, &entries).expect("comparable").techniques;
            let mut others = (0..20).filter(|nth| changed != Some(*nth));
            [others.any(|nth| techniques[nth].flagged), changed.is_some_and(|nth| techniques[nth].flagged)]
        });
        let what = if changed.is_some() { "one changed" } else { "none changed" };
        figures.few(&format!("an unchanged one flagged, {what}"), wrong, pairs, 0.05);
        if changed.is_some() {
            figures.many("the changed one found", found, pairs, 0.905);
        }
    }
}

fn one_run(random: &mut ChaCha8Rng, change: impl Fn(usize) -> f64) -> Matrix {
    let pace = 0.03 * normal(random);
    let own: Vec<f64> = (0..20).map(|entry| pace + change(entry) + 0.01 * normal(random)).collect();
    matrix_of(&steady(SHARED, &own, 20, random))
}

/// V14: whether a ratio moved.
fn v14(contests: u64, figures: &mut Figures) {
    for host in [QUIET, SHARED, HOSTILE] {
        let [alarms] = tally(contests, &mut random(1400), |random| {
            let matrix = matrix_of(&steady(host, &[0.0; 10], 60, random));
            let entries: Vec<usize> = (0..10).collect();
            [!ratios_that_moved(&matrix, &assess(&matrix, &entries, &rules(8, 60)), 0.02).is_empty()]
        });
        figures.few(&format!("false alarm, {}", host.name), alarms, contests, 0.012);
    }
    for (host, rate) in [(SHARED, 0.985), (HOSTILE, 0.85)] {
        let [noticed] = tally(contests, &mut random(1401), |random| {
            let matrix = matrix_of(&drifting(host, random));
            [!ratios_that_moved(&matrix, &assess(&matrix, &[0, 1], &rules(8, 60)), 0.02).is_empty()]
        });
        figures.many(&format!("0 to +10 % noticed, {}", host.name), noticed, contests, rate);
    }
}

/// Makes rounds in which the second of two entries becomes slower by 10 %.
fn drifting(host: NoisyHost, random: &mut ChaCha8Rng) -> Rounds {
    let change = |round: u32| (0.1 * f64::from(round) / 60.0).ln_1p();
    on_host(host, 2, 60, random, |entry, round, _| if entry == 1 { change(round) } else { 0.0 })
}

/// Shows why the reversal of means is not shown unasked: among two equal entries it appears too often.
fn means_of_identical_entries(contests: u64, figures: &mut Figures) {
    let [hits] = tally(contests, &mut random(1600), |random| {
        let rounds = steady(HOSTILE, &[0.0; 2], 60, random);
        let columns = [0, 1].map(|entry| rounds[1..].iter().map(|round| round[entry]).collect::<Vec<f64>>());
        [means_reverse(&columns[0], &columns[1]) || means_reverse(&columns[1], &columns[0])]
    });
    figures.at_least("identical entries, hostile", hits, contests, contests / 100);
}

simulations! {
    v13_runs_are_compared_by_their_field, v13_long = "V13": v13(30, 300);
    v14_a_ratio_that_moves_is_noticed, v14_long = "V14": v14(30, 300);
    means_of_identical_entries_reverse_too_often_to_be_shown, means_of_identical_entries_long = "means reverse": means_of_identical_entries(300, 2000);
}
