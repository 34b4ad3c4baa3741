//! What a technique says of its system calls, in words.

use model::{Expectation, Times, Wanted};

use crate::words::units::grouped;

/// `pread64 or read`, `no sched_yield`, `clone3 or clone at least 64 times`.
pub(crate) fn expected_call(text: &str) -> String {
    let Expectation { kind, calls, times } = Expectation::parse(text);
    let any = calls.join(" or ");
    match (kind, times) {
        (Wanted::Only, _) => format!("nothing but {}", calls.join(", ")),
        (Wanted::Made, None) => any,
        (Wanted::Made, Some(Times::Number(number))) => format!("{any} at least {}", how_often(number)),
        (Wanted::Made, Some(Times::As(other))) => format!("{any} as often as {other}"),
        (Wanted::NotMade, None) => format!("no {any}"),
        (Wanted::NotMade, Some(Times::Number(number))) => format!("{any} fewer than {}", how_often(number)),
        (Wanted::NotMade, Some(Times::As(other))) => format!("{any} less often than {other}"),
    }
}

/// The same for calls that were not as expected: `sched_yield was made`.
pub(crate) fn broken_call(text: &str) -> String {
    let Expectation { kind, calls, times } = Expectation::parse(text);
    let any = calls.join(" or ");
    match (kind, times) {
        (Wanted::Only, _) => format!("others than {} were made", calls.join(", ")),
        (Wanted::Made, None) => format!("{any} was not made"),
        (Wanted::Made, Some(Times::Number(number))) => {
            format!("{any} was made fewer than {}", how_often(number))
        }
        (Wanted::Made, Some(Times::As(other))) => format!("{any} was made less often than {other}"),
        (Wanted::NotMade, None) => format!("{any} was made"),
        (Wanted::NotMade, Some(Times::Number(number))) => {
            format!("{any} was made {} or more often", how_often(number))
        }
        (Wanted::NotMade, Some(Times::As(other))) => format!("{any} was made as often as {other}"),
    }
}

fn how_often(number: u64) -> String {
    match number {
        1 => "once".to_owned(),
        number => format!("{} times", grouped(number)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expected_and_broken_calls_are_sentences() {
        for (text, expected, broken) in [
            ("read|pread64", "read or pread64", "read or pread64 was not made"),
            ("!openat O_DIRECT", "no openat O_DIRECT", "openat O_DIRECT was made"),
            (
                "clone3|clone *1000",
                "clone3 or clone at least 1,000 times",
                "clone3 or clone was made fewer than 1,000 times",
            ),
            ("!read *1", "read fewer than once", "read was made once or more often"),
            (
                "fdatasync *pwrite64",
                "fdatasync as often as pwrite64",
                "fdatasync was made less often than pwrite64",
            ),
            ("only mmap|madvise", "nothing but mmap, madvise", "others than mmap, madvise were made"),
        ] {
            assert_eq!((expected_call(text).as_str(), broken_call(text).as_str()), (expected, broken));
        }
    }
}
