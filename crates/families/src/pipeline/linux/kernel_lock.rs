//! A lock that enters the kernel at every operation, as a Windows mutex does: an `eventfd` that counts from one to none.

use std::io;
use std::os::fd::OwnedFd;

use rustix::event::{EventfdFlags, eventfd};

use super::counter::{add_one, take};
use crate::pipeline::locked::Lock;

pub(in crate::pipeline) struct KernelLock(OwnedFd);

impl Lock for KernelLock {
    fn open() -> io::Result<Self> {
        Ok(Self(eventfd(1, EventfdFlags::CLOEXEC | EventfdFlags::SEMAPHORE)?))
    }

    fn lock(&self) -> io::Result<()> {
        take(&self.0).map(drop)
    }

    fn unlock(&self) -> io::Result<()> {
        add_one(&self.0)
    }
}
