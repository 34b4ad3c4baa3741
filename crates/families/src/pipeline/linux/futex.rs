//! Waiting until a number in memory has changed, and the two events of Windows made of it.

use std::io;
use std::sync::atomic::{AtomicU32, Ordering};

use rustix::io::Errno;
use rustix::thread::futex;

use crate::pipeline::locked::{Condition, Lock};
use crate::pipeline::strategy::Waits;

/// Waits while the number is `seen`. May return for no reason.
pub(in crate::pipeline) fn wait_while(number: &AtomicU32, seen: u32) -> io::Result<()> {
    match futex::wait(number, futex::Flags::PRIVATE, seen, None) {
        Ok(()) | Err(Errno::AGAIN | Errno::INTR) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

pub(in crate::pipeline) fn wake_one(number: &AtomicU32) -> io::Result<()> {
    wake(number, 1)
}

/// Wakes at most this many of those that wait.
pub(super) fn wake(number: &AtomicU32, most: u32) -> io::Result<()> {
    futex::wake(number, futex::Flags::PRIVATE, most)?;
    Ok(())
}

/// Wakes all that wait at this moment and leaves nothing behind. A futex over the number of pulses.
pub(in crate::pipeline) struct PulsedEvent(AtomicU32);

impl<L: Lock> Condition<L> for PulsedEvent {
    fn open() -> io::Result<Self> {
        Ok(Self(AtomicU32::new(0)))
    }

    fn wait(&self, lock: &L, waits: &Waits) -> io::Result<()> {
        lock.apart(|| {
            let limit = waits.timeout.map(|limit| futex::Timespec {
                tv_sec: limit.as_secs() as i64,
                tv_nsec: limit.subsec_nanos().into(),
            });
            // Read only here, after the lock was given back: an event that is pulsed before is missed, as on Windows.
            let pulses = self.0.load(Ordering::SeqCst);
            match futex::wait(&self.0, futex::Flags::PRIVATE, pulses, limit.as_ref()) {
                Ok(()) | Err(Errno::AGAIN | Errno::INTR) => Ok(()),
                Err(Errno::TIMEDOUT) => {
                    waits.note_time_out();
                    Ok(())
                }
                Err(error) => Err(error.into()),
            }
        })
    }

    fn wake(&self) -> io::Result<()> {
        self.0.fetch_add(1, Ordering::SeqCst);
        wake(&self.0, i32::MAX as u32)
    }
}

/// Stays set until one thread has waited for it. A futex: an `eventfd` wakes all that read.
pub(in crate::pipeline) struct AutoResetEvent(AtomicU32);

const NOT_SET: u32 = 0;
const SET: u32 = 1;

impl<L: Lock> Condition<L> for AutoResetEvent {
    fn open() -> io::Result<Self> {
        Ok(Self(AtomicU32::new(NOT_SET)))
    }

    fn wait(&self, lock: &L, _waits: &Waits) -> io::Result<()> {
        lock.apart(|| {
            while self.0.swap(NOT_SET, Ordering::SeqCst) == NOT_SET {
                wait_while(&self.0, NOT_SET)?;
            }
            Ok(())
        })
    }

    fn wake(&self) -> io::Result<()> {
        self.0.store(SET, Ordering::SeqCst);
        wake_one(&self.0)
    }
}
