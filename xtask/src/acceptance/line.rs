//! One line of the outcome: what was asked, what was seen, the limit, and whether it holds.

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

    /// Something that may happen so often at the most.
    pub(super) fn at_most(asked: impl Into<String>, seen: usize, of: usize, limit: usize) -> Self {
        let bound = if limit == 0 { "none".to_owned() } else { format!("at most {limit}") };
        Self::new(asked, format!("{seen} of {of}"), bound, seen <= limit)
    }

    /// Something that must happen so often at the least.
    pub(super) fn at_least(asked: impl Into<String>, seen: usize, of: usize, limit: usize) -> Self {
        let bound = if limit == of { "all".to_owned() } else { format!("at least {limit}") };
        Self::new(asked, format!("{seen} of {of}"), bound, seen >= limit)
    }

    /// A share of many, in percent.
    pub(super) fn share_at_most(asked: impl Into<String>, seen: f64, limit: f64) -> Self {
        Self::new(asked, format!("{seen:.2} %"), format!("at most {limit} %"), seen <= limit)
    }

    pub(super) fn share_at_least(asked: impl Into<String>, seen: f64, limit: f64) -> Self {
        Self::new(asked, format!("{seen:.2} %"), format!("at least {limit} %"), seen >= limit)
    }
}

/// Whether something has ended in time.
pub(super) fn in_time(what: &str, elapsed: Duration, limit_s: f64) -> Line {
    let seen_s = elapsed.as_secs_f64();
    Line::new(
        format!("{what}: time"),
        format!("{seen_s:.1} s"),
        format!("at most {limit_s} s"),
        seen_s <= limit_s,
    )
}

impl fmt::Display for Line {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { asked, seen, limit, holds } = self;
        write!(out, "{}  {asked}: {seen} (limit: {limit})", if *holds { "pass" } else { "FAIL" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_tells_what_was_asked_what_was_seen_and_the_limit() {
        let line = Line::at_most("two identical techniques: a winner", 17, 200, 16);
        assert!(!line.holds);
        assert_eq!(
            line.to_string(),
            "FAIL  two identical techniques: a winner: 17 of 200 (limit: at most 16)"
        );
    }

    #[test]
    fn the_limit_itself_holds() {
        assert!(Line::at_most("a", 16, 200, 16).holds && !Line::at_most("a", 17, 200, 16).holds);
        assert!(Line::at_least("a", 90, 100, 90).holds && !Line::at_least("a", 89, 100, 90).holds);
        assert!(Line::share_at_most("a", 6.0, 6.0).holds && !Line::share_at_most("a", 6.05, 6.0).holds);
        assert!(Line::share_at_least("a", 94.0, 94.0).holds && !Line::share_at_least("a", 93.9, 94.0).holds);
    }
}
