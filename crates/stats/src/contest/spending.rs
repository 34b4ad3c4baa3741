//! The exact group-sequential sign test, one side of it: how many rounds may be left out at each look.
//!
//! Under "never slower than the opponent with more than an even chance" the number of rounds that were "not slower" is at least
//! that of heads of a fair coin. The chance of error is spent over looks that were fixed before the first counted round (Jennison &
//! Turnbull 1984; Lan & DeMets 1983): a part of it at the first look, the rest in proportion to the rounds.

use crate::quantile::sorted;

/// More tosses than this at once are not made one by one. Up to here every number is what single tosses make of it.
const MANY: u32 = 4096;

/// Chances below this part of the level cannot change a cut.
const NEGLIGIBLE: f64 = 1e-30;

/// The part of the chance of error that the first look may spend.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pace {
    /// 16 %, or as much as lets the first look say anything at all: for the decision which entries may be fastest.
    Early,
    /// One half: for limits.
    Even,
}

impl Pace {
    /// Returns the chance that is spent at a first look after this many rounds.
    fn first(self, level: f64, rounds: u32) -> f64 {
        match self {
            // The smallest chance at all after n rounds is 2^-n. It is compared as it is: its product with the level
            // and back could be rounded below itself.
            Self::Early => (0.16 * level).max(0.5f64.powi(rounds.min(1000) as i32)).min(level),
            Self::Even => 0.5 * level,
        }
    }
}

/// Returns, for each ascending look, the number of smallest differences that a lower limit leaves out (largest, for an upper limit);
/// `None` when nothing can be said there. `level` is the chance that the limit is ever wrong.
pub fn boundaries(level: f64, pace: Pace, looks: &[u32]) -> Vec<Option<u32>> {
    boundaries_until(u32::MAX, level, pace, looks)
}

/// Returns the [`boundaries`] of the looks after at most this many rounds. Later looks bear on how the chance is spent.
pub(crate) fn boundaries_until(rounds: u32, level: f64, pace: Pace, looks: &[u32]) -> Vec<Option<u32>> {
    spend(rounds, level, pace, looks).0
}

/// Returns the boundaries, and the chance of error that they really spend.
fn spend(rounds: u32, level: f64, pace: Pace, looks: &[u32]) -> (Vec<Option<u32>>, f64) {
    let (Some(&first), Some(&last)) = (looks.first(), looks.last()) else { return (Vec::new(), 0.0) };
    let at_first = pace.first(level, first);
    // How likely each number of rounds is that were not slower, while nothing has been said yet.
    let mut coins = Coins::new(level);
    let (mut spent, mut cuts) = (0.0, Vec::new());
    for &look in looks.iter().take_while(|&&look| look <= rounds) {
        coins.toss_until(look);
        let share = if last == first { 1.0 } else { f64::from(look - first) / f64::from(last - first) };
        let available = at_first + (level - at_first) * share;
        let (below, here) = coins.take(|here, next| spent + here + next <= available);
        spent += here;
        cuts.push(below.checked_sub(1));
    }
    (cuts, spent)
}

/// The chance of each number of heads of a fair coin, as far as it is not negligible, over the series that no look has stopped.
struct Coins {
    tosses: u32,
    /// The number of heads of the first chance.
    first: u32,
    chances: Vec<f64>,
    negligible: f64,
}

impl Coins {
    /// No coin has been tossed yet. `level` is the chance of error that will be spent.
    fn new(level: f64) -> Self {
        let negligible = (level * NEGLIGIBLE).max(f64::MIN_POSITIVE);
        Self { tosses: 0, first: 0, chances: vec![1.0], negligible }
    }

    fn toss_until(&mut self, tosses: u32) {
        let more = tosses.saturating_sub(self.tosses);
        if more > MANY {
            self.toss_at_once(more);
        } else {
            (0..more).for_each(|_| self.toss());
        }
        self.tosses += more;
    }

    /// Half of every chance stays, half moves up by one.
    fn toss(&mut self) {
        self.chances.push(0.0);
        for heads in (1..self.chances.len()).rev() {
            self.chances[heads] = (self.chances[heads] + self.chances[heads - 1]) / 2.0;
        }
        if let Some(fewest) = self.chances.first_mut() {
            *fewest /= 2.0;
        }
        self.forget();
    }

    /// This many tosses in one step: single ones would take a time that grows with the square of their number.
    fn toss_at_once(&mut self, tosses: u32) {
        let (fewest, shares) = binomial(tosses, self.negligible);
        let mut chances = vec![0.0; (self.chances.len() + shares.len()).saturating_sub(1)];
        for (before, chance) in self.chances.iter().enumerate() {
            for (sum, share) in chances[before..].iter_mut().zip(&shares) {
                *sum += chance * share;
            }
        }
        self.first += fewest;
        self.chances = chances;
        self.forget();
    }

    fn forget(&mut self) {
        let matters = |chance: &f64| *chance >= self.negligible;
        let end = self.chances.iter().rposition(matters).map_or(0, |last| last + 1);
        self.chances.truncate(end);
        let start = self.chances.iter().position(matters).unwrap_or(0);
        self.chances.drain(..start);
        self.first += start as u32;
    }

    /// Takes out the fewest heads, one number after the other, while `fits` agrees to the chance taken and the next. Returns the
    /// first number of heads not taken, and the chance taken.
    fn take(&mut self, fits: impl Fn(f64, f64) -> bool) -> (u32, f64) {
        let most = self.tosses.saturating_sub(self.first) as usize;
        let (mut taken, mut count) = (0.0, 0);
        while let Some(&next) = self.chances.get(count).filter(|&&next| count < most && fits(taken, next)) {
            taken += next;
            count += 1;
        }
        self.chances.drain(..count);
        self.first += count as u32;
        (self.first.min(self.tosses), taken)
    }
}

/// Returns the chances of the numbers of heads among this many tosses that are not negligible, from the fewest heads on.
fn binomial(tosses: u32, negligible: f64) -> (u32, Vec<f64>) {
    let middle = tosses / 2;
    let all = f64::from(tosses);
    // Relative to the middle, which is about 0.8 / sqrt(tosses).
    let least = negligible * all.sqrt();
    let up = (middle..tosses).scan(1.0, |share, heads| {
        *share *= (all - f64::from(heads)) / f64::from(heads + 1);
        Some(*share).filter(|share| *share >= least)
    });
    let up: Vec<f64> = up.collect();
    let down = (0..middle).rev().scan(1.0, |share, heads| {
        *share *= f64::from(heads + 1) / (all - f64::from(heads));
        Some(*share).filter(|share| *share >= least)
    });
    let mut shares: Vec<f64> = down.collect();
    let fewest = middle - shares.len() as u32;
    shares.reverse();
    shares.push(1.0);
    shares.extend(up);
    // The smallest first, so that nothing of them is lost.
    let sum: f64 = sorted(shares.iter().copied()).iter().sum();
    shares.iter_mut().for_each(|share| *share /= sum);
    (fewest, shares)
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    /// Tables that were worked out independently.
    fn vectors() -> Value {
        serde_json::from_str(include_str!("../../tests/vectors.json")).expect("JSON")
    }

    fn looks(table: &Value) -> Vec<u32> {
        let looks = table["looks"].as_array().expect("looks").iter();
        looks.map(|look| look.as_u64().expect("a look") as u32).collect()
    }

    /// Minus one stands for "nothing can be said".
    fn cuts(table: &Value) -> Vec<Option<u32>> {
        let cuts = table.as_array().expect("cuts").iter();
        cuts.map(|cut| u32::try_from(cut.as_i64().expect("a cut")).ok()).collect()
    }

    #[test]
    fn the_boundaries_and_what_they_spend_are_those_of_the_tables() {
        let vectors = vectors();
        let tables = vectors["boundaries"].as_array().expect("tables");
        assert!(tables.len() >= 64);
        for table in tables {
            let pace = if table["first_share"] == 0.5 { Pace::Even } else { Pace::Early };
            let (found, spent) =
                spend(u32::MAX, table["level"].as_f64().expect("a level"), pace, &looks(table));
            assert_eq!(found, cuts(&table["c"]), "{table}");
            assert!((spent - table["spent"].as_f64().expect("a chance")).abs() < 1e-9, "{table}: {spent}");
        }
    }

    #[test]
    fn the_cuts_for_factors_are_those_of_the_tables() {
        use crate::contest::Rules;
        use crate::contest::levels::Levels;
        let vectors = vectors();
        let tables = vectors["per_entries"].as_array().expect("tables");
        assert!(tables.len() >= 64);
        for table in tables {
            let rules = Rules { alpha: 0.05, delta: 0.02, looks: looks(table), baseline: None };
            let levels = Levels::new(u32::MAX, &rules, table["k"].as_u64().expect("a number") as usize);
            assert_eq!((levels.low, levels.high), (cuts(&table["L"]), cuts(&table["U"])), "{table}");
        }
    }

    #[test]
    fn a_level_too_small_for_the_first_look_waits_for_a_later_one() {
        assert_eq!(boundaries(0.001, Pace::Early, &[8, 10, 13]), [None, Some(0), Some(0)]);
    }

    #[test]
    fn looks_that_were_planned_and_never_reached_cost_nothing() {
        let planned = [8, 10, 1_000_000, u32::MAX];
        let far = boundaries_until(10, 0.05, Pace::Even, &planned);
        assert_eq!(far, boundaries(0.05, Pace::Even, &[8, 10, 1_000_000, u32::MAX])[..2]);
    }

    #[test]
    fn a_look_after_many_rounds_agrees_with_the_normal_distribution() {
        let cuts = boundaries(0.025, Pace::Early, &[1_000_000]);
        // 500,000 - 1.959964 x 500 rounds, less one half: the first of this many is left out when the 499,020th is not.
        assert_eq!(cuts, [Some(499_019)]);
    }

    proptest::proptest! {
        #[test]
        fn no_table_spends_more_than_its_level(
            level in 0.0001f64..0.3,
            early: bool,
            steps in proptest::collection::vec(1u32..30, 1..8),
        ) {
            let looks: Vec<u32> = steps.iter().scan(2, |sum, step| { *sum += step; Some(*sum) }).collect();
            let (cuts, spent) = spend(u32::MAX, level, if early { Pace::Early } else { Pace::Even }, &looks);
            proptest::prop_assert!(spent <= level);
            // Later looks never leave out fewer values.
            proptest::prop_assert!(cuts.is_sorted(), "{:?}", cuts);
        }
    }

    #[test]
    fn many_tosses_at_once_are_as_many_single_ones() {
        let (mut one_by_one, mut at_once) = (Coins::new(0.01), Coins::new(0.01));
        for coins in [&mut one_by_one, &mut at_once] {
            coins.toss_until(40);
            assert_eq!(coins.take(|taken, next| taken + next <= 0.001).0, 10);
        }
        at_once.toss_at_once(3000);
        one_by_one.toss_until(3040);
        for (place, chance) in at_once.chances.iter().enumerate().filter(|(_, chance)| **chance > 1e-20) {
            let heads = at_once.first as usize + place;
            let other = one_by_one.chances[heads - one_by_one.first as usize];
            assert!((chance - other).abs() <= 1e-11 * other, "{heads}: {chance} {other}");
        }
    }
}
