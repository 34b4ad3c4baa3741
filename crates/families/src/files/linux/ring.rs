//! io_uring, set up alike by all techniques that use it.

use std::io;
use std::os::fd::{AsFd, AsRawFd};

use io_uring::IoUring;
use model::{Availability, Host, Setting};

use super::OpenFile;

/// Makes a ring of one issuer with deferred task work, liburing's default mode (Linux 6.1).
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

/// Makes a ring that knows these files by their places.
pub(crate) fn ring_of_files<const N: usize>(
    entries: u32, files: [&OpenFile; N], notes: &mut Vec<String>,
) -> io::Result<IoUring> {
    let ring = new_ring(entries, notes)?;
    let descriptors = files.map(|file| file.as_fd().as_raw_fd());
    ring.submitter().register_files(&descriptors).map_err(files[0].at("register with io_uring"))?;
    Ok(ring)
}

/// Returns how many bytes were moved, by the answer of the kernel.
#[inline]
pub(crate) fn moved_by(answer: i32) -> io::Result<usize> {
    usize::try_from(answer).map_err(|_| io::Error::from_raw_os_error(-answer))
}

/// Returns whether the same call to a ring may succeed later.
pub(crate) fn is_passing(error: &io::Error) -> bool {
    [libc::EINTR, libc::EAGAIN, libc::EBUSY].iter().any(|&code| error.raw_os_error() == Some(code))
}

/// Registers each piece of memory as a buffer of its own; gives whether that was done. Without it (RLIMIT_MEMLOCK)
/// the plain operations do.
///
/// # Safety
/// The memory must not be freed while anything is in flight.
pub(crate) unsafe fn register_buffers(
    ring: &IoUring, buffers: &[libc::iovec], notes: &mut Vec<String>,
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

pub(crate) fn probe_ring(_host: &Host, _setting: &Setting) -> Availability {
    match new_ring(2, &mut Vec::new()) {
        Ok(_) => Availability::Ready,
        Err(error) => Availability::Missing(format!("the kernel refuses it ({}): {error}", cause_of(&error))),
    }
}

/// Explains why the kernel may refuse a ring, from the number of its error, which `error`'s context keeps.
fn cause_of(error: &io::Error) -> &'static str {
    match sys::failure::code_of(error) {
        Some(libc::ENOMEM) => {
            "the memory that this user may lock is used up, see ulimit -l; or memory has run out"
        }
        Some(libc::EPERM | libc::EACCES) => "kernel.io_uring_disabled, or a container's seccomp filter",
        Some(libc::ENOSYS) => "before Linux 5.1, or a container's seccomp filter",
        Some(libc::EMFILE | libc::ENFILE) => "too many files are open",
        _ => "kernel.io_uring_disabled, a container's seccomp filter, or before Linux 5.1",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ring_refused_for_want_of_locked_memory_says_so() {
        let of =
            |code| cause_of(&sys::failure::in_context("io_uring_setup", io::Error::from_raw_os_error(code)));
        assert!(of(libc::ENOMEM).contains("ulimit -l"), "{}", of(libc::ENOMEM));
        assert!(!of(libc::ENOMEM).contains("seccomp"));
        assert!(of(libc::EPERM).starts_with("kernel.io_uring_disabled"));
        assert!(of(libc::ENOSYS).starts_with("before Linux 5.1"));
    }
}
