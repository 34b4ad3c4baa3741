//! Shares that take turns on one thread: a forced yield is a step to the next one, and no call of the system.

use std::io;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::job::ThreadsJob;
use super::start::on_each_processor;

/// This many parts for each thread, so that none waits long for the last one.
const PARTS_A_THREAD: usize = 8;

/// The shares from which the threads of a pool take some at a time.
struct Taken<'job> {
    job: &'job ThreadsJob,
    next: AtomicUsize,
    at_once: usize,
}

impl<'job> Taken<'job> {
    fn new(job: &'job ThreadsJob) -> Self {
        let at_once = (job.shares / (PARTS_A_THREAD * job.workers())).max(1);
        Self { job, next: AtomicUsize::new(0), at_once }
    }

    /// The next shares that no thread has taken.
    fn take(&self) -> Option<Range<usize>> {
        let from = self.next.fetch_add(self.at_once, Ordering::Relaxed);
        (from < self.job.shares).then(|| from..(from + self.at_once).min(self.job.shares))
    }
}

/// Has the threads of a pool, one for each processor, take shares until none is left.
pub(super) fn on_taken_shares(
    job: &ThreadsJob,
    work: impl Fn(Range<usize>) -> io::Result<()> + Sync,
) -> io::Result<()> {
    let taken = Taken::new(job);
    on_each_processor(job, || {
        while let Some(shares) = taken.take() {
            work(shares)?;
        }
        Ok(())
    })
}

/// Works on these shares in turn, each up to its next forced yield.
pub(super) fn in_turn(job: &ThreadsJob, shares: Range<usize>) {
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
