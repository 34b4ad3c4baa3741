//! Whether a piece of work enters the kernel.

use std::io;

#[cfg(target_os = "linux")]
mod linux;
#[cfg(target_os = "linux")]
use linux as system;
#[cfg(windows)]
mod windows;
#[cfg(windows)]
use windows as system;

/// Whether `work` makes a system call.
///
/// It is done once here, so that what it does at first only is done, and then in a child process that ends at its first system
/// call. In the child no other thread of this process exists: the work must neither allocate memory nor wait for a lock.
///
/// # Errors
/// The system restricts no process so, or no process can be started.
pub fn enters(work: &mut dyn FnMut()) -> io::Result<bool> {
    work();
    system::enters(work)
}
