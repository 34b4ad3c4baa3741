//! The slim lock with condition variables.

use std::cell::UnsafeCell;
use std::io;
use std::pin::Pin;

use windows_sys::Win32::System::Threading::{
    AcquireSRWLockExclusive, CONDITION_VARIABLE, CONDITION_VARIABLE_INIT, INFINITE, ReleaseSRWLockExclusive,
    SRWLOCK, SRWLOCK_INIT, SleepConditionVariableSRW, WakeConditionVariable,
};

use crate::pipeline::locked::{Conditions, Side};
use crate::pipeline::strategy::Waits;

/// The lock and both conditions, at addresses that do not change.
pub(in crate::pipeline) struct SlimWait(Pin<Box<Parts>>);

struct Parts {
    lock: UnsafeCell<SRWLOCK>,
    room: UnsafeCell<CONDITION_VARIABLE>,
    message: UnsafeCell<CONDITION_VARIABLE>,
}

// SAFETY: all three are made to be used by several threads at once.
unsafe impl Send for SlimWait {}
// SAFETY: it is made to be used by several threads at once.
unsafe impl Sync for SlimWait {}

impl SlimWait {
    fn condition(&self, side: Side) -> *mut CONDITION_VARIABLE {
        match side {
            Side::Room => self.0.room.get(),
            Side::Message => self.0.message.get(),
        }
    }
}

impl Conditions for SlimWait {
    fn open(_waits: &Waits) -> io::Result<Self> {
        let parts = Parts {
            lock: UnsafeCell::new(SRWLOCK_INIT),
            room: UnsafeCell::new(CONDITION_VARIABLE_INIT),
            message: UnsafeCell::new(CONDITION_VARIABLE_INIT),
        };
        Ok(Self(Box::pin(parts)))
    }

    fn lock(&self) -> io::Result<()> {
        // SAFETY: the lock is initialised and stays where it is.
        unsafe { AcquireSRWLockExclusive(self.0.lock.get()) };
        Ok(())
    }

    fn unlock(&self) -> io::Result<()> {
        // SAFETY: as above, and the caller holds it.
        unsafe { ReleaseSRWLockExclusive(self.0.lock.get()) };
        Ok(())
    }

    fn wait(&self, side: Side) -> io::Result<()> {
        // SAFETY: both are initialised and stay where they are; the caller holds the lock exclusively.
        match unsafe { SleepConditionVariableSRW(self.condition(side), self.0.lock.get(), INFINITE, 0) } {
            0 => Err(io::Error::last_os_error()),
            _ => Ok(()),
        }
    }

    fn wake(&self, side: Side) -> io::Result<()> {
        // SAFETY: the condition variable is initialised and stays where it is.
        unsafe { WakeConditionVariable(self.condition(side)) };
        Ok(())
    }
}
