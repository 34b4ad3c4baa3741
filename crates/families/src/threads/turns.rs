//! Shares that take turns on one thread: a forced yield is a step to the next one, and no call of the system.

use std::sync::atomic::{AtomicUsize, Ordering};

use super::job::ThreadsJob;

/// So many parts for each thread, so that none waits long for the last one.
const PARTS_A_THREAD: usize = 8;

/// The shares from which the threads of a pool take some at a time.
pub(super) struct Taken<'job> {
    job: &'job ThreadsJob,
    next: AtomicUsize,
    at_once: usize,
}

impl<'job> Taken<'job> {
    pub(super) fn new(job: &'job ThreadsJob) -> Self {
        let at_once = (job.shares / (PARTS_A_THREAD * job.workers())).max(1);
        Self { job, next: AtomicUsize::new(0), at_once }
    }

    /// The next shares that no thread has taken.
    pub(super) fn take(&self) -> Option<std::ops::Range<usize>> {
        let from = self.next.fetch_add(self.at_once, Ordering::Relaxed);
        (from < self.job.shares).then(|| from..(from + self.at_once).min(self.job.shares))
    }
}

/// Works on these shares in turn, each up to its next forced yield.
pub(super) fn in_turn(job: &ThreadsJob, shares: std::ops::Range<usize>) {
    let count = shares.len();
    let mut live: Vec<_> = shares.map(|nth| job.share(nth)).collect();
    let mut sum = 0;
    while !live.is_empty() {
        live.retain_mut(|share| {
            let goes_on = share.goes_on();
            if !goes_on {
                sum += share.sum();
            }
            goes_on
        });
    }
    job.course.ended(count, sum);
}
