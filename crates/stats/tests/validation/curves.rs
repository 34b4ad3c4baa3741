//! Sentences over the levels of an axis, and how time grows along it.

use rand_chacha::ChaCha8Rng;
use stats::contest::{Crossover, PairLevel, assess, crossover, curve};
use stats::synthetic::{HOSTILE, NoisyHost, QUIET, SHARED};
use stats::{Growth, Matrix, power_law};

use crate::simulate::{Figures, on_host, random, rules};

const LEVELS: usize = 14;

/// One matrix for each level; all levels share the rounds and their order. `log` gives an entry's time at a level.
fn levels(
    host: NoisyHost,
    entries: usize,
    counted: u32,
    random: &mut ChaCha8Rng,
    log: impl Fn(usize, usize) -> f64,
) -> Vec<Matrix> {
    let of = |slot: usize| (slot / entries, slot % entries);
    let rounds = on_host(host, LEVELS * entries, counted, random, |slot, _, _| {
        let (level, entry) = of(slot);
        log(level, entry)
    });
    let mut matrices = vec![Matrix::new(entries); LEVELS];
    for round in rounds {
        for (matrix, values) in matrices.iter_mut().zip(round.chunks(entries)) {
            matrix.push_round(values.iter().map(|&value| vec![value]).collect());
        }
    }
    matrices
}

/// V12: A is best up to the fifth level by 5 %, tied with B up to the eighth, and B is best from there; two others
/// follow behind.
fn v12(curves: u64, print: bool) {
    let mut figures = Figures::of("V12");
    let ahead = 0.05f64.ln_1p();
    let log = |level: usize, entry: usize| match (entry, level) {
        (0, 8..) | (1, 0..5) => ahead,
        (0 | 1, _) => 0.0,
        (_, _) => 2.0 * ahead,
    };
    let mut generator = random(1200);
    let (mut wrong, mut tied, mut up, mut down) = (0, 0, 0, 0);
    for _ in 0..curves {
        let matrices = levels(SHARED, 4, 60, &mut generator, log);
        let fastest = |matrix: &Matrix| assess(matrix, &[0, 1, 2, 3], &rules(8, 60)).curve_candidates;
        let found = curve(&matrices.iter().map(fastest).collect::<Vec<_>>());
        let false_up = found.up.is_some_and(|reach| reach.group != 0 || reach.level >= 8);
        let false_down = found.down.is_some_and(|reach| reach.group != 1 || reach.level < 5);
        wrong += u64::from(false_up || false_down);
        // Where both are equally fast, "A is fastest" holds no falsehood, but the level is claimed for one of two.
        let tied_up = found.up.is_some_and(|reach| (5..8).contains(&reach.level));
        let tied_down = found.down.is_some_and(|reach| (5..8).contains(&reach.level));
        tied += u64::from(!false_up && !false_down && (tied_up || tied_down));
        up += u64::from(found.up.is_some_and(|reach| reach.level == 4));
        down += u64::from(found.down.is_some_and(|reach| reach.level == 8));
    }
    figures.few("false, or a tied level claimed", wrong + tied, curves, (300, 28), 0.05);
    figures.note(format!("false {wrong}, tied level claimed {tied}, exact up {up}, exact down {down}"));
    let mut generator = random(1201);
    let covered = (0..curves).filter(|_| crossing_is_covered(&mut generator));
    figures.many("the crossover is covered", covered.count() as u64, curves, (300, 291), 0.985);
    figures.judge(print);
}

/// Two entries whose ratio moves by 2 % a level and changes sides in the middle of the axis.
fn crossing_is_covered(random: &mut ChaCha8Rng) -> bool {
    let middle = (LEVELS - 1) as f64 / 2.0;
    let log = |level: usize, entry: usize| if entry == 0 { 0.02 * (level as f64 - middle) } else { 0.0 };
    let matrices = levels(SHARED, 2, 60, random, log);
    let looks = rules(8, 60).looks;
    let pairs: Vec<PairLevel<'_>> = matrices
        .iter()
        .enumerate()
        .map(|(level, matrix)| PairLevel { at: 2f64.powi(level as i32), matrix, looks: &looks })
        .collect();
    let truth = middle.exp2();
    match crossover(&pairs, 0, 1, 0.05) {
        Crossover::Between { ahead_below, from, to, .. } => ahead_below == 0 && from <= truth && truth <= to,
        _ => false,
    }
}

/// V15: the exponent of n^1.08 over seven levels in twenty rounds.
fn v15(fits: u64, print: bool) {
    let sizes: Vec<f64> = (0..7).map(|level| 1000.0 * 2f64.powi(level)).collect();
    let looks = rules(8, 20).looks;
    let mut figures = Figures::of("V15");
    for host in [QUIET, SHARED, HOSTILE] {
        let mut random = random(1500);
        let (mut covered, mut linear) = (0, 0);
        for _ in 0..fits {
            let rounds = on_host(host, 7, 20, &mut random, |level, _, _| 1.08 * sizes[level].ln());
            let law = power_law(&sizes, &rounds[1..], 0.05, &looks).expect("a fit");
            covered += u64::from(!law.exponent.excludes(1.08));
            linear += u64::from(law.growth == Growth::Linear);
        }
        figures.many(&format!("covered, {}", host.name), covered, fits, (400, 372), 0.955);
        if host != HOSTILE {
            figures.many(&format!("called linear, {}", host.name), linear, fits, (400, 388), 0.985);
        }
    }
    figures.judge(print);
}

simulations! {
    v12_sentences_over_an_axis_are_rarely_false, v12_long = v12(12, 300);
    v15_an_exponent_is_covered, v15_long = v15(40, 400);
}
