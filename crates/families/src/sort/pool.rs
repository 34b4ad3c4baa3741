//! A pool of rayon's threads for one repetition: a program that sorts once pays for its start.

use std::io;

use super::job::SortJob;

/// Does `work` in a pool of one thread a processor.
///
/// # Errors
/// The threads cannot be started.
pub(super) fn in_pool<R: Send>(job: &SortJob, work: impl FnOnce() -> R + Send) -> io::Result<R> {
    let built = rayon::ThreadPoolBuilder::new().num_threads(job.processors()).build();
    let pool = built.map_err(|error| io::Error::other(format!("start rayon's threads: {error}")))?;
    Ok(pool.install(work))
}
