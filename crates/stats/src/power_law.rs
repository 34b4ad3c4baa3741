//! How time grows with size: one slope a round, so that a slow round bends nothing.

use crate::contest::{Interval, interval};

/// Returns the least-squares slope of `ln time` on `ln size` for each round of `times[round][size]`; `None` for a round with a
/// missing, zero or infinite time.
pub fn slopes(sizes: &[f64], times: &[Vec<f64>]) -> Vec<Option<f64>> {
    times.iter().map(|round| slope(sizes, round)).collect()
}

fn slope(sizes: &[f64], times: &[f64]) -> Option<f64> {
    let mut all = sizes.iter().chain(times);
    if sizes.len() < 2 || sizes.len() != times.len() || !all.all(|value| value.is_finite() && *value > 0.0) {
        return None;
    }
    let n = sizes.len() as f64;
    let x_mean = sizes.iter().map(|x| x.ln()).sum::<f64>() / n;
    let y_mean = times.iter().map(|y| y.ln()).sum::<f64>() / n;
    let xx: f64 = sizes.iter().map(|x| (x.ln() - x_mean).powi(2)).sum();
    let xy: f64 = sizes.iter().zip(times).map(|(x, y)| (x.ln() - x_mean) * (y.ln() - y_mean)).sum();
    (xx > 0.0).then_some(xy / xx)
}

/// Returns the exponent of `time = c x size ^ exponent` over the counted rounds `times[round][size]`, with its interval over all looks.
/// `None` with fewer than two sizes, a missing time, or before the first look.
pub fn exponent(sizes: &[f64], times: &[Vec<f64>], alpha: f64, looks: &[u32]) -> Option<Interval> {
    interval(&slopes(sizes, times).into_iter().collect::<Option<Vec<f64>>>()?, alpha, looks)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZES: [f64; 6] = [1e3, 2e3, 4e3, 8e3, 16e3, 32e3];
    const LOOKS: [u32; 5] = [8, 10, 13, 16, 20];

    /// 20 rounds, each slower or faster as a whole.
    fn rounds(time: impl Fn(f64) -> f64) -> Vec<Vec<f64>> {
        (1..=20)
            .map(|pace| SIZES.iter().map(|&size| f64::from(pace % 3 + 1) * time(size)).collect())
            .collect()
    }

    #[test]
    fn an_exponent_lies_in_its_interval() {
        for power in [1.0, 0.8, 1.5] {
            let found = exponent(&SIZES, &rounds(|n| n.powf(power)), 0.05, &LOOKS).expect("a fit");
            assert!(
                [found.low, found.estimate, found.high].iter().all(|one| (one - power).abs() < 1e-9),
                "{found:?}"
            );
        }
    }

    #[test]
    fn a_failed_round_or_a_single_size_has_no_slope() {
        let found = slopes(&SIZES[..2], &[vec![1.0, f64::INFINITY], vec![1.0, 4.0]]);
        assert_eq!(found[0], None);
        assert!((found[1].expect("two times") - 2.0).abs() < 1e-12);
        assert_eq!(exponent(&SIZES[..1], &vec![vec![1.0]; 20], 0.05, &LOOKS), None);
    }
}
