//! What bears on an answer without being part of it. What a reader is shown unasked is false in at most 1 % of contests.

use super::Assessment;
use crate::matrix::Matrix;
use crate::noise::{finite, noise};
use crate::quantile::{median, median_of_sorted};
use crate::rank::{fisher_exact, spearman};
use crate::runs::mean;

/// The chance of a false remark of each kind in a contest.
const ALARM: f64 = 0.01;
/// The nearest entries that the leader is compared with.
const NEAREST: usize = 4;
/// From this many counted rounds on a ratio can be seen to move.
const LEAST_ROUNDS: u32 = 20;

/// The ratio of an entry to the leader moved while it was measured. Logarithms of ratios.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Moved {
    /// The entry.
    pub entry: usize,
    /// Median of its time over the leader's in the first third of the rounds.
    pub early: f64,
    /// The same in the last third.
    pub late: f64,
}

/// Returns those of the four entries nearest to the leader whose ratio moved by more than `delta` (a fraction), with a trend that
/// chance explains in less than 1 % of contests.
///
/// The trend is Spearman's. Testing the first third against the last noticed fewer of the true changes.
pub fn ratios_that_moved(matrix: &Matrix, assessment: &Assessment, delta: f64) -> Vec<Moved> {
    let Some(leader) = assessment.leader else { return Vec::new() };
    let others = assessment.rows.iter().filter(|row| row.entry != leader && row.rounds >= LEAST_ROUNDS);
    let moved = others.take(NEAREST).filter_map(|row| {
        let rounds: Vec<f64> = (1..=row.rounds).map(f64::from).collect();
        let differences = matrix.differences_between(leader, row.entry, 1, row.rounds + 1);
        let (_, p) = spearman(&rounds[..differences.len()], &differences)?;
        let third = differences.len() / 3;
        let early = median(&differences[..third])?;
        let late = median(&differences[differences.len() - third..])?;
        let far = (late - early).abs() > delta.ln_1p();
        (p < ALARM / (2 * NEAREST) as f64 && far).then_some(Moved { entry: row.entry, early, late })
    });
    moved.collect()
}

/// One of two candidates has slow runs more often than the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SlowRuns {
    /// Slow runs of the entry, and all of its finite ones.
    pub own: (u32, u32),
    /// The same of the leader.
    pub leader: (u32, u32),
}

/// Compares how often an entry and the leader are slow, among this many candidates. `None` when chance explains the difference. Slow is
/// what is far out for both: on a busy host the calmer one has many runs that are far out for it alone.
pub fn more_slow_runs(own: &[f64], leader: &[f64], candidates: usize) -> Option<SlowRuns> {
    let both = [own, leader];
    let fence = both.into_iter().filter_map(|values| Some(noise(values)?.fence_over_median)).reduce(f64::max);
    let [own, leader] = both.map(|values| {
        let values = finite(values);
        let fence = median_of_sorted(&values).zip(fence).map(|(median, fence)| median * fence);
        let is_slow = |value: &&f64| fence.is_some_and(|fence| **value > fence);
        (values.iter().filter(is_slow).count() as u32, values.len() as u32)
    });
    let p = fisher_exact(own.0.into(), own.1.into(), leader.0.into(), leader.1.into());
    // Two modes, slow runs and means are three kinds of remarks.
    (p < ALARM / (3 * candidates.max(1)) as f64).then_some(SlowRuns { own, leader })
}

/// Returns whether an entry with the larger median has the smaller mean, also without the largest value of each. Not to be shown
/// unasked: on a noisy host it is true in a third of contests of equal entries.
pub fn means_reverse(own: &[f64], leader: &[f64]) -> bool {
    let (own, leader) = (finite(own), finite(leader));
    own.len() >= 2
        && leader.len() >= 2
        && median(&own) > median(&leader)
        && mean(&own) < mean(&leader)
        && mean(&own[..own.len() - 1]) < mean(&leader[..leader.len() - 1])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contest::{Rules, assess};

    /// Judges a leader and an entry whose ratio is given round by round, the first for round 0.
    fn moved(ratio: impl Fn(usize) -> f64, rounds: usize) -> Vec<Moved> {
        let mut matrix = Matrix::new(2);
        for round in 0..=rounds {
            let shake = 1.0 + 0.004 * ((round * 7) % 5) as f64;
            matrix.push_round(vec![vec![1.0], vec![ratio(round) * shake]]);
        }
        let looks = vec![8, 10, 13, 16, 20, 25, 30, 40, 50, 60];
        let rules = Rules { alpha: 0.05, delta: 0.02, looks, baseline: None };
        ratios_that_moved(&matrix, &assess(&matrix, &[0, 1], &rules), 0.02)
    }

    #[test]
    fn a_ratio_that_climbs_is_reported_and_one_that_creeps_is_not() {
        let found = moved(|round| 1.0 + 0.1 * round as f64 / 60.0, 60);
        assert_eq!(found.len(), 1);
        assert!(found[0].late > 0.07 && (0.0..0.03).contains(&found[0].early), "{found:?}");
        assert_eq!(moved(|round| 1.0 + 0.1 * round as f64 / 20.0, 20).len(), 1);
        let sides = moved(|round| 0.95 + 0.1 * round as f64 / 60.0, 60);
        assert!(sides[0].early * sides[0].late < 0.0, "{sides:?}");
        assert!(moved(|_| 1.05, 60).is_empty());
        assert!(moved(|round| 1.0 + 0.0001 * round as f64, 60).is_empty());
        assert!(moved(|round| 1.0 + 0.01 * round as f64, 16).is_empty(), "too few rounds");
    }

    #[test]
    fn slow_runs_are_reported_where_chance_does_not_explain_them() {
        let calm: Vec<f64> = (0..60).map(|i| 1.0 + 0.001 * f64::from(i % 10)).collect();
        let mut slow = calm.clone();
        slow.iter_mut().step_by(5).for_each(|value| *value *= 3.0);
        let found = more_slow_runs(&slow, &calm, 3).expect("a difference");
        assert_eq!((found.own, found.leader), ((12, 60), (0, 60)));
        assert_eq!(more_slow_runs(&calm, &calm, 3), None);
        // One in six is 5 % slower: far out for the calm one alone.
        let nudged = |i: usize| if i.is_multiple_of(6) { 1.05 } else { 1.0 };
        let nudged: Vec<f64> = calm.iter().enumerate().map(|(i, value)| value * nudged(i)).collect();
        let wide = |i: usize| if i.is_multiple_of(5) { 1.5 } else { 1.0 + 0.01 * (i % 10) as f64 };
        let found = more_slow_runs(&(0..60).map(wide).collect::<Vec<_>>(), &nudged, 3).expect("a difference");
        assert_eq!((found.own, found.leader), ((12, 60), (0, 60)));
    }

    #[test]
    fn one_large_value_reverses_no_order_of_means() {
        let own = vec![1.1; 20];
        let mut leader = vec![1.0; 20];
        leader[3] = 50.0;
        assert!(!means_reverse(&own, &leader));
        leader[7] = 50.0;
        assert!(means_reverse(&own, &leader));
        assert!(!means_reverse(&leader, &own));
    }
}
