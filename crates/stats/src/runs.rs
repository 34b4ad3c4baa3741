//! Runs at different times: what may be said, though no round of one was ever next to a round of the other.
//!
//! Intervals from inside two runs are not honest between them: on traces of one host with identical code they found a difference in
//! 30 to 41 % of the cases. What varies is the run, so a run counts as one value, or the field of all techniques is the yardstick.

use statrs::distribution::{ContinuousCDF, StudentsT};

use crate::contest::{Interval, interval};
use crate::matrix::Matrix;
use crate::quantile::{log_difference, median, robust_spread};

/// Runs a side for a change of one technique.
const LEAST_RUNS: usize = 3;
/// Techniques in common for a comparison against the field.
const LEAST_FIELD: usize = 8;
/// A technique changed against the field when it deviates by this many robust spreads of the techniques.
const SPREADS: f64 = 5.0;
const LEAST_ROUNDS: u32 = 6;
/// This many earlier runs are needed for the range in which the next is expected.
pub const LEAST_HISTORY: usize = 5;

/// Returns Welch's interval for the change between two groups of runs on one host; each value is a run's median of `ln t`. `None`
/// below three runs a side, or if all are equal.
pub fn change_between_runs(earlier: &[f64], later: &[f64], alpha: f64) -> Option<Interval> {
    if earlier.len().min(later.len()) < LEAST_RUNS {
        return None;
    }
    let [(one, part), (other, other_part)] = [earlier, later].map(|runs| {
        let share = variance(runs) / runs.len() as f64;
        (share, share.powi(2) / (runs.len() - 1) as f64)
    });
    let sum = one + other;
    let freedom = sum.powi(2) / (part + other_part);
    let estimate = mean(later) - mean(earlier);
    let width = students_t(1.0 - alpha / 2.0, freedom)? * sum.sqrt();
    width.is_finite().then_some(Interval { estimate, low: estimate - width, high: estimate + width })
}

/// Returns the range in which the next run is expected, from five earlier ones on. Divide `alpha` by the techniques shown together.
pub fn expected_range(earlier: &[f64], alpha: f64) -> Option<(f64, f64)> {
    let runs = earlier.len();
    if runs < LEAST_HISTORY {
        return None;
    }
    let t = students_t(1.0 - alpha / 2.0, (runs - 1) as f64)?;
    let width = t * (variance(earlier) * (1.0 + 1.0 / runs as f64)).sqrt();
    Some((mean(earlier) - width, mean(earlier) + width))
}

/// The change of one technique between two runs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FieldChange {
    /// Median of `ln t` later minus earlier.
    pub change: f64,
    /// True if it changed against the field.
    pub flagged: bool,
}

/// Two runs of the same techniques, compared as a field.
#[derive(Debug, Clone, PartialEq)]
pub struct FieldComparison {
    /// The median change over the techniques: the host, or all of them.
    pub field: f64,
    /// One for each technique.
    pub techniques: Vec<FieldChange>,
}

/// Compares two single runs by at least eight techniques in common; `entries` lists the index of a technique in both matrices. Only
/// rounds in which all took part count: the middle of a round is the yardstick. `None` for fewer techniques, or fewer than six such
/// rounds.
pub fn compare_fields(
    earlier: &Matrix, later: &Matrix, entries: &[(usize, usize)],
) -> Option<FieldComparison> {
    if entries.len() < LEAST_FIELD {
        return None;
    }
    let old = figures(earlier, &entries.iter().map(|entry| entry.0).collect::<Vec<_>>())?;
    let new = figures(later, &entries.iter().map(|entry| entry.1).collect::<Vec<_>>())?;
    let changes: Vec<f64> = old.iter().zip(&new).map(|(old, new)| log_difference(new.0, old.0)).collect();
    let (field, spread) = (median(&changes)?, robust_spread(&changes)?);
    let techniques = changes.iter().enumerate().map(|(place, &change)| {
        let (old, new) = (old[place].1, new[place].1);
        let apart = old.high < new.low || new.high < old.low;
        FieldChange { change, flagged: log_difference(change, field).abs() > SPREADS * spread && apart }
    });
    Some(FieldComparison { field, techniques: techniques.collect() })
}

/// Returns the median of `ln t` of each technique, and its 95 % interval relative to the middle of the round.
fn figures(matrix: &Matrix, entries: &[usize]) -> Option<Vec<(f64, Interval)>> {
    let common = entries.iter().map(|&entry| matrix.rounds_of(entry)).min()?;
    let counted = common.checked_sub(1).filter(|&counted| counted >= LEAST_ROUNDS)?;
    let logs = (1..common as usize).map(|round| {
        entries.iter().filter_map(|&entry| Some(matrix.value(entry, round)?.ln())).collect::<Vec<f64>>()
    });
    let logs: Vec<Vec<f64>> = logs.collect();
    let centres: Vec<f64> = logs.iter().filter_map(|round| median(round)).collect();
    let figures = (0..entries.len()).map(|place| {
        let column: Vec<f64> = logs.iter().map(|round| round[place]).collect();
        let relative = column.iter().zip(&centres).map(|(&log, &centre)| log_difference(log, centre));
        Some((median(&column)?, interval(&relative.collect::<Vec<_>>(), 0.05, &[counted])?))
    });
    figures.collect()
}

/// Returns the mean.
pub fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// Returns the variance, estimated from a sample.
pub fn variance(values: &[f64]) -> f64 {
    let mean = mean(values);
    values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (values.len() - 1) as f64
}

fn students_t(share: f64, freedom: f64) -> Option<f64> {
    StudentsT::new(0.0, 1.0, freedom).ok().map(|t| t.inverse_cdf(share))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn welchs_interval_has_the_freedom_of_its_groups() {
        // Variances 1 and 1: standard error sqrt(2/3), 4 degrees of freedom, and R: qt(.975, 4) = 2.776445.
        let found = change_between_runs(&[1.0, 2.0, 3.0], &[11.0, 12.0, 13.0], 0.05).expect("enough runs");
        let width = 2.776_445 * (2.0f64 / 3.0).sqrt();
        assert_eq!(found.estimate, 10.0);
        let off = (found.low - (10.0 - width)).abs().max((found.high - (10.0 + width)).abs());
        assert!(off < 1e-5, "{found:?}");
        // Variances 0.0291667 and 0.07, standard error 0.175: 3.2347 degrees of freedom, so t lies between those of 4 and 3.
        let found = change_between_runs(&[1.0, 1.4, 0.9], &[2.1, 2.5, 2.3, 2.2], 0.05).expect("enough runs");
        let t = (found.high - found.estimate) / 0.175;
        assert!((found.estimate - 1.175).abs() < 1e-12 && t > 2.776_445 && t < 3.182_446, "{found:?}");
        // Two runs a side, or runs that are all equal, show no change.
        assert_eq!(change_between_runs(&[1.0, 1.1], &[2.0, 2.1, 2.2], 0.05), None);
        assert_eq!(change_between_runs(&[1.0; 3], &[1.0; 3], 0.05), None);
    }

    #[test]
    fn the_next_run_is_expected_within_the_spread_of_earlier_ones() {
        // R: qt(.975, 4) = 2.776445; mean 3, sd 1.581139, sqrt(1 + 1/5) = 1.095445.
        let (low, high) = expected_range(&[1.0, 2.0, 3.0, 4.0, 5.0], 0.05).expect("five runs");
        let width = 2.776_445 * 1.581_139 * 1.095_445;
        assert!((low - (3.0 - width)).abs() < 1e-5 && (high - (3.0 + width)).abs() < 1e-5, "{low} {high}");
        assert_eq!(expected_range(&[1.0; 4], 0.05), None);
    }

    /// Returns a run of techniques, the times as given, all slower or faster by `pace`.
    fn run(times: &[f64], pace: f64) -> Matrix {
        let mut matrix = Matrix::new(times.len());
        for round in 0..=20 {
            for (entry, time) in times.iter().enumerate() {
                let jitter = 1.0 + 0.002 * ((round * 7 + entry * 4 + round * entry) % 11) as f64;
                matrix.set(entry, round, vec![time * pace * jitter]);
            }
        }
        matrix
    }

    #[test]
    fn one_technique_that_changed_stands_out_from_the_field() {
        let before: Vec<f64> = (1..=10).map(f64::from).collect();
        let mut after = before.clone();
        after[3] *= 1.2;
        let entries: Vec<(usize, usize)> = (0..10).map(|entry| (entry, entry)).collect();
        let found = compare_fields(&run(&before, 1.0), &run(&after, 1.5), &entries).expect("ten techniques");
        assert!((found.field - 1.5f64.ln()).abs() < 0.01, "{found:?}");
        let flagged: Vec<usize> = (0..10).filter(|&entry| found.techniques[entry].flagged).collect();
        assert_eq!(flagged, [3]);
        assert!((found.techniques[3].change - found.field - 1.2f64.ln()).abs() < 0.01);
    }

    #[test]
    fn seven_techniques_or_five_rounds_are_no_field() {
        let entries: Vec<(usize, usize)> = (0..7).map(|entry| (entry, entry)).collect();
        let seven = run(&[1.0; 7], 1.0);
        assert_eq!(compare_fields(&seven, &seven, &entries), None);
        let mut few = Matrix::new(8);
        (0..6).for_each(|_| few.push_round(vec![vec![1.0]; 8]));
        let entries: Vec<(usize, usize)> = (0..8).map(|entry| (entry, entry)).collect();
        assert_eq!(compare_fields(&few, &few, &entries), None);
    }
}
