//! The exact group-sequential sign test, one side of it: how many rounds may be left out at each look.
//!
//! Under "never slower than the opponent with more than an even chance" the number of rounds that were "not slower" is
//! at least that of heads of a fair coin. The chance of error is spent over looks that were fixed before the first
//! counted round (Jennison & Turnbull 1984; Lan & DeMets 1983): a part of it at the first look, the rest in proportion
//! to the rounds.

mod coins;

use coins::Coins;

/// How much of the chance of error the first look may spend.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pace {
    /// 16 %, or as much as lets the first look say anything at all: for the decision which entries may be fastest.
    Early,
    /// One half: for limits.
    Even,
}

impl Pace {
    /// The chance that is spent at a first look after this many rounds.
    fn first(self, level: f64, rounds: u32) -> f64 {
        match self {
            // The smallest chance at all after n rounds is 2^-n. It is compared as it is: its product with the level
            // and back could be rounded below itself.
            Self::Early => (0.16 * level).max(0.5f64.powi(rounds.min(1000) as i32)).min(level),
            Self::Even => 0.5 * level,
        }
    }
}

/// For each look the number of smallest differences that a lower limit leaves out (or of largest ones, for an upper
/// limit); `None` when nothing can be said at that look. `level` is the chance that the limit is ever wrong; `looks` are
/// numbers of rounds, ascending.
pub fn boundaries(level: f64, pace: Pace, looks: &[u32]) -> Vec<Option<u32>> {
    boundaries_until(u32::MAX, level, pace, looks)
}

/// [`boundaries`] of the looks after at most this many rounds. What lies beyond is only planned: it has a part in how the
/// chance of error is spent, and costs nothing to work out.
pub(crate) fn boundaries_until(rounds: u32, level: f64, pace: Pace, looks: &[u32]) -> Vec<Option<u32>> {
    spend(rounds, level, pace, looks).0
}

/// The boundaries, and the chance of error that they really spend.
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

#[cfg(test)]
mod tests;
