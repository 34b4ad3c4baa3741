//! One line of the outcome: what was asked, what was seen, the limit, and whether it holds. Counts have binomial limits.

use std::fmt;
use std::time::Duration;

pub(super) struct Line {
    /// What was asked, of how many.
    asked: String,
    seen: String,
    limit: String,
    pub(super) holds: bool,
}

impl Line {
    pub(super) fn new(
        asked: impl Into<String>,
        seen: impl Into<String>,
        limit: impl Into<String>,
        holds: bool,
    ) -> Self {
        Self { asked: asked.into(), seen: seen.into(), limit: limit.into(), holds }
    }

    /// A share of many, in percent.
    pub(super) fn share_at_most(asked: impl Into<String>, seen: f64, limit: f64) -> Self {
        Self::new(asked, format!("{seen:.2} %"), format!("at most {limit} %"), seen <= limit)
    }

    pub(super) fn share_at_least(asked: impl Into<String>, seen: f64, limit: f64) -> Self {
        Self::new(asked, format!("{seen:.2} %"), format!("at least {limit} %"), seen >= limit)
    }

    /// Whether something has ended in time.
    pub(super) fn in_time(what: &str, elapsed: Duration, limit_s: f64) -> Self {
        let seen_s = elapsed.as_secs_f64();
        let limit = format!("at most {limit_s} s");
        Self::new(format!("{what}: time"), format!("{seen_s:.1} s"), limit, seen_s <= limit_s)
    }
}

impl fmt::Display for Line {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { asked, seen, limit, holds } = self;
        write!(out, "{}  {asked}: {seen} (limit: {limit})", if *holds { "pass" } else { "FAIL" })
    }
}

/// How far a count may stray from what is expected before it speaks against the instrument.
#[derive(Debug, Clone, Copy)]
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

    /// Something that may hold of at most this share of all; of none where it is 0.
    pub(super) fn at_most<T>(
        self,
        asked: impl Into<String>,
        rate: f64,
        all: &[T],
        holds: impl Fn(&T) -> bool,
    ) -> Line {
        let seen = all.iter().filter(|one| holds(one)).count();
        let most = self.most(all.len(), rate);
        let limit = if most == 0 { "none".to_owned() } else { format!("at most {most}") };
        Line::new(asked, format!("{seen} of {}", all.len()), limit, seen <= most)
    }

    /// Something that must hold of at least this share of all; of every one where it is 1.
    pub(super) fn at_least<T>(
        self,
        asked: impl Into<String>,
        rate: f64,
        all: &[T],
        holds: impl Fn(&T) -> bool,
    ) -> Line {
        let seen = all.iter().filter(|one| holds(one)).count();
        let least = self.least(all.len(), rate);
        let limit = if least == all.len() { "all".to_owned() } else { format!("at least {least}") };
        Line::new(asked, format!("{seen} of {}", all.len()), limit, seen >= least)
    }

    /// The largest count of `n` that the rate `p` explains.
    fn most(self, n: usize, p: f64) -> usize {
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
    fn least(self, n: usize, p: f64) -> usize {
        n - self.most(n, 1.0 - p)
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
        let most = [(200, 0.05, 16), (100, 0.05, 10), (100, 0.025, 6), (300, 0.0, 0), (300, 1.0, 300)];
        assert!(most.iter().all(|&(n, rate, limit)| full.most(n, rate) == limit));
        let least = [(200, 0.95, 184), (100, 0.95, 90), (100, 0.995, 98), (100, 0.87, 80), (200, 0.935, 180)];
        assert!(least.iter().all(|&(n, rate, limit)| full.least(n, rate) == limit));
        assert_eq!((full.least(50, 0.89), full.least(300, 1.0)), (40, 300));
    }

    #[test]
    fn the_short_form_stops_a_wrong_instrument_only() {
        for n in [40, 60, 100] {
            let limit = Strictness::SHORT.most(n, 0.05);
            let pass = |p| binomial(n, p)[..=limit].iter().sum::<f64>();
            assert!(pass(0.05) > 0.999 && pass(0.4) < 0.02, "{n}: {}, {}", pass(0.05), pass(0.4));
        }
    }

    #[test]
    fn a_line_shows_what_was_seen_and_the_limit_itself_holds() {
        let all: Vec<usize> = (0..200).collect();
        let most = |count: usize| Strictness::FULL.at_most("a winner", 0.05, &all, |nth| *nth < count);
        let least = |count: usize| Strictness::FULL.at_least("found", 0.95, &all, |nth| *nth < count);
        assert!(most(16).holds && least(184).holds && !least(183).holds);
        assert_eq!(most(17).to_string(), "FAIL  a winner: 17 of 200 (limit: at most 16)");
    }
}
