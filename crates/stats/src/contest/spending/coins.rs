//! How many heads a fair coin shows, for those series of coins that have not been stopped at a look.

/// More tosses than this at once are not made one by one. Up to here every number is what single tosses make of it.
const MANY: u32 = 4096;

/// What is less likely than this part of the level cannot change a cut.
const NEGLIGIBLE: f64 = 1e-30;

/// The chance of each number of heads, as far as it is not negligible.
pub(super) struct Coins {
    tosses: u32,
    /// The number of heads of the first chance.
    first: u32,
    chances: Vec<f64>,
    negligible: f64,
}

impl Coins {
    /// No coin has been tossed yet. `level` is the chance of error that will be spent.
    pub(super) fn new(level: f64) -> Self {
        let negligible = (level * NEGLIGIBLE).max(f64::MIN_POSITIVE);
        Self { tosses: 0, first: 0, chances: vec![1.0], negligible }
    }

    /// Tosses until there are this many in all.
    pub(super) fn toss_until(&mut self, tosses: u32) {
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

    /// Forgets what is negligible at both ends.
    fn forget(&mut self) {
        let matters = |chance: &f64| *chance >= self.negligible;
        let end = self.chances.iter().rposition(matters).map_or(0, |last| last + 1);
        self.chances.truncate(end);
        let start = self.chances.iter().position(matters).unwrap_or(0);
        self.chances.drain(..start);
        self.first += start as u32;
    }

    /// Takes the fewest heads out, one number of heads after the other, while `fits` agrees to the chance taken so far
    /// and the next one. Returns from how many heads on nothing was taken, and the chance that was.
    pub(super) fn take(&mut self, fits: impl Fn(f64, f64) -> bool) -> (u32, f64) {
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

/// The chances of the numbers of heads among this many tosses that are not negligible, from the fewest heads on.
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
    let mut ascending = shares.clone();
    ascending.sort_unstable_by(f64::total_cmp);
    let sum: f64 = ascending.iter().sum();
    shares.iter_mut().for_each(|share| *share /= sum);
    (fewest, shares)
}

#[cfg(test)]
mod tests {
    use super::*;

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
