use rayon::slice::ParallelSliceMut;

use crate::sort::layout::Layout;
use crate::sort::pool::in_pool;
use crate::sort::prelude::*;
use crate::sort::tags::sort_by_tags;
use crate::sort::typed::{SortValues, sort_values};

pub(in crate::sort) const RAYON_SORT: Technique<SortJob> = Technique {
    name: "rayon_sort",
    idea: "sort tags of key and position by rayon's par_sort_unstable_by_key, then gather the mapped records",
    source: "rayon, ParallelSliceMut::par_sort_unstable_by_key",
    calls: &["clone3|clone"],
    ..Technique::usual(|job| {
        job.done_by(|job, account| {
            sort_by_tags(job, account, |tags| -> io::Result<()> {
                in_pool(job, 0, || tags.par_sort_unstable_by_key(|tag| tag.key))
            })
        })
    })
};

pub(in crate::sort) const RAYON_SORT_RECORDS: Technique<SortJob> = Technique {
    name: "rayon_sort_records",
    idea: "read the whole file into memory, sort the records by rayon's par_sort_unstable_by_key, write the whole",
    source: "rayon, ParallelSliceMut::par_sort_unstable_by_key",
    calls: &["clone3|clone"],
    ..Technique::usual(|job| job.done_by(|job, account| sort_values(job, account, &InParallel(job))))
};

struct InParallel<'job>(&'job SortJob);

impl SortValues for InParallel<'_> {
    fn sort<const BYTES: usize>(&self, records: &mut [[u8; BYTES]], layout: Layout) -> io::Result<()> {
        in_pool(self.0, 0, || {
            if layout.has_rest() {
                records.par_sort_unstable_by(|a, b| layout.key(a).cmp(layout.key(b)))
            } else {
                records.par_sort_unstable_by_key(|record| layout.prefix(record))
            }
        })
    }
}
