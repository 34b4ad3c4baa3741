//! Pools of rayon's threads, as the families use them that do work with them; `threads` measures the pool itself.

/// A pool whose threads begin on different processors. Linux often wakes two on one, and 5 ms of work then took 8 ms.
pub(crate) fn of_threads(threads: usize) -> rayon::ThreadPoolBuilder {
    rayon::ThreadPoolBuilder::new().num_threads(threads).start_handler(sys::affinity::begin_on)
}
