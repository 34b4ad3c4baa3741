//! How many rounds: the looks that a budget affords, and what a question would take.

use std::fmt;

/// The looks of a run that has time.
pub const DEFAULT_LOOKS: [u32; 6] = [10, 15, 20, 30, 40, 60];
/// The looks of a quick run.
pub const QUICK_LOOKS: [u32; 3] = [10, 15, 20];
/// The looks of a run that goes deep.
pub const DEEP_LOOKS: [u32; 8] = [10, 15, 20, 30, 40, 60, 80, 100];

/// Fewer rounds than any verdict at 95 % can be drawn from: with 5 rounds the smallest p-value is 1/16.
const LEAST_ROUNDS: u32 = 6;

/// A budget affords too few rounds for any verdict.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TooFew {
    /// The rounds that are affordable.
    pub affordable_rounds: u32,
}

impl fmt::Display for TooFew {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { affordable_rounds } = self;
        write!(
            f,
            "{affordable_rounds} rounds are too few for any verdict: at least {LEAST_ROUNDS} are needed"
        )
    }
}

impl std::error::Error for TooFew {}

/// The looks of a schedule that a budget affords: those below the affordable number of rounds, and that number.
/// It must be fixed before the first round.
///
/// # Errors
/// Fewer than 6 rounds are affordable.
pub fn plan_looks(default: &[u32], affordable_rounds: u32) -> Result<Vec<u32>, TooFew> {
    if affordable_rounds < LEAST_ROUNDS {
        return Err(TooFew { affordable_rounds });
    }
    let last = default.last().map_or(affordable_rounds, |&last| last.min(affordable_rounds));
    let mut looks: Vec<u32> = default.iter().copied().filter(|&look| look < last).collect();
    looks.push(last);
    Ok(looks)
}

/// Rounds that settle a tie within `delta`, when the differences spread by `spread` (1.4826 x their median absolute
/// deviation). Both are logarithms of a ratio. Fitted to simulations, good to a factor of 1.5; never below 10.
pub fn rounds_to_tie(spread: f64, delta: f64) -> f64 {
    rounds(22.0, spread, delta)
}

/// Rounds that find a true difference of `effect`; see [`rounds_to_tie`].
pub fn rounds_to_find(spread: f64, effect: f64) -> f64 {
    rounds(20.0, spread, effect.abs())
}

/// Rounds that prove that a true difference of `effect` exceeds `delta`; see [`rounds_to_tie`].
/// Infinite when it does not.
pub fn rounds_to_prove(spread: f64, effect: f64, delta: f64) -> f64 {
    rounds(20.0, spread, (effect.abs() - delta).max(0.0))
}

fn rounds(factor: f64, spread: f64, width: f64) -> f64 {
    if spread == 0.0 {
        return 10.0;
    }
    (factor * (spread / width).powi(2)).max(10.0).ceil()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_budget_cuts_the_schedule_and_adds_its_own_end() {
        assert_eq!(plan_looks(&DEFAULT_LOOKS, 25), Ok(vec![10, 15, 20, 25]));
        assert_eq!(plan_looks(&DEFAULT_LOOKS, 20), Ok(vec![10, 15, 20]));
        assert_eq!(plan_looks(&DEFAULT_LOOKS, 1000), Ok(DEFAULT_LOOKS.to_vec()));
        assert_eq!(plan_looks(&DEFAULT_LOOKS, 10), Ok(vec![10]));
        assert_eq!(plan_looks(&DEFAULT_LOOKS, 8), Ok(vec![8]));
        assert_eq!(plan_looks(&DEFAULT_LOOKS, 6), Ok(vec![6]));
    }

    #[test]
    fn five_rounds_are_refused_in_a_sentence() {
        let refused = plan_looks(&DEFAULT_LOOKS, 5).expect_err("five rounds");
        assert_eq!(refused.to_string(), "5 rounds are too few for any verdict: at least 6 are needed");
    }

    #[test]
    fn the_plan_agrees_with_the_examples_of_the_specification() {
        // Quiet .8 %, shared 1.7 %, hostile 4.4 %: a tie at 2 % takes 10, 20-30 and 80-110 rounds.
        assert_eq!(rounds_to_tie(0.008, 0.02), 10.0);
        assert_eq!(rounds_to_tie(0.017, 0.02), 16.0);
        assert_eq!(rounds_to_tie(0.044, 0.02), 107.0);
        assert_eq!(rounds_to_find(0.017, 0.01), 58.0);
        assert_eq!(rounds_to_prove(0.017, 0.01, 0.02), f64::INFINITY);
        assert_eq!(rounds_to_prove(0.02, 0.04, 0.02), 20.0);
    }
}
