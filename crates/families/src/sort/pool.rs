//! A pool of rayon's threads for one repetition: a program that sorts once pays for its start.

use std::io;

use super::job::SortJob;
use super::source::{USUAL_STACK_BYTES, bytes_of_threads, ensure_room};
use crate::pool;

/// Does `work`, which takes `bytes` bytes of memory, in a pool of one thread a processor.
pub(super) fn in_pool<R: Send>(
    job: &SortJob, bytes: usize, work: impl FnOnce() -> R + Send,
) -> io::Result<R> {
    let thread_bytes = bytes_of_threads(job.processors(), USUAL_STACK_BYTES);
    ensure_room("rayon's threads and their work", bytes + thread_bytes)?;
    pool::run(job.processors(), work)
}
