//! A semaphore of the kernel: an `eventfd` that is read one by one.

use std::io;
use std::os::fd::OwnedFd;

use rustix::event::{EventfdFlags, eventfd};
use rustix::io::{read, retry_on_intr, write};

pub(in crate::pipeline) struct Semaphore(OwnedFd);

impl Semaphore {
    pub(in crate::pipeline) fn open(count: u32) -> io::Result<Self> {
        Ok(Self(eventfd(count, EventfdFlags::CLOEXEC | EventfdFlags::SEMAPHORE)?))
    }

    /// Waits until it is not 0, and takes one.
    pub(in crate::pipeline) fn acquire(&self) -> io::Result<()> {
        match retry_on_intr(|| read(&self.0, &mut [0; 8]))? {
            8 => Ok(()),
            _ => Err(io::ErrorKind::UnexpectedEof.into()),
        }
    }

    /// Adds one, which wakes all threads that wait: all but one of them wait again.
    pub(in crate::pipeline) fn release(&self) -> io::Result<()> {
        match retry_on_intr(|| write(&self.0, &1_u64.to_ne_bytes()))? {
            8 => Ok(()),
            _ => Err(io::ErrorKind::WriteZero.into()),
        }
    }
}
