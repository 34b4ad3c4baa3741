//! The techniques; those that differ in a detail share a file. What exists on every system is listed first.
//!
//! Left out, each for a reason:
//!
//! - `may`: its threads and its pool of stacks go on when the work is over, so that only the first repetition would pay for
//!   them. `coroutines` are stackful ones whose stacks are ours.
//! - rayon's own yield: it runs another share on top of the stack, and thousands would pile up there.
//! - `SCHED_IDLE`: it runs only when no other process wants the processor, so the other processes would be measured.
//! - `SCHED_FIFO` and `SCHED_RR`: they need a privilege, and 8192 threads that come before all others stop the host.
//! - Processes instead of threads: the shares would have to send their sums.

mod coroutines;
mod pool;
mod rayon;
mod smol;
mod thread_each;
mod tokio;

#[cfg(target_os = "linux")]
mod linux {
    pub(super) mod sched_batch;
}

#[cfg(windows)]
mod windows {
    pub(super) mod fibers;
    pub(super) mod switch_to_thread;
    pub(super) mod thread_pool;
}

use super::job::ThreadsJob;
use crate::contract::{Technique, joined};

pub(super) const TECHNIQUES: &[Technique<ThreadsJob>] =
    &joined::<_, { ON_EVERY_SYSTEM.len() + ON_THIS_SYSTEM.len() }>(ON_EVERY_SYSTEM, ON_THIS_SYSTEM);

const ON_EVERY_SYSTEM: &[Technique<ThreadsJob>] = &[
    thread_each::THREAD_EACH,
    thread_each::THREAD_EACH_TOGETHER,
    thread_each::SMALL_STACKS,
    pool::POOL,
    pool::POOL_YIELDING,
    pool::ONE_THREAD,
    rayon::RAYON,
    tokio::TOKIO,
    tokio::TOKIO_CURRENT,
    smol::SMOL,
    coroutines::COROUTINES,
];

#[cfg(target_os = "linux")]
const ON_THIS_SYSTEM: &[Technique<ThreadsJob>] = &[linux::sched_batch::SCHED_BATCH];

#[cfg(windows)]
const ON_THIS_SYSTEM: &[Technique<ThreadsJob>] = &[
    windows::fibers::FIBERS,
    windows::switch_to_thread::SWITCH_TO_THREAD,
    windows::thread_pool::THREAD_POOL,
];
