//! A lock that enters the kernel at every operation, as a Windows mutex does: a pipe that holds one byte while the lock is free.
//!
//! The kernel wakes one of the threads that read a pipe. An `eventfd` would wake all that wait for it: of 64 threads, 63 would wake for
//! nothing at every operation.

use std::io;
use std::os::fd::OwnedFd;
use std::sync::atomic::{AtomicBool, Ordering};

use rustix::io::{read, retry_on_intr, write};
use rustix::pipe::{PipeFlags, pipe_with};

use crate::pipeline::locked::Lock;

pub(in crate::pipeline) struct KernelLock {
    taking: OwnedFd,
    giving: OwnedFd,
    /// Tells compiler and sanitizers what the kernel does: what was written under the lock is seen by the next thread that holds it.
    given_back: AtomicBool,
}

impl Lock for KernelLock {
    fn open() -> io::Result<Self> {
        let (taking, giving) = pipe_with(PipeFlags::CLOEXEC)?;
        let lock = Self { taking, giving, given_back: AtomicBool::new(true) };
        lock.unlock()?;
        Ok(lock)
    }

    fn lock(&self) -> io::Result<()> {
        if retry_on_intr(|| read(&self.taking, &mut [0]))? != 1 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        self.given_back.load(Ordering::Acquire);
        Ok(())
    }

    fn unlock(&self) -> io::Result<()> {
        self.given_back.store(true, Ordering::Release);
        match retry_on_intr(|| write(&self.giving, &[0]))? {
            1 => Ok(()),
            _ => Err(io::ErrorKind::WriteZero.into()),
        }
    }
}
