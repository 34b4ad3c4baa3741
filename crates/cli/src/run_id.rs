//! Names of runs.

use jiff::Timestamp;
use model::RunId;

/// Digits and small letters without `i`, `l`, `o` and `u`: no two look alike, and their order is that of the values.
const DIGITS: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
/// Random digits of 5 bits each: two runs that begin in the same millisecond, on whatever hosts, share them once in 10^12.
const RANDOM_DIGITS: u32 = 8;

/// Returns the identity of a run that began at `started`: UTC to the millisecond and 40 bits of `draw`. As text, runs of all hosts sort
/// by the time at which they began, whatever their time zones.
pub(crate) fn run_id(started: Timestamp, draw: u64) -> RunId {
    let digits = (0..RANDOM_DIGITS).rev().map(|place| DIGITS[(draw >> (5 * place) & 31) as usize]);
    let random: String = digits.map(char::from).collect();
    RunId(format!("{}-{random}", started.strftime("%Y%m%dT%H%M%S.%3fZ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Timestamp {
        text.parse().expect("a time")
    }

    #[test]
    fn a_run_is_named_by_utc_to_the_millisecond_and_random_digits() {
        let id = run_id(at("2026-11-21T10:00:00.0079+01:00"), 31 << 35 | 10);
        assert_eq!(id.0, "20261121T090000.007Z-z000000a");
    }

    #[test]
    fn names_sort_by_the_start_of_runs_in_any_time_zone() {
        let ascending = [
            "2026-10-25T02:30:00+02:00",
            "2026-10-25T02:10:00+01:00",
            "2026-10-25T01:10:00.001Z",
            "2026-10-25T01:10:01Z",
            "2026-10-25T00:20:00-05:00",
        ];
        let ids = ascending.iter().enumerate().map(|(nth, text)| run_id(at(text), u64::MAX >> (12 * nth)));
        assert!(ids.collect::<Vec<_>>().is_sorted());
    }

    #[test]
    fn runs_that_begin_in_the_same_millisecond_differ() {
        let now = Timestamp::now();
        let ids: std::collections::HashSet<RunId> =
            (0..1000).map(|_| run_id(now, sys::random::draw())).collect();
        assert_eq!(ids.len(), 1000);
    }
}
