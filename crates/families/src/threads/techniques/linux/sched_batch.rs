use crate::threads::give_up::give_up;
use crate::threads::prelude::*;
use crate::threads::start::{Begin, thread_each};

pub(in crate::threads) const SCHED_BATCH: Technique<ThreadsJob> = Technique {
    name: "sched_batch",
    idea: "as thread_each, under SCHED_BATCH: a thread that wakes up does not preempt a running one",
    source: "sched(7)",
    calls: &["sched_setscheduler SCHED_BATCH"],
    calls_at: a_yielding_thread_each,
    variant_of: Some("thread_each"),
    ..Technique::usual(|job| job.done_by(|job| as_batch(|| thread_each(job, None, Begin::AtOnce, give_up))))
};

/// Does `work` under `SCHED_BATCH`, which the threads that it starts inherit.
fn as_batch(work: impl FnOnce() -> io::Result<()>) -> io::Result<()> {
    let mut before = libc::sched_param { sched_priority: 0 };
    // SAFETY: the call takes a number, 0 for the calling thread.
    let policy = unsafe { libc::sched_getscheduler(0) };
    // SAFETY: `before` is a valid place for the answer.
    if policy < 0 || unsafe { libc::sched_getparam(0, &raw mut before) } < 0 {
        return Err(in_context("ask for the policy of the scheduler", io::Error::last_os_error()));
    }
    set(libc::SCHED_BATCH, libc::sched_param { sched_priority: 0 })?;
    let done = work();
    let back = set(policy, before);
    done.and(back)
}

fn set(policy: i32, parameters: libc::sched_param) -> io::Result<()> {
    // SAFETY: the parameters are valid through the call; 0 is the calling thread.
    match unsafe { libc::sched_setscheduler(0, policy, &raw const parameters) } {
        0 => Ok(()),
        _ => Err(in_context("set the policy of the scheduler", io::Error::last_os_error())),
    }
}
