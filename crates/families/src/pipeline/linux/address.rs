//! Waiting until a number in memory has changed: the futex.

use std::io;
use std::sync::atomic::AtomicU32;

use rustix::io::Errno;
use rustix::thread::futex;

/// Waits while the number is `seen`. May return for no reason.
pub(in crate::pipeline) fn wait_while(number: &AtomicU32, seen: u32) -> io::Result<()> {
    match futex::wait(number, futex::Flags::PRIVATE, seen, None) {
        Ok(()) | Err(Errno::AGAIN | Errno::INTR) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

/// Wakes one thread that waits for the number.
pub(in crate::pipeline) fn wake_one(number: &AtomicU32) -> io::Result<()> {
    futex::wake(number, futex::Flags::PRIVATE, 1)?;
    Ok(())
}
