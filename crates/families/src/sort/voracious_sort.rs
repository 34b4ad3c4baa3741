//! Tags sorted by `voracious_radix_sort`.

use std::cmp::Ordering;
use std::io;

use model::Class;
use voracious_radix_sort::{RadixSort, Radixable};

use super::job::{SortJob, always};
use super::room::ensure_room;
use super::tags::{Tag, sort_by_tags};
use crate::contract::Technique;

pub(in crate::sort) const VORACIOUS_SORT: Technique<SortJob> = Technique {
    name: "voracious_sort",
    alias: &[],
    idea: "sort tags of key and position by voracious_mt_sort on all processors, then gather the mapped records",
    source: "voracious_radix_sort, RadixSort::voracious_mt_sort",
    class: Class::MovesBytes,
    ceiling: false,
    parameter: None,
    probe: always,
    prepare: |job| {
        job.done_by(|job, account| {
            sort_by_tags(job, account, |tags| -> io::Result<()> {
                // The library takes memory for a copy, and would end the process where there is none.
                ensure_room("a copy of the tags", size_of_val(tags))?;
                match job.processors() {
                    1 => tags.voracious_sort(),
                    threads => tags.voracious_mt_sort(threads),
                }
                Ok(())
            })
        })
    },
};

/// What the library asks of its values beside their keys. Only the key counts.
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
