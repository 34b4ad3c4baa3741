//! The control in every run: one technique entered twice must not be told from itself.

use crate::boundaries::{boundaries, repeated_interval};
use crate::matrix::Matrix;
use crate::quantile::median;

/// The chance that twins which are alike are told apart.
pub const TWIN_ALPHA: f64 = 0.01;

/// No margin is smaller: the layout of one binary alone moves times by so much, as a fraction.
pub const LEAST_DELTA: f64 = 0.01;

/// What the twins showed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TwinOutcome {
    /// Whether the instrument tells a technique from itself.
    pub differ: bool,
    /// The size of the median difference, as a fraction (0.01 is 1 %): the measured floor. It is infinite when one of
    /// them failed in most rounds.
    pub floor: f64,
}

/// Compares a technique with its twin over the rounds both took part in, up to the last completed look.
/// `None` before the first look.
pub fn twins_differ(matrix: &Matrix, a: usize, b: usize, looks: &[u32]) -> Option<TwinOutcome> {
    let common = matrix.rounds_of(a).min(matrix.rounds_of(b));
    let look = looks.iter().copied().rfind(|&look| look <= common)?;
    let differences = matrix.differences(a, b, look);
    let interval = repeated_interval(&differences, looks, &boundaries(TWIN_ALPHA, looks))?;
    let differ = interval.moved || interval.low > 0.0 || interval.high < 0.0;
    Some(TwinOutcome { differ, floor: median(&differences)?.abs().exp_m1() })
}

/// The margin that is really used: never below 1 %, nor below what the twins showed. All are fractions.
pub fn effective_delta(delta: f64, floor: Option<f64>) -> f64 {
    delta.max(LEAST_DELTA).max(floor.filter(|floor| floor.is_finite()).unwrap_or(0.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matrix(d: impl Fn(usize) -> f64, rounds: usize) -> Matrix {
        let mut matrix = Matrix::new(2);
        for round in 0..rounds {
            matrix.push_round(vec![vec![1.0], vec![d(round)]]);
        }
        matrix
    }

    #[test]
    fn twins_that_take_turns_in_being_faster_are_not_told_apart() {
        let even = matrix(|round| if round % 2 == 0 { 1.03 } else { 1.0 / 1.03 }, 20);
        let outcome = twins_differ(&even, 0, 1, &[10, 15, 20]).expect("a look");
        assert!(!outcome.differ);
        assert!(outcome.floor < 1e-12, "{outcome:?}");
    }

    #[test]
    fn a_twin_that_always_loses_is_told_apart_and_its_size_is_the_floor() {
        let outcome = twins_differ(&matrix(|_| 1.05, 20), 0, 1, &[10, 15, 20]).expect("a look");
        assert!(outcome.differ);
        assert!((outcome.floor - 0.05).abs() < 1e-12);
    }

    #[test]
    fn the_margin_is_never_below_one_percent_nor_below_the_floor() {
        assert_eq!(effective_delta(0.005, None), 0.01);
        assert_eq!(effective_delta(0.02, Some(0.001)), 0.02);
        assert_eq!(effective_delta(0.02, Some(0.03)), 0.03);
    }
}
