//! Threads that each sort a part with `qsort` and then merge in pairs: what sortMT does with any number of threads.

use std::io;
use std::thread;

use super::job::{Account, SortJob, Sorted};
use super::layout::Layout;
use super::ordered::deliver_moved;
use super::qsort::{name_the_library, qsort};
use super::room::Room;
use super::source::read_whole;

/// Reads the whole file into memory, sorts it with so many threads, a power of 2, and writes the whole.
pub(super) fn sort_with_threads(job: &SortJob, account: &mut Account, threads: usize) -> io::Result<Sorted> {
    let mut records = account.phase("read", || read_whole(job))?;
    account.phase("sort", || {
        // As published: even a single part is sorted by a thread of its own, while the first one waits.
        thread::scope(|scope| in_a_thread(scope, &mut records, job.layout, threads)?.wait())
    })?;
    name_the_library(account);
    deliver_moved(job, records, account)
}

/// Sorts records in so many parts. The upper half of the parts is another thread's; who has the lower half waits
/// for it and merges both.
fn sort_parts(records: &mut [u8], layout: Layout, parts: usize) -> io::Result<()> {
    if parts == 1 {
        qsort(records, layout.record_bytes(), layout.key_bytes());
        return Ok(());
    }
    let middle = records.len() / layout.record_bytes() / 2 * layout.record_bytes();
    let (lower, upper) = records.split_at_mut(middle);
    thread::scope(|scope| {
        let other = in_a_thread(scope, upper, layout, parts / 2)?;
        let own = sort_parts(lower, layout, parts / 2);
        own.and(other.wait())
    })?;
    merge(records, middle, layout)
}

struct Other<'scope>(thread::ScopedJoinHandle<'scope, io::Result<()>>);

impl Other<'_> {
    fn wait(self) -> io::Result<()> {
        self.0.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    }
}

fn in_a_thread<'scope>(
    scope: &'scope thread::Scope<'scope, '_>,
    records: &'scope mut [u8],
    layout: Layout,
    parts: usize,
) -> io::Result<Other<'scope>> {
    thread::Builder::new()
        .name("sort a part".to_owned())
        .spawn_scoped(scope, move || sort_parts(records, layout, parts))
        .map(Other)
        .map_err(|error| io::Error::new(error.kind(), format!("start a thread: {error}")))
}

/// Merges two sorted halves, through memory of the size of both as published.
fn merge(records: &mut [u8], middle: usize, layout: Layout) -> io::Result<()> {
    let record_bytes = layout.record_bytes();
    let mut merged = Room::<u8>::new(records.len())?;
    let (mut lower, mut upper) = records.split_at(middle);
    for place in merged.chunks_exact_mut(record_bytes) {
        let takes_lower = upper.is_empty() || !lower.is_empty() && layout.key(lower) <= layout.key(upper);
        let from = if takes_lower { &mut lower } else { &mut upper };
        let (record, rest) = from.split_at(record_bytes);
        place.copy_from_slice(record);
        *from = rest;
    }
    records.copy_from_slice(&merged);
    Ok(())
}
