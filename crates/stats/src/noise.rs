//! How much values vary: figures that explain, and never clean.

use crate::quantile::{median_of_sorted, quantile_of_sorted, robust_spread, sorted};

/// From this many values on the 99th percentile is a figure and not the maximum under another name.
const LEAST_FOR_P99: usize = 100;

/// The variation of one technique's values. Failures (infinite values) are left out: they are counted elsewhere.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Noise {
    /// 1.4826 x median absolute deviation / median.
    pub robust_spread: f64,
    /// 95th percentile / median.
    pub p95_over_median: f64,
    /// 99th percentile / median; `None` below 100 values.
    pub p99_over_median: Option<f64>,
    /// Largest / median.
    pub max_over_median: f64,
    /// Tukey's outer fence, Q3 + 3 x (Q3 - Q1), / median.
    pub fence_over_median: f64,
    /// Values beyond the fence; they are kept.
    pub far_out: u32,
}

/// Returns the finite values in ascending order.
pub(crate) fn finite(values: &[f64]) -> Vec<f64> {
    sorted(values.iter().copied().filter(|value| value.is_finite()))
}

/// Returns the figures for values in any order. `None` when there are none or half of them are 0.
pub fn noise(values: &[f64]) -> Option<Noise> {
    let sorted = finite(values);
    let median = median_of_sorted(&sorted).filter(|&median| median > 0.0)?;
    let [q1, q3, p95, p99] = [0.25, 0.75, 0.95, 0.99].map(|share| quantile_of_sorted(&sorted, share));
    let (q1, q3) = (q1?, q3?);
    let fence = q3 + 3.0 * (q3 - q1);
    Some(Noise {
        robust_spread: robust_spread(&sorted)? / median,
        p95_over_median: p95? / median,
        p99_over_median: p99.filter(|_| sorted.len() >= LEAST_FOR_P99).map(|p99| p99 / median),
        max_over_median: sorted.last()? / median,
        fence_over_median: fence / median,
        far_out: sorted.iter().filter(|&&value| value > fence).count() as u32,
    })
}

/// Two modes of one technique's values: there is no "typical" one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Modes {
    /// Median of the fast mode.
    pub fast: f64,
    /// Median of the slow mode.
    pub slow: f64,
    /// Share of the values in the slow mode.
    pub slow_share: f64,
}

/// Returns two modes: the widest gap of neighbors has a ratio of 1.8 or more, with 15 % of the finite values on either side.
pub fn modes(values: &[f64]) -> Option<Modes> {
    const GAP: f64 = 1.8;
    const SHARE: f64 = 0.15;
    let sorted = sorted(values.iter().copied().filter(|v| v.is_finite() && *v > 0.0));
    let n = sorted.len();
    let splits = (1..n).filter(|&split| split.min(n - split) as f64 >= SHARE * n as f64);
    let gaps = splits.map(|split| (sorted[split] / sorted[split - 1], split));
    let (gap, split) = gaps.max_by(|a, b| a.0.total_cmp(&b.0))?;
    let found = Modes {
        fast: median_of_sorted(&sorted[..split])?,
        slow: median_of_sorted(&sorted[split..])?,
        slow_share: (n - split) as f64 / n as f64,
    };
    (gap >= GAP).then_some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_figures_of_a_known_series_are_right() {
        // R: quantile(1:9, c(.25, .5, .75, .95)) = 3, 5, 7, 8.6; mad(1:9) = 2.9652
        let values: Vec<f64> = (1..=9).map(f64::from).collect();
        let noise = noise(&values).expect("values");
        assert!((noise.robust_spread - 2.9652 / 5.0).abs() < 1e-12);
        assert!((noise.p95_over_median - 1.72).abs() < 1e-12);
        assert_eq!((noise.max_over_median, noise.p99_over_median, noise.far_out), (1.8, None, 0));
    }

    #[test]
    fn far_values_are_counted_and_failures_are_skipped() {
        let mut values: Vec<f64> = (0..100).map(|i| 10.0 + f64::from(i % 5)).collect();
        values.extend([100.0, f64::INFINITY]);
        let noise = noise(&values).expect("values");
        assert_eq!(noise.far_out, 1);
        assert_eq!(noise.max_over_median, 100.0 / 12.0);
        assert!(noise.p99_over_median.is_some());
    }

    #[test]
    fn nothing_is_said_of_nothing() {
        assert_eq!(noise(&[]), None);
        assert_eq!(noise(&[f64::INFINITY]), None);
        assert_eq!(noise(&[0.0, 0.0, 1.0]), None);
        assert_eq!(modes(&[]), None);
        assert_eq!(modes(&[1.0]), None);
    }

    #[test]
    fn two_modes_are_found_and_a_single_straggler_is_none() {
        let mut values = vec![1.0; 70];
        values.extend([2.0; 30]);
        assert_eq!(modes(&values), Some(Modes { fast: 1.0, slow: 2.0, slow_share: 0.3 }));
        let mut straggler = vec![1.0; 99];
        straggler.push(50.0);
        assert_eq!(modes(&straggler), None);
        let spread: Vec<f64> = (10..60).map(f64::from).collect();
        assert_eq!(modes(&spread), None);
    }
}
