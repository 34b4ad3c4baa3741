//! Shares that take turns on one thread: a forced yield is a step to the next one, and no call of the system.

use std::io;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::job::ThreadsJob;
use super::start::on_each_processor;

/// This many parts for each thread, so that none waits long for the last one.
const PARTS_A_THREAD: usize = 8;

/// Has a thread a processor take some shares at a time until none is left.
pub(super) fn on_taken_shares(
    job: &ThreadsJob, work: impl Fn(Range<usize>) -> io::Result<()> + Sync,
) -> io::Result<()> {
    let at_once = (job.shares / (PARTS_A_THREAD * job.workers())).max(1);
    let next = AtomicUsize::new(0);
    on_each_processor(job, || {
        loop {
            let from = next.fetch_add(at_once, Ordering::Relaxed);
            if from >= job.shares {
                return Ok(());
            }
            work(from..(from + at_once).min(job.shares))?;
        }
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
