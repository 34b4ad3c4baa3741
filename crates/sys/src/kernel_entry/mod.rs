//! Whether a piece of work enters the kernel.

use std::io;

#[cfg_attr(target_os = "linux", path = "linux.rs")]
#[cfg_attr(windows, path = "windows.rs")]
mod system;

/// Whether `work` makes a system call.
///
/// It is done once here, so that what it does at first only is done, and then in a child process that ends at its first system
/// call. In the child no other thread of this process exists: the work must neither allocate memory nor wait for a lock.
/// Errors: the system restricts no process so, or no process can be started.
pub fn enters(work: &mut dyn FnMut()) -> io::Result<bool> {
    work();
    system::enters(work)
}
