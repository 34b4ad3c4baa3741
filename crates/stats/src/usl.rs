//! How throughput grows with threads: Gunther's Universal Scalability Law, with the reasons not to believe it.
//!
//! `X(N) = lambda N / (1 + alpha (N - 1) + beta N (N - 1))`: contention alpha, coherence beta
//! (N. Gunther, *How to Quantify Scalability*, perfdynamics.com).

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::quantile::{median, quantile};

const LEAST_LEVELS: usize = 5;
const WORST_RESIDUAL: f64 = 0.10;
const RESAMPLES: usize = 1_000;

/// A fit of the law.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Usl {
    /// Contention: the part of the work that is serial.
    pub alpha: f64,
    /// The ends of its 95 % interval, by resampling rounds.
    pub alpha_range: (f64, f64),
    /// Coherence: the cost of every pair of threads.
    pub beta: f64,
    /// The ends of its 95 % interval, by resampling rounds.
    pub beta_range: (f64, f64),
    /// The threads at which throughput is largest; `None` beyond the largest measured level.
    pub peak: Option<f64>,
    /// Largest deviation of a level's median throughput from the curve, as a fraction.
    pub worst_residual: f64,
}

/// Fits the law to `throughput[round][level]` at `threads[level]`: to the levels that the processors can hold, else to those beyond
/// (`true`). The estimate is from the levels' medians, the intervals from 1,000 resamplings of rounds by `seed`. `None` where it
/// fits neither.
pub fn fit_usl(threads: &[u32], throughput: &[Vec<f64>], processors: u32, seed: u64) -> Option<(Usl, bool)> {
    [false, true].into_iter().find_map(|beyond| {
        let levels = (0..threads.len()).filter(|&level| (threads[level] > processors) == beyond);
        let levels: Vec<usize> = levels.collect();
        let counts: Vec<u32> = levels.iter().map(|&level| threads[level]).collect();
        let rounds: Vec<Vec<f64>> = throughput
            .iter()
            .map(|round| levels.iter().map(|&level| round.get(level).copied().unwrap_or(f64::NAN)).collect())
            .collect();
        Some((fit(&counts, &rounds, seed)?, beyond))
    })
}

fn fit(threads: &[u32], rounds: &[Vec<f64>], seed: u64) -> Option<Usl> {
    if threads.len() < LEAST_LEVELS {
        return None;
    }
    let order: Vec<usize> = (0..rounds.len()).collect();
    let medians = medians(rounds, &order, threads.len());
    if medians.iter().any(|x| !x.is_finite() || *x <= 0.0) {
        return None;
    }
    let [lambda, alpha, beta] = curve(threads, &medians);
    let off = threads.iter().zip(&medians).map(|(&n, x)| {
        let n = f64::from(n);
        (x / (lambda * n / (1.0 + alpha * (n - 1.0) + beta * n * (n - 1.0))) - 1.0).abs()
    });
    let worst_residual = off.fold(0.0, f64::max);
    // A curve that is not a number is a miss too.
    if worst_residual > WORST_RESIDUAL || !lambda.is_finite() {
        return None;
    }
    let (alpha_range, beta_range) = ranges(threads, rounds, seed);
    let top = threads.iter().copied().max().unwrap_or(1);
    let peak = ((1.0 - alpha).max(0.0) / beta).sqrt().max(1.0);
    let peak = Some(peak).filter(|&peak| peak <= f64::from(top));
    Some(Usl { alpha, alpha_range, beta, beta_range, peak, worst_residual })
}

/// Returns the 95 % percentile intervals of alpha and beta over resampled rounds.
fn ranges(threads: &[u32], rounds: &[Vec<f64>], seed: u64) -> ((f64, f64), (f64, f64)) {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let (mut alphas, mut betas) = (Vec::with_capacity(RESAMPLES), Vec::with_capacity(RESAMPLES));
    for _ in 0..RESAMPLES {
        let drawn: Vec<usize> = rounds.iter().map(|_| random.random_range(0..rounds.len())).collect();
        let [_, alpha, beta] = curve(threads, &medians(rounds, &drawn, threads.len()));
        alphas.push(alpha);
        betas.push(beta);
    }
    let [alphas, betas] = [alphas, betas].map(|values| {
        let (low, high) = (quantile(&values, 0.025), quantile(&values, 0.975));
        (low.unwrap_or(f64::NEG_INFINITY), high.unwrap_or(f64::INFINITY))
    });
    (alphas, betas)
}

fn medians(rounds: &[Vec<f64>], drawn: &[usize], levels: usize) -> Vec<f64> {
    let columns =
        (0..levels).map(|level| drawn.iter().map(|&round| rounds[round][level]).collect::<Vec<_>>());
    columns.map(|column| median(&column).unwrap_or(f64::NAN)).collect()
}

/// Returns `[lambda, alpha, beta]` by non-negative least squares on `N / X = a + b (N - 1) + c N (N - 1)` in relative error.
fn curve(threads: &[u32], throughput: &[f64]) -> [f64; 3] {
    let rows = threads.iter().zip(throughput).map(|(&n, x)| {
        let n = f64::from(n);
        let y = n / x;
        [1.0 / y, (n - 1.0) / y, n * (n - 1.0) / y]
    });
    let rows: Vec<[f64; 3]> = rows.collect();
    let error = |c: &[f64; 3]| -> f64 {
        rows.iter().map(|row| (row.iter().zip(c).map(|(r, c)| r * c).sum::<f64>() - 1.0).powi(2)).sum()
    };
    // `a` is never 0, `b` and `c` may each be: of these four fits the best one counts.
    let candidates = [&[0usize, 1, 2][..], &[0, 1], &[0, 2], &[0]].map(|free| least_squares(&rows, free));
    let feasible = candidates.into_iter().flatten().filter(|c| c.iter().all(|&c| c >= 0.0) && c[0] > 0.0);
    let best = feasible.min_by(|a, b| error(a).total_cmp(&error(b)));
    best.map_or([f64::NAN; 3], |[a, b, c]| [1.0 / a, b / a, c / a])
}

/// Solves `row . c = 1` by least squares over the free coefficients, the others 0, by Gaussian elimination with pivoting.
fn least_squares(rows: &[[f64; 3]], free: &[usize]) -> Option<[f64; 3]> {
    let k = free.len();
    let mut system = [[0.0; 4]; 3];
    for (i, &a) in free.iter().enumerate() {
        for (j, &b) in free.iter().enumerate() {
            system[i][j] = rows.iter().map(|row| row[a] * row[b]).sum();
        }
        system[i][k] = rows.iter().map(|row| row[a]).sum();
    }
    for step in 0..k {
        let pivot = (step..k).max_by(|&a, &b| system[a][step].abs().total_cmp(&system[b][step].abs()))?;
        system.swap(step, pivot);
        let top = system[step];
        if top[step] == 0.0 {
            return None;
        }
        for (_, row) in system.iter_mut().enumerate().take(k).filter(|(i, _)| *i != step) {
            let factor = row[step] / top[step];
            for (cell, above) in row.iter_mut().zip(top) {
                *cell -= factor * above;
            }
        }
    }
    let mut coefficients = [0.0; 3];
    for (i, &a) in free.iter().enumerate() {
        coefficients[a] = system[i][k] / system[i][i];
    }
    Some(coefficients)
}

#[cfg(test)]
mod tests {
    use super::*;

    const THREADS: [u32; 7] = [1, 2, 4, 8, 16, 32, 64];

    fn usl(n: f64, alpha: f64, beta: f64) -> f64 {
        100.0 * n / (1.0 + alpha * (n - 1.0) + beta * n * (n - 1.0))
    }

    /// 20 rounds, each with its own pace and 1 % of jitter.
    fn rounds(curve: impl Fn(f64) -> f64, seed: u64) -> Vec<Vec<f64>> {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let rounds = (0..20).map(|_| {
            let pace = random.random_range(0.97..1.03);
            THREADS.iter().map(|&n| pace * curve(f64::from(n)) * random.random_range(0.99..1.01)).collect()
        });
        rounds.collect()
    }

    #[test]
    fn a_known_curve_is_found_with_its_peak() {
        let mut covered = (0, 0);
        for seed in 0..40 {
            let rounds = rounds(|n| usl(n, 0.03, 0.0005), seed);
            let (fit, _) = fit_usl(&THREADS, &rounds, 64, seed).expect("a fit");
            covered.0 += u32::from((fit.alpha_range.0..=fit.alpha_range.1).contains(&0.03));
            covered.1 += u32::from((fit.beta_range.0..=fit.beta_range.1).contains(&0.0005));
            let peak = fit.peak.unwrap_or_else(|| panic!("{fit:?}"));
            assert!((peak - (0.97f64 / 0.0005).sqrt()).abs() < 2.0, "{fit:?}");
        }
        assert!(covered.0 >= 34 && covered.1 >= 34, "{covered:?} of 40");
    }

    #[test]
    fn the_same_seed_gives_the_same_interval() {
        let rounds = rounds(|n| usl(n, 0.03, 0.0005), 1);
        assert_eq!(fit_usl(&THREADS, &rounds, 64, 7), fit_usl(&THREADS, &rounds, 64, 7));
    }

    #[test]
    fn a_peak_beyond_the_levels_is_not_extrapolated() {
        let (fit, _) = fit_usl(&THREADS, &rounds(|n| usl(n, 0.01, 0.0), 1), 64, 1).expect("a fit");
        assert_eq!(fit.peak, None);
        assert!(fit.beta >= 0.0);
    }

    #[test]
    fn levels_beyond_the_processors_are_fitted_apart() {
        let flat = rounds(|n| usl(n.min(16.0), 0.01, 0.0), 1);
        assert!(fit_usl(&THREADS, &flat, 16, 1).is_some_and(|fit| !fit.1));
        let levels = [1, 2, 8, 16, 24, 32, 64];
        let beyond = levels.map(|n| if n > 4 { usl(f64::from(n), 0.03, 0.0005) } else { 1.0 });
        assert!(
            fit_usl(&levels, &vec![beyond.to_vec(); 20], 4, 1).is_some_and(|fit| fit.1),
            "too few levels within"
        );
    }

    #[test]
    fn steps_few_levels_and_failures_have_no_fit() {
        let steps = rounds(|n| if n < 8.0 { 100.0 * n } else { 150.0 }, 1);
        assert_eq!(fit_usl(&THREADS, &steps, 64, 1), None);
        assert_eq!(fit_usl(&THREADS[..4], &[vec![1.0; 4]], 64, 1), None);
        assert_eq!(fit_usl(&THREADS, &vec![vec![f64::INFINITY; 7]; 3], 64, 1), None);
    }
}
