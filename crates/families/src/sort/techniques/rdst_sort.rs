use rdst::{RadixKey, RadixSort};

use crate::sort::pool::in_pool;
use crate::sort::prelude::*;
use crate::sort::tags::{Tag, sort_by_tags};

pub(in crate::sort) const RDST_SORT: Technique<SortJob> = Technique {
    name: "rdst_sort",
    idea: "sort tags of key and position by rdst's radix_sort_unstable on all processors, then gather the mapped \
           records",
    source: "rdst, RadixSort::radix_sort_unstable",
    calls: &["read|pread64|mmap file"],
    ..Technique::usual(|job| {
        job.done_by(|job, account| {
            sort_by_tags(job, account, |tags| -> io::Result<()> {
                // The library takes memory for a copy of the tags.
                in_pool(job, size_of_val(tags), || tags.radix_sort_unstable())
            })
        })
    })
};

impl RadixKey for Tag {
    const LEVELS: usize = size_of::<u64>();

    #[inline]
    fn get_level(&self, level: usize) -> u8 {
        (self.key >> (8 * level)) as u8
    }
}
