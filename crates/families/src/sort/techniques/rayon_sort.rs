use rayon::slice::ParallelSliceMut;

use crate::sort::pool::in_pool;
use crate::sort::prelude::*;
use crate::sort::tags::sort_by_tags;

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
