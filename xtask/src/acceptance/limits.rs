//! How often something may happen by chance: limits of binomial counts.

/// How far a count may stray from what is expected before it speaks against the instrument.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Strictness {
    /// Chance that a line fails although its rate is exactly the one that is allowed.
    tail: f64,
}

impl Strictness {
    /// 97.5 % limits: those of the full form, made for a quiet host.
    pub(super) const FULL: Self = Self { tail: 0.025 };
    /// 99.99 % limits: a dozen lines together hold in more than 99.8 % of all runs even where every one of them
    /// stands exactly at the rate that is allowed, and the true rates are lower.
    pub(super) const SHORT: Self = Self { tail: 1e-4 };

    /// The largest count of `n` that the rate `p` explains.
    pub(super) fn at_most(self, n: usize, p: f64) -> usize {
        // `beyond` is the chance of more than `count`.
        let mut beyond = 1.0;
        for (count, chance) in binomial(n, p).into_iter().enumerate() {
            beyond -= chance;
            if beyond <= self.tail {
                return count;
            }
        }
        n
    }

    /// The smallest count of `n` that the rate `p` explains.
    pub(super) fn at_least(self, n: usize, p: f64) -> usize {
        n - self.at_most(n, 1.0 - p)
    }
}

/// Chances of 0, 1, ... `n` of `n`, by the recurrence over one more trial: no factorials, no overflow.
fn binomial(n: usize, p: f64) -> Vec<f64> {
    let mut chances = vec![1.0];
    for _ in 0..n {
        let mut next = vec![0.0; chances.len() + 1];
        for (count, chance) in chances.iter().enumerate() {
            next[count] += chance * (1.0 - p);
            next[count + 1] += chance * p;
        }
        chances = next;
    }
    chances
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limits_of_the_full_form_are_those_of_the_method() {
        let full = Strictness::FULL;
        assert_eq!(full.at_most(200, 0.05), 16, "winners among equals");
        assert_eq!(full.at_most(100, 0.05), 10);
        assert_eq!(full.at_least(200, 0.95), 184, "covering intervals");
        assert_eq!(full.at_least(100, 0.95), 90, "2 % found");
        assert_eq!(full.at_least(100, 0.995), 98, "5 % found");
        assert_eq!(full.at_most(100, 0.025), 6, "2 % called a tie");
        assert_eq!(full.at_least(100, 0.87), 80, "equals called a tie");
        assert_eq!(full.at_least(200, 0.935), 180, "both of two that are best are tied");
        assert_eq!(full.at_least(50, 0.89), 40, "a drift or a tail is told");
    }

    #[test]
    fn the_short_form_lets_a_right_instrument_pass_and_stops_one_that_is_wrong_in_two_of_five() {
        for n in [40, 60, 100] {
            let limit = Strictness::SHORT.at_most(n, 0.05);
            let pass = |p| binomial(n, p)[..=limit].iter().sum::<f64>();
            assert!(pass(0.05) > 0.999, "{n}: {}", pass(0.05));
            assert!(pass(0.4) < 0.02, "{n}: {}", pass(0.4));
        }
    }

    #[test]
    fn nothing_is_allowed_of_a_rate_of_zero_and_everything_of_a_rate_of_one() {
        assert_eq!(Strictness::FULL.at_most(300, 0.0), 0);
        assert_eq!(Strictness::FULL.at_most(300, 1.0), 300);
        assert_eq!(Strictness::FULL.at_least(300, 1.0), 300);
    }
}
