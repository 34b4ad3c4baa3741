#![forbid(unsafe_code)]
//! Needs of tests: rights, programs, counters of the kernel. Where something is missing, a test says so in one line and passes; where
//! [`NOTHING_IS_MISSING`] is set, it fails. CI sets it, and installs what is needed.

use std::io::{self, Write};

/// The variable under which whatever is missing is a failure, whatever its value.
pub const NOTHING_IS_MISSING: &str = "BAKEOFF_NOTHING_IS_MISSING";

/// Limits of Wine 8, where CI runs the tests of Windows: parts of the sentences that say so. They are no failure.
const MAY_BE_MISSING: &[(&str, &str)] = &[
    // Its jobs hold processes and limit nothing.
    ("the jobs of Wine ", " limit nothing"),
    // Of the kind that programs make; it says that it made one.
    ("Wine ", " makes no links"),
];

/// Returns whether a need is met; its error says in a clause what is missing, and why where that is known.
///
/// # Panics
/// Something is missing and [`NOTHING_IS_MISSING`] is set.
#[track_caller]
pub fn are_met(need: Result<(), String>) -> bool {
    let must_be = std::env::var_os(NOTHING_IS_MISSING).is_some();
    let own = std::thread::current();
    judged(need, must_be, |missing| {
        // Not with the macros, whose text is shown for tests that fail only. Nothing can be done about a closed standard error.
        writeln!(io::stderr(), "not tested ({}): {missing}", own.name().unwrap_or_default()).ok();
    })
}

#[track_caller]
fn judged(need: Result<(), String>, must_be: bool, say: impl FnOnce(&str)) -> bool {
    let Err(missing) = need else { return true };
    let is_named =
        |(begin, end): &(&str, &str)| missing.split_once(begin).is_some_and(|(_, rest)| rest.contains(end));
    let may_be = !must_be || MAY_BE_MISSING.iter().any(is_named);
    assert!(may_be, "{missing}; {NOTHING_IS_MISSING} is set, so this is a failure");
    say(&missing);
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns whether it is met, and what was said.
    fn outcome(need: Result<(), &str>, must_be: bool) -> (bool, Vec<String>) {
        let mut said = Vec::new();
        let need = need.map_err(str::to_owned);
        let is_met = judged(need, must_be, |missing| said.push(missing.to_owned()));
        (is_met, said)
    }

    #[test]
    fn what_is_missing_is_said_once_unless_it_must_be_there() {
        for must_be in [false, true] {
            assert_eq!(outcome(Ok(()), must_be), (true, vec![]));
        }
        for (sentence, must_be) in [
            ("there is no strace", false),
            ("Wine 8.0 makes no links", true),
            ("no limit here: the jobs of Wine 8.0 hold processes but limit nothing", true),
        ] {
            assert_eq!(outcome(Err(sentence), must_be), (false, vec![sentence.to_owned()]));
        }
    }

    #[test]
    #[should_panic(expected = "there is no strace; BAKEOFF_NOTHING_IS_MISSING is set")]
    fn what_must_be_there_and_is_missing_is_a_failure() {
        outcome(Err("there is no strace"), true);
    }
}
