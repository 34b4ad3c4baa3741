//! One line of the outcome: what was asked, what was seen, the limit, and whether it holds. Counts have binomial limits.

use std::fmt;
use std::time::Duration;

pub(super) struct Line {
    asked: String,
    seen: String,
    limit: String,
    pub(super) holds: bool,
}

impl Line {
    pub(super) fn new(
        asked: impl Into<String>, seen: impl Into<String>, limit: impl Into<String>, holds: bool,
    ) -> Self {
        Self { asked: asked.into(), seen: seen.into(), limit: limit.into(), holds }
    }

    pub(super) fn share_at_most(asked: impl Into<String>, seen: f64, limit: f64) -> Self {
        Self::new(asked, format!("{seen:.2} %"), format!("at most {limit} %"), seen <= limit)
    }

    pub(super) fn share_at_least(asked: impl Into<String>, seen: f64, limit: f64) -> Self {
        Self::new(asked, format!("{seen:.2} %"), format!("at least {limit} %"), seen >= limit)
    }

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

/// Of how many something holds, and how many there are.
type Count = (usize, usize);

pub(super) fn count<T>(all: &[T], holds: impl Fn(&T) -> bool) -> Count {
    (all.iter().filter(|one| holds(one)).count(), all.len())
}

/// The distance from the expected count that speaks against the instrument.
#[derive(Debug, Clone, Copy)]
pub(super) struct Strictness {
    /// Chance that a line fails although its rate is exactly the one that is allowed.
    tail: f64,
}

impl Strictness {
    /// 97.5 % limits: those of the full form, made for a quiet host.
    pub(super) const FULL: Self = Self { tail: 0.025 };
    /// 99.99 % limits: a dozen lines hold in more than 99.8 % of all runs, even where each stands at the rate that is allowed.
    pub(super) const SHORT: Self = Self { tail: 1e-4 };

    /// Returns the line of what may hold of at most the share `rate` of all; of none where it is 0.
    pub(super) fn at_most(self, asked: impl Into<String>, rate: f64, (seen, of): Count) -> Line {
        let most = self.most(of, rate);
        let limit = if most == 0 { "none".to_owned() } else { format!("at most {most}") };
        Line::new(asked, format!("{seen} of {of}"), limit, seen <= most)
    }

    /// Returns the line of what must hold of at least the share `rate` of all; of each where it is 1.
    pub(super) fn at_least(self, asked: impl Into<String>, rate: f64, (seen, of): Count) -> Line {
        let least = self.least(of, rate);
        let limit = if least == of { "all".to_owned() } else { format!("at least {least}") };
        Line::new(asked, format!("{seen} of {of}"), limit, seen >= least)
    }

    /// Returns the largest count of `n` that the rate `p` explains.
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

    /// Returns the smallest count of `n` that the rate `p` explains.
    fn least(self, n: usize, p: f64) -> usize {
        n - self.most(n, 1.0 - p)
    }
}

/// Returns the chances of 0, 1, ... `n` of `n`, by the recurrence over one more trial: no factorials, no overflow.
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
            let [right, wrong] = [0.05, 0.4].map(|p| binomial(n, p)[..=limit].iter().sum::<f64>());
            assert!(right > 0.999 && wrong < 0.02, "{n}: {right}, {wrong}");
        }
    }

    #[test]
    fn a_line_shows_what_was_seen_and_the_limit_itself_holds() {
        let all: Vec<usize> = (0..200).collect();
        let first = |some: usize| count(&all, |nth| *nth < some);
        assert!(Strictness::FULL.at_most("a winner", 0.05, first(16)).holds);
        let least = [183, 184].map(|some| Strictness::FULL.at_least("found", 0.95, first(some)).holds);
        assert_eq!(least, [false, true]);
        let over = Strictness::FULL.at_most("a winner", 0.05, first(17));
        assert_eq!(over.to_string(), "FAIL  a winner: 17 of 200 (limit: at most 16)");
    }
}
