//! What is noted while the shares are worked on: when the parts of the work ended, and what the iterations gave.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use sys::clock::now_ns;

pub(super) const PARTS: [&str; 3] = ["create", "run", "join"];

#[derive(Default)]
pub(super) struct Course {
    shares: AtomicUsize,
    created_ns: AtomicU64,
    ended_ns: AtomicU64,
    left: AtomicUsize,
    sum: AtomicU64,
}

impl Course {
    pub(super) fn begin(&self, shares: usize) {
        self.created_ns.store(0, Ordering::Relaxed);
        self.ended_ns.store(0, Ordering::Relaxed);
        self.sum.store(0, Ordering::Relaxed);
        self.shares.store(shares, Ordering::Relaxed);
        self.left.store(shares, Ordering::Release);
    }

    /// Returns how many of the first shares have not ended.
    pub(super) fn alive(&self, begun: usize) -> usize {
        let ended = self.shares.load(Ordering::Relaxed).saturating_sub(self.left.load(Ordering::Relaxed));
        begun.saturating_sub(ended)
    }

    /// Notes that all threads, or their replacements, have been created.
    pub(super) fn created(&self) {
        self.created_ns.store(now_ns(), Ordering::Relaxed);
    }

    /// Notes that this many shares have ended, whose iterations gave `sum`.
    pub(super) fn ended(&self, shares: usize, sum: u64) {
        self.sum.fetch_add(sum, Ordering::Relaxed);
        if self.left.fetch_sub(shares, Ordering::AcqRel) == shares {
            self.ended_ns.store(now_ns(), Ordering::Relaxed);
        }
    }

    /// Returns the nanoseconds until all threads were created, from then to the end of the last share, and to that of the threads.
    pub(super) fn parts(&self, start_ns: u64, joined_ns: u64) -> [u64; PARTS.len()] {
        let created_ns = self.created_ns.load(Ordering::Relaxed);
        let ended_ns = self.ended_ns.load(Ordering::Relaxed).max(created_ns);
        [created_ns.saturating_sub(start_ns), ended_ns - created_ns, joined_ns.saturating_sub(ended_ns)]
    }

    /// Returns the sum of all iterations; `None` when a share has not ended.
    pub(super) fn sum(&self) -> Option<u64> {
        (self.left.load(Ordering::Acquire) == 0).then(|| self.sum.load(Ordering::Relaxed))
    }
}
