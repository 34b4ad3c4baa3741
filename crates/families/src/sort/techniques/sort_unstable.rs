use crate::sort::layout::Layout;
use crate::sort::prelude::*;
use crate::sort::source::ensure_room;
use crate::sort::typed::{SortValues, sort_values};

pub(in crate::sort) const SORT_UNSTABLE: Technique<SortJob> = Technique {
    name: "sort_unstable",
    idea: "read the whole file into memory, sort the records by slice::sort_unstable_by_key, write the whole",
    source: "Rust standard library, slice::sort_unstable_by_key (ipnsort)",
    calls: &["read|pread64|mmap file", "!clone3|clone"],
    ..Technique::usual(|job| job.done_by(|job, account| sort_values(job, account, &Unstable)))
};

pub(in crate::sort) const CACHED_KEY: Technique<SortJob> = Technique {
    name: "cached_key",
    idea: "read the whole file into memory, sort the records by slice::sort_by_cached_key, write the whole",
    source: "Rust standard library, slice::sort_by_cached_key",
    calls: &["read|pread64|mmap file", "!clone3|clone"],
    ..Technique::usual(|job| job.done_by(|job, account| sort_values(job, account, &CachedKey)))
};

struct Unstable;

impl SortValues for Unstable {
    fn sort<const BYTES: usize>(&self, records: &mut [[u8; BYTES]], layout: Layout) -> io::Result<()> {
        if layout.has_rest() {
            records.sort_unstable_by(|a, b| layout.key(a).cmp(layout.key(b)))
        } else {
            records.sort_unstable_by_key(|record| layout.prefix(record))
        }
        Ok(())
    }
}

/// The bytes of a record's key and place in the standard library.
const KEPT_BYTES: usize = 16;

struct CachedKey;

impl SortValues for CachedKey {
    fn sort<const BYTES: usize>(&self, records: &mut [[u8; BYTES]], layout: Layout) -> io::Result<()> {
        ensure_room("the cached keys", records.len() * KEPT_BYTES)?;
        records.sort_by_cached_key(|record| layout.prefix(record));
        if layout.has_rest() {
            for equal in records.chunk_by_mut(|a, b| layout.prefix(a) == layout.prefix(b)) {
                equal.sort_unstable_by(|a, b| layout.rest(a).cmp(layout.rest(b)));
            }
        }
        Ok(())
    }
}
