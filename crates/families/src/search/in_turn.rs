//! Pieces of work that threads take in turn.

use std::fs;
use std::io;
use std::ops::Range;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::job::{Notes, SearchJob};
use super::output::OrderedAnswer;
use super::threads::{on_threads, threads_for};
use crate::files::at;

/// One thread a processor takes the next piece whenever it is ready; what they found is written in the order of the pieces,
/// which are called `what`. Each thread has a state of its own, which `begin` makes and `search` is given.
pub(super) fn search_in_turn<Piece: Sync, State>(
    job: &SearchJob,
    (what, pieces): (&str, &[Piece]),
    notes: &mut Notes,
    begin: impl Fn() -> io::Result<State> + Sync,
    search: impl Fn(&mut State, &Piece, &mut Vec<u8>) -> io::Result<()> + Sync,
) -> io::Result<()> {
    let answer = OrderedAnswer::create(&job.answer)?;
    let next = AtomicUsize::new(0);
    let threads = threads_for(pieces.len(), job.processors(), what, notes);
    on_threads(threads, |stop| {
        let mut state = begin()?;
        let mut text = Vec::new();
        while !stop.is_set() {
            let nth = next.fetch_add(1, Ordering::Relaxed);
            let Some(piece) = pieces.get(nth) else { break };
            search(&mut state, piece, &mut text)?;
            answer.hand_in(nth, &mut text)?;
        }
        Ok(())
    })?;
    answer.finish(job.durable)
}

/// Large next to the cost of opening a file again, small next to what a processor would otherwise wait at the end.
const RANGE_BYTES: u64 = 1 << 20;

pub(super) type FileRange<'files> = (&'files Path, Range<u64>);

pub(super) fn ranges_of_files(files: &[impl AsRef<Path>]) -> io::Result<Vec<FileRange<'_>>> {
    let mut ranges = Vec::with_capacity(files.len());
    for path in files.iter().map(AsRef::as_ref) {
        let bytes = fs::metadata(path).map_err(at("look at", path))?.len();
        ranges.extend(ranges_of(bytes).map(|range| (path, range)));
    }
    Ok(ranges)
}

/// Ranges of one length; the last one reaches to wherever the file ends when it is read. A rest that would not be worth
/// a range belongs to the one before it.
fn ranges_of(bytes: u64) -> impl Iterator<Item = Range<u64>> {
    let count = ((bytes + RANGE_BYTES / 2) / RANGE_BYTES).max(1);
    (0..count).map(move |nth| {
        let end = if nth + 1 == count { u64::MAX } else { (nth + 1) * RANGE_BYTES };
        nth * RANGE_BYTES..end
    })
}
