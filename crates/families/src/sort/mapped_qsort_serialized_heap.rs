//! The mapped file again, with a heap that one thread at a time may use, as in the historical program sortFLSR.

use std::sync::{Mutex, PoisonError};

use model::Class;

use super::job::{SortJob, always};
use super::mapped_qsort::sort_in_mapping;
use crate::contract::Technique;

pub(in crate::sort) const MAPPED_QSORT_SERIALIZED_HEAP: Technique<SortJob> = Technique {
    name: "mapped_qsort_serialized_heap",
    alias: &["sortFLSR"],
    idea: "mapped_qsort with a lock around the heap: what qsort allocates, it allocates while it holds it",
    source: "Hart, Windows System Programming, sortFLSR",
    class: Class::MovesBytes,
    ceiling: false,
    parameter: None,
    probe: always,
    prepare: |job| job.done_by(|job, account| sort_in_mapping(job, account, serialized)),
};

/// The heap's lock. A sort in place hardly needs a heap: the published program took its own without
/// `HEAP_NO_SERIALIZE` and was no slower for it. Of what runs here only `qsort` may allocate (glibc's takes an array of
/// pointers), and nothing of it can be reached from outside; so the lock is taken for the whole of it.
static HEAP: Mutex<()> = Mutex::new(());

fn serialized(sort: &mut dyn FnMut()) {
    let _alone = HEAP.lock().unwrap_or_else(PoisonError::into_inner);
    sort();
}
