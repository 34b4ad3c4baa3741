//! `pthread_setaffinity_np`.

use std::os::unix::thread::JoinHandleExt;
use std::thread::JoinHandle;

use rustix::thread::{CpuSet, sched_getaffinity, sched_getcpu};

/// Moves a new thread away from the processor of the calling one, where there is another that may be used, and lets it run wherever
/// the caller may. It is a hint: where the system does not take it, nothing changes.
pub(super) fn leave_to_others(thread: &JoinHandle<()>) {
    let Ok(allowed) = sched_getaffinity(None) else { return };
    let mut others = allowed;
    others.unset(sched_getcpu());
    if others.count() == 0 || others.count() == allowed.count() {
        return;
    }
    restrict(thread, &others);
    restrict(thread, &allowed);
}

fn restrict(thread: &JoinHandle<()>, processors: &CpuSet) {
    // SAFETY: both types are the system's set of processors, and the thread is not joined yet, so that its name is valid. An error
    // leaves the thread where it is.
    unsafe {
        libc::pthread_setaffinity_np(
            thread.as_pthread_t() as libc::pthread_t,
            size_of::<CpuSet>(),
            std::ptr::from_ref(processors).cast(),
        );
    }
}
