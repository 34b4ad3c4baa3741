//! How a thread waits before it sleeps.

use std::sync::atomic::{AtomicUsize, Ordering};

use crate::sync;

/// How long a thread lets others run and looks again before it sleeps. To sleep and be woken costs both threads several
/// times as much as a switch to a thread that is ready.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Patience {
    /// A while, if few others do so now; else it sleeps at once. Many threads that wait awake would be in the way of those
    /// that work.
    Usual,
    /// A while, whatever others do. For threads that take from one queue and put into another: all the others depend on them.
    Between,
}

/// How often who finds the queue full or empty lets others run before it sleeps. Fewer are not enough for a chain of
/// threads on two processors; more take processor time while nothing happens: with 64, a tenth more than sleeping queues
/// take where a single thread fills a deep queue.
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
    /// Lets others run until it is `ready`, and reports so; gives up after a while. With the usual patience `awake_most` threads do so
    /// at a time.
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
