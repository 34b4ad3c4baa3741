//! The median of paired differences, with an interval that holds at all looks together.

use super::spending::{Pace, boundaries_until};
use crate::quantile::{median_of_sorted, sorted};

/// A median with its interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    /// The median of all values up to the last look.
    pub estimate: f64,
    /// Lower end: the largest of those at the looks so far; minus infinity when there is none yet.
    pub low: f64,
    /// Upper end: the smallest of those at the looks so far. It lies below the lower end when the median moved.
    pub high: f64,
}

impl Interval {
    /// Returns whether it lies on one side of a value.
    pub fn excludes(&self, value: f64) -> bool {
        self.low > value || self.high < value
    }
}

/// Returns the interval for the median of values in the order of their rounds. Each end is wrong with a chance of at most alpha/2.
/// `None` before the first look.
pub fn interval(values: &[f64], alpha: f64, looks: &[u32]) -> Option<Interval> {
    let cuts = boundaries_until(values.len() as u32, alpha / 2.0, Pace::Early, looks);
    let (mut low, mut high, mut estimate) = (f64::NEG_INFINITY, f64::INFINITY, None);
    for (&look, cut) in looks.iter().zip(cuts) {
        let Some(seen) = values.get(..look as usize) else { break };
        let sorted = sorted(seen.iter().copied());
        estimate = median_of_sorted(&sorted);
        if let Some(cut) = cut {
            low = low.max(sorted[cut as usize]);
            high = high.min(sorted[sorted.len() - 1 - cut as usize]);
        }
    }
    estimate.map(|estimate| Interval { estimate, low, high })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ends_leave_out_as_many_values_as_the_cut_says() {
        let values: Vec<f64> = (1..=20).map(f64::from).collect();
        // At 20 rounds alone, x(6) and x(15) hold the median with 95 %: Le Boudec, Performance Evaluation, table A.1.
        let found = interval(&values, 0.05, &[20]).expect("a look");
        assert_eq!((found.low, found.estimate, found.high), (6.0, 10.5, 15.0));
        assert_eq!(interval(&values[..7], 0.05, &[8, 10]), None);
    }

    #[test]
    fn all_looks_hold_together() {
        let mut values: Vec<f64> = (1..=8).map(f64::from).collect();
        values.extend([30.0; 22]);
        let found = interval(&values, 0.05, &[8, 30]).expect("two looks");
        assert_eq!(found.high, 8.0);
        assert!(found.low > found.high && found.excludes(9.0), "the median moved: {found:?}");
    }
}
