//! Medians and quantiles that tolerate infinities.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

pub(crate) fn sorted(values: impl IntoIterator<Item = f64>) -> Vec<f64> {
    let mut sorted: Vec<f64> = values.into_iter().collect();
    sorted.sort_unstable_by(f64::total_cmp);
    sorted
}

/// Returns the median of values in any order; infinities are allowed, `None` for no values.
pub fn median(values: &[f64]) -> Option<f64> {
    median_of_sorted(&sorted(values.iter().copied()))
}

pub(crate) fn median_of_sorted(sorted: &[f64]) -> Option<f64> {
    let half = sorted.len() / 2;
    match sorted.len() {
        0 => None,
        n if n % 2 == 1 => Some(sorted[half]),
        _ => Some(midpoint(sorted[half - 1], sorted[half])),
    }
}

/// Values that come one by one: the largest half, quarter ... of them (one in `PARTS`, rounded down) apart from the others.
#[derive(Debug, Clone, Default)]
pub(crate) struct Running<const PARTS: usize> {
    low: BinaryHeap<i64>,
    high: BinaryHeap<Reverse<i64>>,
}

impl<const PARTS: usize> Running<PARTS> {
    pub(crate) fn add(&mut self, value: f64) {
        // Through the lower part, so that its largest value stays below all of the upper one.
        self.low.push(flipped(value.to_bits().cast_signed()));
        self.high.extend(self.low.pop().map(Reverse));
        if self.high.len() > (self.low.len() + self.high.len()) / PARTS {
            self.low.extend(self.high.pop().map(|Reverse(value)| value));
        }
    }

    /// Returns the largest value that is not among the largest: of quarters, the upper quartile. `None` for no values.
    pub(crate) fn below(&self) -> Option<f64> {
        Some(value_of(*self.low.peek()?))
    }
}

impl Running<2> {
    pub(crate) fn median(&self) -> Option<f64> {
        match self.high.peek() {
            Some(Reverse(high)) if self.high.len() == self.low.len() => {
                Some(midpoint(self.below()?, value_of(*high)))
            }
            _ => self.below(),
        }
    }
}

fn value_of(number: i64) -> f64 {
    f64::from_bits(flipped(number).cast_unsigned())
}

/// Returns the bits of a number so that they are in the order of [`f64::total_cmp`], and back.
fn flipped(bits: i64) -> i64 {
    bits ^ (((bits >> 63).cast_unsigned()) >> 1).cast_signed()
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

/// Returns the quantile at `share` (0 to 1), interpolated like R's type 7. `None` for no values.
pub fn quantile(values: &[f64], share: f64) -> Option<f64> {
    quantile_of_sorted(&sorted(values.iter().copied()), share)
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

/// Returns 1.4826 x the median absolute deviation: the standard deviation of normal values. `None` for no values.
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
    fn a_median_may_lie_between_two_values_or_at_infinity() {
        let inf = f64::INFINITY;
        for (values, expected) in [
            (&[][..], None),
            (&[4.0, 1.0, 3.0, 2.0], Some(2.5)),
            (&[3.0, 1.0, 2.0], Some(2.0)),
            (&[inf, 1.0, 2.0], Some(2.0)),
            (&[inf, inf, 1.0, inf], Some(inf)),
            (&[-inf, inf], Some(0.0)),
            (&[-inf, 3.0], Some(-inf)),
        ] {
            assert_eq!(median(values), expected, "{values:?}");
        }
        assert_eq!(quantile(&[1.0, 2.0, inf], 0.5), Some(2.0));
    }

    #[test]
    fn values_that_come_one_by_one_have_the_quantiles_of_all() {
        let (mut halves, mut quarters) = (Running::<2>::default(), Running::<4>::default());
        assert_eq!((halves.median(), quarters.below()), (None, None));
        let values = [3.0, f64::INFINITY, 1.0, -0.0, 0.0, 2.0, f64::NEG_INFINITY, 2.5, 7.5, -4.0];
        for (last, &value) in values.iter().enumerate() {
            halves.add(value);
            quarters.add(value);
            let sorted = sorted(values[..=last].iter().copied());
            let expected = [median_of_sorted(&sorted), Some(sorted[last - (last + 1) / 4])];
            let found = [halves.median(), quarters.below()];
            assert_eq!(
                found.map(|one| one.map(f64::to_bits)),
                expected.map(|one| one.map(f64::to_bits)),
                "{last}"
            );
        }
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
