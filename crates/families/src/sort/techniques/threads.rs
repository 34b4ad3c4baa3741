use crate::sort::layout::Layout;
use crate::sort::lockstep::{Member, Shared, together};
use crate::sort::ordered::deliver_moved;
use crate::sort::prelude::*;
use crate::sort::qsort::{name_the_library, qsort};
use crate::sort::source::{Room, read_whole};

pub(in crate::sort) const THREADS_1: Technique<SortJob> = Technique {
    name: "threads_1",
    alias: &["sortMT1"],
    idea: "as threads_2, with the calling thread alone, which has nothing to merge",
    source: "Hart, Windows System Programming, sortMT",
    calls: &["read|pread64|mmap file", "!clone3|clone"],
    ..Technique::usual(|job| job.done_by(|job, account| sort_with_threads(job, account, 1)))
};

pub(in crate::sort) const THREADS_2: Technique<SortJob> = Technique {
    name: "threads_2",
    alias: &["sortMT2"],
    idea: "two threads, the calling one among them, sort half of the file each with the C library's qsort, one merges \
           both; the published one starts both",
    source: "Hart, Windows System Programming, sortMT",
    calls: &["clone3|clone"],
    ..Technique::usual(|job| job.done_by(|job, account| sort_with_threads(job, account, 2)))
};

pub(in crate::sort) const THREADS_4: Technique<SortJob> = Technique {
    name: "threads_4",
    alias: &["sortMT4"],
    idea: "as threads_2, four threads sort a quarter each and merge in pairs",
    source: "Hart, Windows System Programming, sortMT",
    calls: &["clone3|clone"],
    ..Technique::usual(|job| job.done_by(|job, account| sort_with_threads(job, account, 4)))
};

/// Reads the whole file, sorts it with a power of 2 of threads, and writes the whole.
fn sort_with_threads(job: &SortJob, account: &mut Account, threads: usize) -> io::Result<Sorted> {
    let mut records = account.phase("read", || read_whole(job))?;
    let count = records.len() / job.layout.record_bytes();
    let shared = Shared::new(&mut records);
    account.phase("sort", || {
        together(threads, |member| sort_part(member, threads, &shared, count, job.layout))
    })?;
    name_the_library(account);
    deliver_moved(job, records, true, account)
}

/// Sorts this thread's part; in each round, every second thread that is left merges with its neighbour.
fn sort_part(
    member: &Member, threads: usize, records: &Shared<u8>, count: usize, layout: Layout,
) -> io::Result<()> {
    let part = |nth| layout.bytes_of(&member.part_of_nth(nth, count, 1));
    // `qsort` may take what memory there is: first all threads must have begun, which takes some as well.
    member.meet()?;
    let own = part(member.nth());
    // SAFETY: the parts of the threads are disjoint.
    qsort(unsafe { records.part(own.clone()) }, layout.record_bytes(), layout.key_bytes());
    let mut merged = 1;
    while merged < threads {
        member.meet()?;
        if member.nth().is_multiple_of(2 * merged) {
            let middle = part(member.nth() + merged).start;
            let end = part(member.nth() + 2 * merged - 1).end;
            // SAFETY: both neighbours have met, and from here on their parts are this thread's alone.
            merge(unsafe { records.part(own.start..end) }, middle - own.start, layout)?;
        }
        merged *= 2;
    }
    Ok(())
}

/// Merges two halves through memory of the size of both, as published.
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
