use crate::sort::prelude::*;
use crate::sort::threads::sort_with_threads;

pub(in crate::sort) const THREADS_4: Technique<SortJob> = Technique {
    name: "threads_4",
    alias: &["sortMT4"],
    idea: "four threads sort a quarter each with the C library's qsort, then merge in pairs",
    source: "Hart, Windows System Programming, sortMT",
    calls: &["clone3|clone"],
    ..Technique::usual(|job| job.done_by(|job, account| sort_with_threads(job, account, 4)))
};
