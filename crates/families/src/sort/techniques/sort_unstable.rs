use crate::sort::layout::Layout;
use crate::sort::prelude::*;
use crate::sort::typed::{SortValues, sort_values};

pub(in crate::sort) const SORT_UNSTABLE: Technique<SortJob> = Technique {
    name: "sort_unstable",
    idea: "read the whole file into memory, sort the records by slice::sort_unstable_by_key, write the whole",
    source: "Rust standard library, slice::sort_unstable_by_key (ipnsort)",
    calls: &["read|pread64|mmap file", "!clone3|clone"],
    ..Technique::usual(|job| job.done_by(|job, account| sort_values(job, account, &Unstable)))
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
