//! The cuts of one contest, worked out once.

use super::spending::{Pace, boundaries_until};
use super::{Length, Rules};

/// The least chance of error that the rule for entries far behind needs: a fastest entry takes over twice as long as another in at
/// most one round of six, and three rounds in a row are needed.
const FAR_BEHIND_LEVEL: f64 = 1.0 / 216.0;

/// The chance of error that goes to the rule for entries which are far behind, in a very short contest.
const VERY_SHORT_FAR_BEHIND: f64 = 0.005;

/// One cut for each look; `None` when nothing can be said there.
pub(crate) type Cuts = Vec<Option<u32>>;

/// The cuts of one contest for each kind of statement.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Levels {
    /// The cuts for the entries that may be fastest.
    pub(crate) candidates: Cuts,
    /// The limit on what choosing the leader costs.
    pub(crate) leader: Cuts,
    /// The lower ends of the factors.
    pub(crate) low: Cuts,
    /// The upper ends of the factors.
    pub(crate) high: Cuts,
    /// Both ends of the baseline's factor, where one was named.
    pub(crate) baseline: (Cuts, Cuts),
    /// True if an entry may be dropped after three rounds in which it took more than twice as long.
    pub(crate) far_behind: bool,
}

impl Levels {
    /// Returns the cuts for a contest that began with this many entries, at the looks after at most this many rounds.
    pub(crate) fn new(rounds: u32, rules: &Rules, entries: usize) -> Self {
        let looks = &rules.looks;
        let error = 1.0 - rules.confidence();
        let cuts = |level, pace| boundaries_until(rounds, level, pace, looks);
        if rules.length() == Length::VeryShort {
            let far_behind = entries > 2;
            let level = if far_behind { error - VERY_SHORT_FAR_BEHIND } else { error };
            return Self::alike(cuts(level, Pace::Early), vec![None; looks.len()], far_behind);
        }
        let candidates = cuts(rules.alpha / 2.0, Pace::Early);
        if entries <= 2 {
            return Self::alike(candidates.clone(), candidates, false);
        }
        let short = rules.length() == Length::Short;
        let far_behind = short && rules.alpha / 10.0 >= FAR_BEHIND_LEVEL;
        // Multiplied first, as the fractions are written: 3/20, 1/20 and 1/10 of the whole.
        let low = if short { rules.alpha / 20.0 } else { 3.0 * rules.alpha / 20.0 };
        let high = rules.alpha / 10.0;
        let shares = if rules.baseline.is_some() { 2.0 * (entries - 2) as f64 } else { (entries - 1) as f64 };
        Self {
            candidates,
            leader: cuts(rules.alpha / 4.0, Pace::Even),
            low: cuts(low / shares, Pace::Even),
            high: cuts(high / shares, Pace::Even),
            baseline: (cuts(low / 2.0, Pace::Even), cuts(high / 2.0, Pace::Even)),
            far_behind,
        }
    }

    fn alike(candidates: Cuts, others: Cuts, far_behind: bool) -> Self {
        let (leader, low, high) = (others.clone(), others.clone(), others.clone());
        Self { candidates, leader, low, high, baseline: (others.clone(), others), far_behind }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules(alpha: f64, looks: &[u32]) -> Rules {
        Rules { alpha, delta: 0.02, looks: looks.to_vec(), baseline: None }
    }

    #[test]
    fn a_contest_of_two_spends_everything_on_one_question() {
        let levels = Levels::new(u32::MAX, &rules(0.05, &[8, 10, 13, 16, 20]), 2);
        let expected: Cuts = [0, 0, 1, 3, 4].map(Some).to_vec();
        assert_eq!(levels.candidates, expected);
        assert_eq!((&levels.leader, &levels.low, &levels.high), (&expected, &expected, &expected));
        assert!(!levels.far_behind);
    }

    #[test]
    fn the_rule_for_entries_far_behind_is_used_where_it_is_paid() {
        assert!(Levels::new(u32::MAX, &rules(0.05, &[6, 8]), 3).far_behind);
        assert!(!Levels::new(u32::MAX, &rules(0.02, &[6, 8]), 3).far_behind);
        assert!(!Levels::new(u32::MAX, &rules(0.05, &[8, 10]), 3).far_behind);
        assert!(Levels::new(u32::MAX, &rules(0.05, &[4, 5]), 3).far_behind);
    }

    #[test]
    fn a_baseline_gets_wider_cuts_than_the_other_rows() {
        let looks = [8, 10, 13, 16, 20, 25, 30, 40, 50, 60];
        let named = Rules { baseline: Some(1), ..rules(0.05, &looks) };
        let levels = Levels::new(u32::MAX, &named, 20);
        assert!(levels.baseline.0 > levels.low, "{levels:?}");
        assert_eq!(levels.baseline.0, Levels::new(u32::MAX, &rules(0.05, &looks), 3).low);
        assert!(Levels::new(u32::MAX, &rules(0.05, &looks), 20).low >= levels.low);
    }
}
