//! When a run began, and the order of runs.

use jiff::Timestamp;

use crate::record::RunId;

/// When a run began, as far as its record tells. Runs sort by it, those of other hosts and time zones among them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Began {
    /// Seconds of UTC since 1970; `None` where the text is no time, which sorts first.
    second: Option<i64>,
    /// The millisecond, where the identity tells it.
    millisecond: Option<u16>,
}

impl Began {
    /// Of a run that says that it `started` then (RFC 3339 with offset), and whose identity may hold the millisecond.
    pub fn of(started: &str, id: &RunId) -> Self {
        Self { second: second(started), millisecond: millisecond(&id.0) }
    }
}

/// Seconds of UTC since 1970.
pub(crate) fn second(started: &str) -> Option<i64> {
    started.parse::<Timestamp>().ok().map(Timestamp::as_second)
}

/// Of an identity like `20261121T090000.123Z-7f3kq2m9`.
fn millisecond(id: &str) -> Option<u16> {
    let (time, _random) = id.split_once("Z-")?;
    let (_second, digits) = time.split_once('.')?;
    (digits.len() == 3).then(|| digits.parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn began(started: &str, id: &str) -> Began {
        Began::of(started, &RunId(id.to_owned()))
    }

    #[test]
    fn runs_sort_by_the_time_at_which_they_began_whatever_their_time_zones() {
        let ascending = [
            began("yesterday", "20991121T090000.123Z-7f3kq2m9"),
            began("2026-10-25T02:30:00+02:00", "b"),
            began("2026-10-25T02:10:00+01:00", "a"),
            began("2026-10-25T01:10:01Z", "20261025T011001.009Z-zzzzzzzz"),
            began("2026-10-25T03:10:01+02:00", "20261025T011001.010Z-00000000"),
            began("2026-10-25T00:20:00-05:00", "0"),
        ];
        assert!(ascending.is_sorted_by(|earlier, later| earlier < later), "{ascending:?}");
    }

    #[test]
    fn only_the_identities_that_bakeoff_makes_tell_a_millisecond() {
        for (id, expected) in [
            ("20261121T090000.123Z-7f3kq2m9", Some(123)),
            ("20261121T090000-b7c1", None),
            ("20261121T090000.12Z-b7c1", None),
            ("a.xyzZ-1", None),
        ] {
            assert_eq!(millisecond(id), expected, "{id}");
        }
    }
}
