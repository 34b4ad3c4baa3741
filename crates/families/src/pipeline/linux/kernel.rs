//! A lock and a semaphore that enter the kernel at every operation, as a mutex of Windows does.

use std::io;
use std::os::fd::OwnedFd;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use rustix::event::{EventfdFlags, eventfd};
use rustix::io::{read, retry_on_intr, write};
use rustix::pipe::{PipeFlags, pipe_with};

use super::futex::{wait_while, wake};
use crate::pipeline::locked::{Condition, Lock};
use crate::pipeline::strategy::Waits;

/// A pipe that holds one byte while the lock is free: the kernel wakes one of its readers, of an `eventfd` all.
pub(in crate::pipeline) struct KernelLock {
    taking: OwnedFd,
    giving: OwnedFd,
    /// Shows compiler and sanitizers what the kernel does: a thread sees what was written before under the lock.
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
        ensure_whole(retry_on_intr(|| read(&self.taking, &mut [0]))?, 1, io::ErrorKind::UnexpectedEof)?;
        self.given_back.load(Ordering::Acquire);
        Ok(())
    }

    fn unlock(&self) -> io::Result<()> {
        self.given_back.store(true, Ordering::Release);
        ensure_whole(retry_on_intr(|| write(&self.giving, &[0]))?, 1, io::ErrorKind::WriteZero)
    }
}

/// An event whose wait gives back the lock, as `SignalObjectAndWait` does in one call: who waits is counted before the lock is given
/// back, so that no wake between both calls is lost. `ALL` that wait are let go, or one: the next to come where none waits.
pub(in crate::pipeline) struct AtomicWait<const ALL: bool>(AtomicU32);

/// The low half of the number is how many may go, the high half how many wait: at most a thousand.
const WAITING: u32 = 1 << 16;

impl<L: Lock, const ALL: bool> Condition<L> for AtomicWait<ALL> {
    fn open() -> io::Result<Self> {
        Ok(Self(AtomicU32::new(0)))
    }

    fn wait(&self, lock: &L, _waits: &Waits) -> io::Result<()> {
        self.0.fetch_add(WAITING, Ordering::SeqCst);
        lock.apart(|| {
            loop {
                let gone = |seen| (seen % WAITING > 0).then(|| seen - WAITING - 1);
                match self.0.fetch_update(Ordering::SeqCst, Ordering::SeqCst, gone) {
                    Ok(_) => return Ok(()),
                    Err(seen) => wait_while(&self.0, seen)?,
                }
            }
        })
    }

    fn wake(&self) -> io::Result<()> {
        let let_go = |seen: u32| {
            let (waiting, may_go) = (seen / WAITING, seen % WAITING);
            Some(seen - may_go + if ALL { waiting } else { may_go.min(waiting) + 1 })
        };
        // Who waits is counted by holders of the lock alone.
        let _ = self.0.fetch_update(Ordering::SeqCst, Ordering::SeqCst, let_go);
        wake(&self.0, if ALL { i32::MAX as u32 } else { 1 })
    }
}

/// An `eventfd` that is read one by one.
pub(in crate::pipeline) struct Semaphore(OwnedFd);

impl Semaphore {
    pub(in crate::pipeline) fn open(count: u32) -> io::Result<Self> {
        Ok(Self(eventfd(count, EventfdFlags::CLOEXEC | EventfdFlags::SEMAPHORE)?))
    }

    pub(in crate::pipeline) fn acquire(&self) -> io::Result<()> {
        ensure_whole(retry_on_intr(|| read(&self.0, &mut [0; 8]))?, 8, io::ErrorKind::UnexpectedEof)
    }

    /// Adds one, which wakes all threads that wait: all but one of them wait again.
    pub(in crate::pipeline) fn release(&self) -> io::Result<()> {
        ensure_whole(retry_on_intr(|| write(&self.0, &1_u64.to_ne_bytes()))?, 8, io::ErrorKind::WriteZero)
    }
}

pub(in crate::pipeline) fn ensure_whole(moved: usize, of: usize, short: io::ErrorKind) -> io::Result<()> {
    if moved == of { Ok(()) } else { Err(short.into()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A lock in whose giving back another thread's wake falls.
    struct WokenBetween<const ALL: bool>(AtomicWait<ALL>);

    impl<const ALL: bool> Lock for WokenBetween<ALL> {
        fn open() -> io::Result<Self> {
            Condition::<Self>::open().map(Self)
        }

        fn lock(&self) -> io::Result<()> {
            Ok(())
        }

        fn unlock(&self) -> io::Result<()> {
            Condition::<Self>::wake(&self.0)
        }
    }

    #[test]
    fn no_wake_between_release_and_atomic_wait_is_lost() {
        let (all, one) =
            (WokenBetween::<true>::open().expect("all"), WokenBetween::<false>::open().expect("one"));
        for _ in 0..3 {
            all.0.wait(&all, &Waits::default()).expect("woken by the pulse");
            one.0.wait(&one, &Waits::default()).expect("woken by the event");
        }
    }
}
