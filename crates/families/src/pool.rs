//! Pools of rayon's threads, as the families use them that do work with them; `threads` measures the pool itself.

use std::io;

/// Does `work` in a pool whose threads begin on different processors: Linux often wakes two on one, and 5 ms of work then took
/// 8 ms. Scoped: the threads have ended, and have given their memory back, when this returns.
pub(crate) fn run<R: Send>(threads: usize, work: impl FnOnce() -> R + Send) -> io::Result<R> {
    let builder = rayon::ThreadPoolBuilder::new().num_threads(threads).start_handler(sys::affinity::begin_on);
    let done = builder.build_scoped(|thread| thread.run(), |pool| pool.install(work));
    done.map_err(|refused| io::Error::other(format!("start rayon's threads: {refused}")))
}
