//! Large files are cut into ranges, so that all processors work on one of them.

use std::fs;
use std::io;
use std::ops::Range;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use model::Class;

use super::job::{Notes, SearchJob, always, prefix_of};
use super::kernel::Best;
use super::lines::matching_lines;
use super::output::OrderedAnswer;
use super::rolling::{PIECE_BYTES, Rolling};
use super::system::source::Source;
use super::threads::{on_threads, threads_for};
use crate::contract::Technique;
use crate::files::at;

pub(super) const SPLIT_RANGES: Technique<SearchJob> = Technique {
    name: "split_ranges",
    alias: &[],
    idea: "one thread a processor, each takes the next range of 1 MiB of a file, cut at the ends of lines",
    source: "xcp's parblock for searching; ugrep and others cut large files alike",
    class: Class::MovesBytes,
    ceiling: false,
    parameter: None,
    probe: always,
    prepare: |job| job.done_by(search),
};

/// Large beside the cost of opening a file anew, small beside what a processor would otherwise wait at the end.
pub(super) const RANGE_BYTES: u64 = 1 << 20;

fn search(job: &SearchJob, notes: &mut Notes) -> io::Result<()> {
    let kernel = Best::of(&job.pattern)?;
    let answer = OrderedAnswer::create(&job.answer)?;
    let files = job.files()?;
    let mut ranges: Vec<(&Path, Range<u64>)> = Vec::with_capacity(files.len());
    for path in &files {
        let bytes = fs::metadata(path).map_err(at("look at", path))?.len();
        ranges.extend(ranges_of(bytes).map(|range| (&**path, range)));
    }
    let next = AtomicUsize::new(0);
    let threads = threads_for(ranges.len(), job.processors(), "ranges", notes);
    on_threads(threads, |stop| {
        let mut rolling = Rolling::new(job.piece_bytes(PIECE_BYTES))?;
        let mut text = Vec::new();
        while !stop.is_set() {
            let nth = next.fetch_add(1, Ordering::Relaxed);
            let Some((path, range)) = ranges.get(nth) else { break };
            let (source, prefix) = (Source::open(path)?, prefix_of(path));
            let read = |buffer: &mut [u8], offset| source.read_at(buffer, offset);
            let lines = |lines: &[u8]| {
                matching_lines(&kernel, lines, &prefix, &mut text);
                Ok(())
            };
            rolling.range(range.clone(), read, lines).map_err(at("read", path))?;
            answer.hand_in(nth, &mut text)?;
        }
        Ok(())
    })?;
    answer.finish(job.durable)
}

/// Ranges of one length; the last one reaches to wherever the file ends when it is read. A rest that would not be worth
/// a range belongs to the one before it.
pub(super) fn ranges_of(bytes: u64) -> impl Iterator<Item = Range<u64>> {
    let count = ((bytes + RANGE_BYTES / 2) / RANGE_BYTES).max(1);
    (0..count).map(move |nth| {
        let end = if nth + 1 == count { u64::MAX } else { (nth + 1) * RANGE_BYTES };
        nth * RANGE_BYTES..end
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_touch_and_reach_to_the_end() {
        for bytes in [0, 1, RANGE_BYTES, 3 * RANGE_BYTES / 2, 10 * RANGE_BYTES + 7] {
            let ranges: Vec<Range<u64>> = ranges_of(bytes).collect();
            assert_eq!((ranges[0].start, ranges[ranges.len() - 1].end), (0, u64::MAX), "{bytes}");
            assert!(ranges.windows(2).all(|pair| pair[0].end == pair[1].start), "{bytes}");
            assert!(ranges[ranges.len() - 1].start < bytes.max(1), "{bytes}");
        }
    }
}
