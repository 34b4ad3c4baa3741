use crate::sort::prelude::*;
use crate::sort::threads::sort_with_threads;

pub(in crate::sort) const THREADS_2: Technique<SortJob> = Technique {
    name: "threads_2",
    alias: &["sortMT2"],
    idea: "two threads sort half of the file each with the C library's qsort, one of them merges both",
    source: "Hart, Windows System Programming, sortMT",
    calls: &["clone3|clone"],
    ..Technique::usual(|job| job.done_by(|job, account| sort_with_threads(job, account, 2)))
};
