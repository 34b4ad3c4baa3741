//! The exact group-sequential sign test, one side of it: how many rounds may be left out at each look.
//!
//! Under "never slower than the opponent with more than an even chance" the number of rounds that were "not slower" is
//! at least that of heads of a fair coin. The chance of error is spent over looks that were fixed before the first
//! counted round (Jennison & Turnbull 1984; Lan & DeMets 1983): a part of it at the first look, the rest in proportion
//! to the rounds.

/// How much of the chance of error the first look may spend.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pace {
    /// 16 %, or as much as lets the first look say anything at all: for the decision which entries may be fastest.
    Early,
    /// One half: for limits.
    Even,
}

impl Pace {
    /// The chance that is spent at a first look after so many rounds.
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
    spend(level, pace, looks).0
}

/// The boundaries, and the chance of error that they really spend.
fn spend(level: f64, pace: Pace, looks: &[u32]) -> (Vec<Option<u32>>, f64) {
    let (Some(&first), Some(&last)) = (looks.first(), looks.last()) else { return (Vec::new(), 0.0) };
    let at_first = pace.first(level, first);
    // chance[w]: so many rounds were not slower, and nothing has been said yet.
    let mut chance = vec![1.0];
    let (mut spent, mut cuts) = (0.0, Vec::with_capacity(looks.len()));
    for &look in looks {
        while chance.len() <= look as usize {
            chance = toss(&chance);
        }
        let share = if last == first { 1.0 } else { f64::from(look - first) / f64::from(last - first) };
        let available = at_first + (level - at_first) * share;
        let (mut below, mut here) = (0, 0.0);
        while below < look as usize && spent + here + chance[below] <= available {
            here += chance[below];
            below += 1;
        }
        spent += here;
        chance[..below].fill(0.0);
        cuts.push((below as u32).checked_sub(1));
    }
    (cuts, spent)
}

/// One more round: half of every chance stays, half moves up by one.
fn toss(chance: &[f64]) -> Vec<f64> {
    let at = |w: Option<usize>| w.and_then(|w| chance.get(w)).copied().unwrap_or(0.0);
    (0..=chance.len()).map(|w| (at(Some(w)) + at(w.checked_sub(1))) / 2.0).collect()
}

#[cfg(test)]
mod tests;
