//! One thread beside the first, as in the historical program sortMT with one thread.

use model::Class;

use super::job::{SortJob, always};
use super::threads::sort_with_threads;
use crate::contract::Technique;

pub(in crate::sort) const THREADS_1: Technique<SortJob> = Technique {
    name: "threads_1",
    alias: &["sortMT1"],
    idea: "one thread sorts the whole file in memory with the C library's qsort, the first one waits and writes",
    source: "Hart, Windows System Programming, sortMT",
    class: Class::MovesBytes,
    ceiling: false,
    parameter: None,
    probe: always,
    prepare: |job| job.done_by(|job, account| sort_with_threads(job, account, 1)),
};
