//! Learning of the end of a command without waiting for it, so that its number stays its own.

use std::io::{self, PipeReader};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicI32, Ordering};

use rustix::fs::{OFlags, fcntl_setfl};
use rustix::process::{Pid, PidfdFlags, WaitId, WaitIdOptions, pidfd_open, waitid};

/// Something to poll that may be ready when a command has ended.
pub(super) enum MainEnd {
    /// Ready once it has ended.
    Descriptor(OwnedFd),
    /// Ready once any child has ended: where the system gives no descriptor of a process, as under some filters of system
    /// calls.
    AnyChild(Pid, &'static PipeReader),
}

impl MainEnd {
    pub(super) fn of(main: Pid) -> io::Result<Self> {
        match pidfd_open(main, PidfdFlags::empty()) {
            Ok(descriptor) => Ok(Self::Descriptor(descriptor)),
            Err(_) => Ok(Self::AnyChild(main, ends_of_children()?)),
        }
    }

    /// What to poll.
    pub(super) fn descriptor(&self) -> BorrowedFd<'_> {
        match self {
            Self::Descriptor(descriptor) => descriptor.as_fd(),
            Self::AnyChild(_, ends) => ends.as_fd(),
        }
    }

    /// Whether it has ended; `ready` tells whether the descriptor is.
    pub(super) fn has_come(&self, ready: bool) -> bool {
        match self {
            Self::Descriptor(_) => ready,
            Self::AnyChild(main, ends) => {
                // Emptied first: an end that comes after the look makes it ready again.
                while rustix::io::read(ends, &mut [0; 64]).is_ok_and(|count| count > 0) {}
                let look = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
                // Who was waited for already is no child any more.
                !matches!(waitid(WaitId::Pid(*main), look), Ok(None))
            }
        }
    }
}

/// A pipe into which the end of each child from now on writes a byte. Commands have the signal as it comes: a handler does not
/// outlive the start of a program.
fn ends_of_children() -> io::Result<&'static PipeReader> {
    static WRITER: AtomicI32 = AtomicI32::new(-1);
    static READER: OnceLock<PipeReader> = OnceLock::new();
    extern "C" fn tell(_: libc::c_int) {
        // SAFETY: `write` may be called in a handler; the descriptor is never closed. A full pipe is ready already. The
        // place of `errno` is this thread's own, and the interrupted code finds in it what was there.
        unsafe {
            let errno = *libc::__errno_location();
            libc::write(WRITER.load(Ordering::Relaxed), [1_u8].as_ptr().cast(), 1);
            *libc::__errno_location() = errno;
        }
    }
    if let Some(reader) = READER.get() {
        return Ok(reader);
    }
    let (reader, writer) = io::pipe()?;
    fcntl_setfl(&reader, OFlags::NONBLOCK)?;
    fcntl_setfl(&writer, OFlags::NONBLOCK)?;
    let writer: OwnedFd = writer.into();
    WRITER.store(std::os::fd::IntoRawFd::into_raw_fd(writer), Ordering::Relaxed);
    if !crate::signals::handle(libc::SIGCHLD, tell, libc::SA_NOCLDSTOP) {
        return Err(io::Error::last_os_error());
    }
    // The first command may have ended before there was a handler.
    tell(libc::SIGCHLD);
    Ok(READER.get_or_init(|| reader))
}
