//! The control: the leader entered a second time must not be distinguished from itself.

use super::interval::interval;
use super::plan::{LOOKS, looks_between};
use crate::matrix::Matrix;
use crate::quantile::median;

/// The chance that twins which are alike are distinguished, for a whole report.
pub const TWIN_ALPHA: f64 = 0.01;

const FIRST_LOOK: u32 = 8;

/// The result of a twin.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TwinCheck {
    /// True if the instrument distinguishes an entry from itself; never before the twin's first look.
    pub differ: bool,
    /// The median of `ln t_twin - ln t_entry`.
    pub difference: f64,
}

/// Returns the looks of a twin that joins when this many rounds of the contest are left: 8, 10, 13 ... of its own.
pub fn twin_looks(rounds_left: u32) -> Vec<u32> {
    let last = LOOKS.iter().copied().rfind(|&look| (FIRST_LOOK..=rounds_left).contains(&look));
    last.map_or(Vec::new(), |last| looks_between(FIRST_LOOK, last))
}

/// Compares an entry with its twin over the rounds that both took part in. `contests` are those of the report that have a twin; they
/// share [`TWIN_ALPHA`]. `None` when there is no such round.
pub fn twin_check(
    matrix: &Matrix, entry: usize, twin: usize, looks: &[u32], contests: usize,
) -> Option<TwinCheck> {
    let differences: Vec<f64> =
        (0..matrix.rounds()).filter_map(|round| matrix.difference(entry, twin, round as usize)).collect();
    let alpha = TWIN_ALPHA / contests.max(1) as f64;
    let found = interval(&differences, alpha, looks);
    Some(TwinCheck {
        differ: found.is_some_and(|interval| interval.excludes(0.0)),
        difference: median(&differences)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn joined(ratio: impl Fn(usize) -> f64) -> Matrix {
        let mut matrix = Matrix::new(2);
        for round in 0..30 {
            let twin = if round < 10 { vec![] } else { vec![ratio(round)] };
            matrix.push_round(vec![vec![1.0], twin]);
        }
        matrix
    }

    #[test]
    fn only_a_twin_that_always_loses_differs() {
        let even = joined(|round| if round % 2 == 0 { 1.03 } else { 1.0 / 1.03 });
        let found = twin_check(&even, 0, 1, &twin_looks(20), 1).expect("rounds");
        assert!(!found.differ && found.difference.abs() < 1e-12, "{found:?}");
        let found = twin_check(&joined(|_| 1.05), 0, 1, &twin_looks(20), 4).expect("rounds");
        assert!(found.differ);
        assert!((found.difference - 1.05f64.ln()).abs() < 1e-12);
        // Of 30 rounds both took part in 20.
        for (looks, differ) in [(&[20][..], true), (&[21], false), (&[], false)] {
            assert_eq!(twin_check(&joined(|_| 1.05), 0, 1, looks, 4).expect("rounds").differ, differ);
        }
    }

    #[test]
    fn a_twin_has_its_own_looks_and_shows_nothing_without_rounds() {
        assert_eq!(twin_looks(22), [8, 10, 13, 16, 20]);
        assert!(twin_looks(7).is_empty());
        let mut matrix = Matrix::new(2);
        matrix.push_round(vec![vec![1.0], vec![]]);
        assert_eq!(twin_check(&matrix, 0, 1, &[8], 1), None);
    }
}
