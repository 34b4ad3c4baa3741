//! Medians and quantiles that tolerate infinities.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The median of values in any order; infinities are allowed, `None` for no values.
pub fn median(values: &[f64]) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    median_of_sorted(&sorted)
}

/// The median of ascending values.
pub(crate) fn median_of_sorted(sorted: &[f64]) -> Option<f64> {
    let half = sorted.len() / 2;
    match sorted.len() {
        0 => None,
        n if n % 2 == 1 => Some(sorted[half]),
        _ => Some(midpoint(sorted[half - 1], sorted[half])),
    }
}

/// The median of values that come one by one.
#[derive(Debug, Clone, Default)]
pub(crate) struct RunningMedian {
    /// The lower half, and the middle one of an odd number.
    low: BinaryHeap<Ordered>,
    high: BinaryHeap<Reverse<Ordered>>,
}

/// A number in the order of [`f64::total_cmp`].
#[derive(Debug, Clone, Copy)]
struct Ordered(f64);

impl Ord for Ordered {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.total_cmp(&other.0)
    }
}

impl PartialOrd for Ordered {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Ordered {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Ordered {}

impl RunningMedian {
    pub(crate) fn add(&mut self, value: f64) {
        // Through the lower half, so that its largest value stays below all of the upper half.
        self.low.push(Ordered(value));
        self.high.extend(self.low.pop().map(Reverse));
        if self.high.len() > self.low.len() {
            self.low.extend(self.high.pop().map(|Reverse(value)| value));
        }
    }

    /// The median of what was added; `None` for nothing.
    pub(crate) fn median(&self) -> Option<f64> {
        let Ordered(low) = *self.low.peek()?;
        match self.high.peek() {
            Some(Reverse(Ordered(high))) if self.high.len() == self.low.len() => Some(midpoint(low, *high)),
            _ => Some(low),
        }
    }
}

/// The upper quartile of values that come one by one: the largest that has a quarter of them above it.
#[derive(Debug, Clone, Default)]
pub(crate) struct RunningUpperQuartile {
    low: BinaryHeap<Ordered>,
    /// The largest quarter, rounded down.
    high: BinaryHeap<Reverse<Ordered>>,
}

impl RunningUpperQuartile {
    pub(crate) fn add(&mut self, value: f64) {
        self.low.push(Ordered(value));
        self.high.extend(self.low.pop().map(Reverse));
        if self.high.len() > (self.low.len() + self.high.len()) / 4 {
            self.low.extend(self.high.pop().map(|Reverse(value)| value));
        }
    }

    /// The upper quartile of what was added; `None` for nothing.
    pub(crate) fn quartile(&self) -> Option<f64> {
        self.low.peek().map(|value| value.0)
    }
}

/// Half-way between two numbers. Half-way between the two infinities is 0: as many rounds against as for.
pub(crate) fn midpoint(low: f64, high: f64) -> f64 {
    if low == high {
        low
    } else if low.is_infinite() && high.is_infinite() {
        0.0
    } else if low.is_infinite() {
        low
    } else {
        low + (high - low) / 2.0
    }
}

/// The quantile at `share` (0 to 1), interpolated between neighbours as R's type 7 and numpy's default do.
/// `None` for no values.
pub fn quantile(values: &[f64], share: f64) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    quantile_of_sorted(&sorted, share)
}

/// [`quantile`] of ascending values.
pub(crate) fn quantile_of_sorted(sorted: &[f64], share: f64) -> Option<f64> {
    let last = sorted.len().checked_sub(1)?;
    let place = share.clamp(0.0, 1.0) * last as f64;
    let below = place.floor() as usize;
    let (low, high) = (sorted[below], sorted[(below + 1).min(last)]);
    let fraction = place - below as f64;
    // Without the second case a far infinity would turn 0 x infinity into no number at all.
    Some(if low == high || fraction == 0.0 { low } else { low + (high - low) * fraction })
}

/// 1.4826 x the median absolute deviation: the standard deviation of normal values, and deaf to outliers.
/// `None` for no values.
pub fn robust_spread(values: &[f64]) -> Option<f64> {
    let centre = median(values)?;
    let away: Vec<f64> = values.iter().map(|&value| log_difference(value, centre).abs()).collect();
    median(&away).map(|deviation| 1.4826 * deviation)
}

/// `a - b` for logarithms that may be infinite: two failures (or two equal numbers) differ by nothing.
pub fn log_difference(a: f64, b: f64) -> f64 {
    if a == b { 0.0 } else { a - b }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_of_an_even_number_of_values_lies_between_the_middle_two() {
        assert_eq!(median(&[4.0, 1.0, 3.0, 2.0]), Some(2.5));
        assert_eq!(median(&[3.0, 1.0, 2.0]), Some(2.0));
        assert_eq!(median(&[]), None);
    }

    #[test]
    fn a_median_of_values_that_come_one_by_one_is_that_of_all_of_them() {
        let mut running = RunningMedian::default();
        assert_eq!(running.median(), None);
        let values = [3.0, f64::INFINITY, 1.0, -0.0, 0.0, 2.0, f64::NEG_INFINITY, 2.0, 7.5, -4.0];
        for (last, &value) in values.iter().enumerate() {
            running.add(value);
            let (found, expected) = (running.median(), median(&values[..=last]));
            assert_eq!(found.map(f64::to_bits), expected.map(f64::to_bits), "{last}");
        }
    }

    #[test]
    fn an_upper_quartile_of_values_that_come_one_by_one_has_a_quarter_of_them_above_it() {
        let mut running = RunningUpperQuartile::default();
        assert_eq!(running.quartile(), None);
        let values = [3.0, f64::INFINITY, 1.0, 0.0, 2.0, f64::NEG_INFINITY, 2.5, 7.5, -4.0];
        for (last, &value) in values.iter().enumerate() {
            running.add(value);
            let mut sorted = values[..=last].to_vec();
            sorted.sort_unstable_by(f64::total_cmp);
            assert_eq!(running.quartile(), Some(sorted[last - (last + 1) / 4]), "{last}");
        }
    }

    #[test]
    fn infinities_are_values_like_any_other() {
        let inf = f64::INFINITY;
        assert_eq!(median(&[inf, 1.0, 2.0]), Some(2.0));
        assert_eq!(median(&[inf, inf, 1.0, inf]), Some(inf));
        assert_eq!(median(&[-inf, inf]), Some(0.0));
        assert_eq!(median(&[-inf, 3.0]), Some(-inf));
        assert_eq!(quantile(&[1.0, 2.0, inf], 0.5), Some(2.0));
    }

    #[test]
    fn quantiles_agree_with_the_default_of_r_and_numpy() {
        // numpy.percentile([15, 20, 35, 40, 50], [25, 40, 95]) = 20, 29, 48
        let values = [15.0, 20.0, 35.0, 40.0, 50.0];
        for (share, expected) in [(0.25, 20.0), (0.4, 29.0), (0.95, 48.0), (0.0, 15.0), (1.0, 50.0)] {
            let found = quantile(&values, share).expect("values");
            assert!((found - expected).abs() < 1e-12, "{share}: {found}");
        }
    }

    #[test]
    fn the_robust_spread_ignores_one_wild_value() {
        // R: mad(c(1, 2, 3, 4, 100)) = 1.4826
        assert_eq!(robust_spread(&[1.0, 2.0, 3.0, 4.0, 100.0]), Some(1.4826));
    }
}
