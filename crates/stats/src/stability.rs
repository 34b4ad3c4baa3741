//! Whether a ratio stayed what it was while it was measured.

use crate::quantile::median;
use crate::rank::{kruskal_wallis, spearman, wald_wolfowitz};

/// Below this p-value a check alarms. Joint false alarm of the three: 1.2 to 2.8 % (simulated).
const ALARM: f64 = 0.01;

/// What three checks say about the order in which differences came.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stability {
    /// Runs above and below the median; `None` when the check cannot be made.
    pub runs_p: Option<f64>,
    /// Kruskal-Wallis over the four quarters of the run.
    pub quarters_p: Option<f64>,
    /// Spearman's trend over the rounds.
    pub trend_p: Option<f64>,
    /// Median difference of each quarter, as the logarithm of a ratio.
    pub quarters: [f64; 4],
}

impl Stability {
    /// Whether any check says that the ratio moved.
    pub fn alarms(&self) -> bool {
        [self.runs_p, self.quarters_p, self.trend_p].into_iter().flatten().any(|p| p < ALARM)
    }

    /// Whether a win survives the alarm: every quarter agrees on the sign and exceeds the margin (as a logarithm).
    pub fn keeps_win(&self, margin: f64) -> bool {
        let all = |sign: f64| self.quarters.iter().all(|&quarter| sign * quarter > margin);
        all(1.0) || all(-1.0)
    }

    /// Whether a tie survives the alarm: every quarter lies within the margin (as a logarithm).
    pub fn keeps_tie(&self, margin: f64) -> bool {
        self.quarters.iter().all(|quarter| quarter.abs() <= margin)
    }
}

/// Checks differences in the order of their rounds. `None` for fewer than 8: a quarter needs two.
pub fn stability(differences: &[f64]) -> Option<Stability> {
    let n = differences.len();
    if n < 8 {
        return None;
    }
    let quarter = |i: usize| &differences[i * n / 4..(i + 1) * n / 4];
    let groups = [quarter(0), quarter(1), quarter(2), quarter(3)];
    let rounds: Vec<f64> = (0..n).map(|round| round as f64).collect();
    Some(Stability {
        runs_p: wald_wolfowitz(differences),
        quarters_p: kruskal_wallis(&groups),
        trend_p: spearman(&rounds, differences).map(|(_, p)| p),
        quarters: groups.map(|group| median(group).unwrap_or(0.0)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ratio_that_climbs_raises_the_alarm_and_loses_its_win() {
        let climbing: Vec<f64> =
            (0..60).map(|i| f64::from(i) * 0.1 / 60.0 + 0.002 * f64::from(i * 7 % 5)).collect();
        let found = stability(&climbing).expect("60 rounds");
        assert!(found.alarms(), "{found:?}");
        assert!(!found.keeps_win(0.02), "{found:?}");
    }

    #[test]
    fn a_large_lead_survives_the_alarm() {
        let climbing: Vec<f64> = (0..60).map(|i| 0.5 + f64::from(i) * 0.1 / 60.0).collect();
        let found = stability(&climbing).expect("60 rounds");
        assert!(found.alarms() && found.keeps_win(0.02), "{found:?}");
    }

    #[test]
    fn a_tie_survives_a_trend_that_stays_inside_the_margin() {
        let creeping: Vec<f64> = (0..60).map(|i| f64::from(i) * 1e-4).collect();
        let found = stability(&creeping).expect("60 rounds");
        assert!(found.alarms() && found.keeps_tie(0.02) && !found.keeps_tie(0.002), "{found:?}");
    }

    #[test]
    fn a_ratio_that_only_jitters_is_left_alone() {
        use rand::{RngExt, SeedableRng};
        let mut random = rand_chacha::ChaCha8Rng::seed_from_u64(1);
        let jitter: Vec<f64> = (0..60).map(|_| random.random_range(-0.01..0.01)).collect();
        let found = stability(&jitter).expect("60 rounds");
        assert!(!found.alarms(), "{found:?}");
    }

    #[test]
    fn seven_rounds_are_too_few_to_tell() {
        assert_eq!(stability(&[0.0; 7]), None);
    }
}
