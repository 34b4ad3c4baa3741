use std::cmp::Ordering;

use voracious_radix_sort::{RadixSort, Radixable};

use crate::sort::prelude::*;
use crate::sort::source::{USUAL_STACK_BYTES, bytes_of_threads, ensure_room};
use crate::sort::tags::{Tag, sort_by_tags};

pub(in crate::sort) const VORACIOUS_SORT: Technique<SortJob> = Technique {
    name: "voracious_sort",
    idea: "sort tags of key and position by voracious_mt_sort on all processors, then gather the mapped records",
    source: "voracious_radix_sort, RadixSort::voracious_mt_sort",
    calls: &["read|pread64|mmap file"],
    ..Technique::usual(|job| {
        job.done_by(|job, account| {
            sort_by_tags(job, account, |tags| -> io::Result<()> {
                // The library takes memory and starts threads; without room for both it would end the process.
                let threads = bytes_of_threads(job.processors(), USUAL_STACK_BYTES);
                ensure_room("a copy of the tags, and threads", size_of_val(tags) + threads)?;
                match job.processors() {
                    1 => tags.voracious_sort(),
                    threads => tags.voracious_mt_sort(threads),
                }
                Ok(())
            })
        })
    })
};

impl PartialEq for Tag {
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key
    }
}

impl PartialOrd for Tag {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.key.cmp(&other.key))
    }
}

impl Radixable<u64> for Tag {
    type Key = u64;

    #[inline]
    fn key(&self) -> u64 {
        self.key
    }
}
