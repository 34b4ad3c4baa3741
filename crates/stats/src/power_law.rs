//! How time grows with size: one slope a round, so that a slow round bends nothing.

use crate::contest::{Interval, interval};
use crate::quantile::median;

/// Exponents within this of 1 count as linear, and halves of the sizes whose exponents differ by less do not bend.
const MARGIN: f64 = 0.1;

/// The kind of an exponent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Growth {
    /// Between 0.9 and 1.1.
    Linear,
    /// Above 1.1.
    FasterThanLinear,
    /// Below 0.9.
    SlowerThanLinear,
    /// None of these is sure.
    Open,
    /// The exponents of the two halves of the sizes differ by more than 0.1: no single one describes the growth.
    Bent,
}

/// `time = c x size ^ exponent`, as far as that is true.
#[derive(Debug, Clone, PartialEq)]
pub struct PowerLaw {
    /// The exponent with its interval over all looks.
    pub exponent: Interval,
    /// The kind of growth.
    pub growth: Growth,
    /// The exponents between neighbouring sizes: medians over the rounds.
    pub local: Vec<f64>,
}

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

/// Fits the law to the counted rounds `times[round][size]`. `None` with fewer than two sizes, a missing time, or before the first
/// look.
pub fn power_law(sizes: &[f64], times: &[Vec<f64>], alpha: f64, looks: &[u32]) -> Option<PowerLaw> {
    let exponents: Vec<f64> = slopes(sizes, times).into_iter().collect::<Option<_>>()?;
    let exponent = interval(&exponents, alpha, looks)?;
    let half = sizes.len().div_ceil(2);
    let upper = sizes.len() - half;
    // The exponent of the upper half of the sizes minus that of the lower half.
    let bends = times
        .iter()
        .map(|round| Some(slope(&sizes[upper..], &round[upper..])? - slope(&sizes[..half], &round[..half])?));
    let bends: Option<Vec<f64>> = bends.collect();
    let bend = bends.filter(|_| sizes.len() > 2).and_then(|bends| interval(&bends, alpha, looks));
    let local = (1..sizes.len()).filter_map(|i| {
        let steps = times.iter().map(|round| (round[i] / round[i - 1]).ln() / (sizes[i] / sizes[i - 1]).ln());
        median(&steps.collect::<Vec<_>>())
    });
    Some(PowerLaw { exponent, growth: growth(&exponent, bend.as_ref()), local: local.collect() })
}

fn growth(exponent: &Interval, bend: Option<&Interval>) -> Growth {
    if bend.is_some_and(|bend| bend.low > MARGIN || bend.high < -MARGIN) {
        Growth::Bent
    } else if exponent.low > 1.0 + MARGIN {
        Growth::FasterThanLinear
    } else if exponent.high < 1.0 - MARGIN {
        Growth::SlowerThanLinear
    } else if exponent.low >= 1.0 - MARGIN && exponent.high <= 1.0 + MARGIN {
        Growth::Linear
    } else {
        Growth::Open
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    const SIZES: [f64; 6] = [1e3, 2e3, 4e3, 8e3, 16e3, 32e3];
    const LOOKS: [u32; 5] = [8, 10, 13, 16, 20];

    /// 20 rounds, each slower or faster as a whole, each time jittering by up to 1 %.
    fn rounds(time: impl Fn(f64) -> f64, seed: u64) -> Vec<Vec<f64>> {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let rounds = (0..20).map(|_| {
            let pace = random.random_range(1.0..3.0);
            SIZES.iter().map(|&size| pace * time(size) * random.random_range(0.99..1.01)).collect()
        });
        rounds.collect()
    }

    #[test]
    fn a_curve_that_bends_has_no_single_exponent() {
        let law = power_law(&SIZES, &rounds(|n| 1e6 + n * n, 1), 0.05, &LOOKS).expect("a fit");
        assert_eq!(law.growth, Growth::Bent);
        assert!(law.local[0] < 1.7 && law.local[4] > 1.9, "{law:?}");
    }

    #[test]
    fn growth_is_named_only_where_the_interval_lies_on_one_side() {
        use Growth::{FasterThanLinear, Linear, Open, SlowerThanLinear};
        for (power, growth) in [(1.0, Linear), (0.8, SlowerThanLinear), (1.5, FasterThanLinear), (1.1, Open)]
        {
            let law = power_law(&SIZES, &rounds(|n| n.powf(power), 3), 0.05, &LOOKS).expect("a fit");
            assert_eq!(law.growth, growth, "{power}");
        }
    }

    #[test]
    fn a_failed_round_or_a_single_size_has_no_slope() {
        let found = slopes(&SIZES[..2], &[vec![1.0, f64::INFINITY], vec![1.0, 4.0]]);
        assert_eq!(found[0], None);
        assert!((found[1].expect("two times") - 2.0).abs() < 1e-12);
        assert_eq!(power_law(&SIZES[..1], &vec![vec![1.0]; 20], 0.05, &LOOKS), None);
    }
}
