use crate::sort::prelude::*;
use crate::sort::threads::sort_with_threads;

pub(in crate::sort) const THREADS_1: Technique<SortJob> = Technique {
    name: "threads_1",
    alias: &["sortMT1"],
    idea: "what threads_2 does, with a single thread, which has nothing to merge",
    source: "Hart, Windows System Programming, sortMT",
    calls: &["read|pread64|mmap file", "!clone3|clone"],
    ..Technique::usual(|job| job.done_by(|job, account| sort_with_threads(job, account, 1)))
};
