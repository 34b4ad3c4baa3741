//! Pools of rayon's threads, as the families use them that do work with them; `threads` measures the pool itself.

/// A pool of this many threads, each of which begins on another processor. The threads of a pool are woken one after the
/// other by a thread that then sleeps, and Linux often wakes two on one processor: of pools of two threads on two
/// processors that had 5 ms of work for each, four in ten took 8 ms for what the others did in 5.4.
pub(crate) fn of_threads(threads: usize) -> rayon::ThreadPoolBuilder {
    rayon::ThreadPoolBuilder::new().num_threads(threads).start_handler(sys::affinity::begin_on)
}
