//! Reading and writing an `eventfd`.

use std::io;
use std::os::fd::OwnedFd;

use rustix::io::{read, retry_on_intr, write};

/// Waits until the counter is not 0, and takes what it holds: one from a semaphore, else all.
pub(in crate::pipeline) fn take(counter: &OwnedFd) -> io::Result<u64> {
    let mut count = [0; 8];
    let bytes = retry_on_intr(|| read(counter, &mut count))?;
    match bytes {
        8 => Ok(u64::from_ne_bytes(count)),
        _ => Err(io::ErrorKind::UnexpectedEof.into()),
    }
}

/// Adds one, which wakes a waiting thread.
pub(in crate::pipeline) fn add_one(counter: &OwnedFd) -> io::Result<()> {
    match retry_on_intr(|| write(counter, &1_u64.to_ne_bytes()))? {
        8 => Ok(()),
        _ => Err(io::ErrorKind::WriteZero.into()),
    }
}
