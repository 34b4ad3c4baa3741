//! A semaphore of the kernel: an `eventfd` that is read one by one.

use std::io;
use std::os::fd::OwnedFd;

use rustix::event::{EventfdFlags, eventfd};

use super::counter::{add_one, take};

pub(in crate::pipeline) struct Semaphore(OwnedFd);

impl Semaphore {
    pub(in crate::pipeline) fn open(count: u32) -> io::Result<Self> {
        Ok(Self(eventfd(count, EventfdFlags::CLOEXEC | EventfdFlags::SEMAPHORE)?))
    }

    /// Waits until it is not 0, and takes one.
    pub(in crate::pipeline) fn acquire(&self) -> io::Result<()> {
        take(&self.0).map(drop)
    }

    /// Adds one.
    pub(in crate::pipeline) fn release(&self) -> io::Result<()> {
        add_one(&self.0)
    }
}
