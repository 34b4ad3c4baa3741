//! Waiting before the sleep.

use std::sync::atomic::{AtomicUsize, Ordering};

use crate::sync;

/// The time that a thread lets others run and looks again before it sleeps: sleep and wake cost several switches to a ready thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Patience {
    /// A while, if few others do so now; else it sleeps at once. Many that wait awake would be in the way of those that work.
    Usual,
    /// A while, whatever others do. For threads that take from one queue and put into another: all the others depend on them.
    Between,
}

/// Times that a thread lets others run before it sleeps. Fewer are not enough for a chain of threads on two processors; with 64, a single
/// thread that fills a deep queue takes a tenth more processor time than with sleeping queues.
#[cfg(not(loom))]
const USUAL: u32 = 16;
#[cfg(not(loom))]
const BETWEEN: u32 = 256;
/// One is enough to see what it may do, and more are too many orders of events.
#[cfg(loom)]
const USUAL: u32 = 0;
#[cfg(loom)]
const BETWEEN: u32 = 1;

/// This many threads for each processor wait awake at a time. With more, a turn of all of them takes longer than a sleep.
pub(crate) const AWAKE_EACH: usize = 16;

/// Threads of this process that wait awake with the usual patience.
static AWAKE: AtomicUsize = AtomicUsize::new(0);

impl Patience {
    /// Lets others run until it is `ready`, and returns whether it is; `awake_most` threads do so at a time with the usual patience.
    pub(crate) fn awaits(self, awake_most: usize, ready: impl Fn() -> bool) -> bool {
        match self {
            Self::Between => awaits(BETWEEN, ready),
            Self::Usual => {
                let few = AWAKE.fetch_add(1, Ordering::Relaxed) < awake_most;
                let ready = few && awaits(USUAL, ready);
                AWAKE.fetch_sub(1, Ordering::Relaxed);
                ready
            }
        }
    }
}

fn awaits(times: u32, ready: impl Fn() -> bool) -> bool {
    (0..times).any(|_| {
        sync::yield_now();
        ready()
    })
}
