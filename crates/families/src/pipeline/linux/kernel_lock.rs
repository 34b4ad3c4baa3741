//! A lock that enters the kernel at every operation, as a Windows mutex does: an `eventfd` that counts from one to none.

use std::io;
use std::os::fd::OwnedFd;
use std::sync::atomic::{AtomicBool, Ordering};

use rustix::event::{EventfdFlags, eventfd};

use super::counter::{add_one, take};
use crate::pipeline::locked::Lock;

pub(in crate::pipeline) struct KernelLock {
    counter: OwnedFd,
    /// Tells compiler and sanitizers what the kernel does: what was written under the lock is seen by the next thread that holds it.
    given_back: AtomicBool,
}

impl Lock for KernelLock {
    fn open() -> io::Result<Self> {
        let counter = eventfd(1, EventfdFlags::CLOEXEC | EventfdFlags::SEMAPHORE)?;
        Ok(Self { counter, given_back: AtomicBool::new(true) })
    }

    fn lock(&self) -> io::Result<()> {
        take(&self.counter)?;
        self.given_back.load(Ordering::Acquire);
        Ok(())
    }

    fn unlock(&self) -> io::Result<()> {
        self.given_back.store(true, Ordering::Release);
        add_one(&self.counter)
    }
}
