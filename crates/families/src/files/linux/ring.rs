//! io_uring, set up alike by all techniques that use it.

use std::io;

use io_uring::IoUring;
use model::{Availability, Host, Setting};

/// One issuer and deferred task work is the mode that liburing's manual wants as the default (Linux 6.1).
pub(crate) fn new_ring(entries: u32, notes: &mut Vec<String>) -> io::Result<IoUring> {
    let refused = |error: io::Error| sys::failure::in_context("io_uring_setup", error);
    match IoUring::builder().setup_single_issuer().setup_defer_taskrun().build(entries) {
        Err(error) if error.raw_os_error() == Some(libc::EINVAL) => {
            notes.push("fell back: io_uring without SINGLE_ISSUER and DEFER_TASKRUN".into());
            IoUring::new(entries).map_err(refused)
        }
        built => built.map_err(refused),
    }
}

/// Registers each piece of memory as a buffer of its own; gives whether that was done. Without it (RLIMIT_MEMLOCK)
/// the plain operations do.
///
/// # Safety
/// The memory must not be freed while anything is in flight.
pub(crate) unsafe fn register_buffers(
    ring: &IoUring,
    buffers: &[libc::iovec],
    notes: &mut Vec<String>,
) -> bool {
    // SAFETY: the caller vouches for the memory.
    match unsafe { ring.submitter().register_buffers(buffers) } {
        Ok(()) => true,
        Err(error) => {
            notes.push(format!("fell back: io_uring without registered buffers ({error})"));
            false
        }
    }
}

/// Sets up a ring and gives it back.
pub(crate) fn probe_ring(_host: &Host, _setting: &Setting) -> Availability {
    match new_ring(2, &mut Vec::new()) {
        Ok(_) => Availability::Ready,
        Err(error) => Availability::Missing(format!(
            "the kernel refuses it (kernel.io_uring_disabled, a container's seccomp filter, or before Linux 5.1): {error}"
        )),
    }
}
