//! A file cut into ranges, and a thread for each of them.

use std::fmt::Display;
use std::io;
use std::ops::Range;
use std::thread::Builder;

use sys::thread_scope::{Handle, scope};

use super::no_thread;

/// Ranges begin at multiples of this, so that no page or large folio belongs to two threads.
const GRAIN_BYTES: u64 = 1 << 20;

/// Cuts a file into ranges for as many threads, or fewer where it is short; then a note says so.
pub(crate) fn ranges(bytes: u64, threads: usize, notes: &mut Vec<String>) -> Vec<Range<u64>> {
    let ranges = cut(bytes, threads);
    notes.extend(fewer_threads(ranges.len(), threads, "a range has at least 1 MiB"));
    ranges
}

/// Returns the note of a technique on fewer threads than it would use.
pub(crate) fn fewer_threads(threads: usize, wanted: usize, reason: impl Display) -> Option<String> {
    let threads = threads.max(1);
    (threads < wanted).then(|| format!("fell back: {threads} of {wanted} threads, since {reason}"))
}

/// Returns equal ranges.
fn cut(bytes: u64, threads: usize) -> Vec<Range<u64>> {
    let length = bytes.div_ceil(threads.max(1) as u64).next_multiple_of(GRAIN_BYTES).max(GRAIN_BYTES);
    (0..bytes.div_ceil(length)).map(|nth| nth * length..bytes.min((nth + 1) * length)).collect()
}

/// Works on all parts at once; returns the answers in their order. The calling thread takes the last part.
pub(crate) fn in_parallel<Part: Send, Answer: Send>(
    mut parts: Vec<Part>, work: impl Fn(Part) -> io::Result<Answer> + Sync,
) -> io::Result<Vec<Answer>> {
    let own = parts.pop();
    with_threads(parts, own, &work)
}

/// As [`in_parallel`], in a thread for each part: the calling one waits.
pub(crate) fn in_threads<Part: Send, Answer: Send>(
    parts: Vec<Part>, work: impl Fn(Part) -> io::Result<Answer> + Sync,
) -> io::Result<Vec<Answer>> {
    with_threads(parts, None, &work)
}

fn with_threads<Part: Send, Answer: Send>(
    parts: Vec<Part>, own: Option<Part>, work: &(impl Fn(Part) -> io::Result<Answer> + Sync),
) -> io::Result<Vec<Answer>> {
    scope(|scope| {
        let mut others = Vec::new();
        for part in parts {
            others.push(scope.spawn(Builder::new(), move || work(part)).map_err(no_thread)?);
        }
        let own = own.map(work);
        let answers: Vec<io::Result<Answer>> = others.into_iter().map(Handle::join).chain(own).collect();
        answers.into_iter().collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_cover_the_file_without_a_gap_from_whole_grains() {
        for (bytes, threads) in
            [(0, 2), (1, 2), (GRAIN_BYTES, 2), (GRAIN_BYTES + 1, 2), (12_800_000, 4), (7, 0)]
        {
            let ranges = cut(bytes, threads);
            assert!(ranges.len() <= threads.max(1), "{ranges:?}");
            let mut end = 0;
            for range in ranges {
                assert!(range.start == end && range.start.is_multiple_of(GRAIN_BYTES) && !range.is_empty());
                end = range.end;
            }
            assert_eq!(end, bytes);
        }
    }

    #[test]
    fn answers_and_the_failure_named_follow_the_order_of_the_file() {
        let all = cut(8 * GRAIN_BYTES, 8);
        let answers = in_parallel(all.clone(), |range| Ok(range.start)).expect("no range fails");
        assert_eq!(answers, all.iter().map(|range| range.start).collect::<Vec<_>>());
        let failed = in_parallel(all, |range| match range.start / GRAIN_BYTES {
            nth @ (3 | 6 | 7) => Err(io::Error::other(format!("{nth} failed"))),
            _ => Ok(()),
        });
        assert_eq!(failed.expect_err("three ranges fail").to_string(), "3 failed");
    }
}
