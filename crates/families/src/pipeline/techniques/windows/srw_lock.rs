use std::cell::UnsafeCell;
use std::io;
use std::pin::Pin;

use windows_sys::Win32::System::Threading::{
    AcquireSRWLockExclusive, CONDITION_VARIABLE, CONDITION_VARIABLE_INIT, INFINITE, ReleaseSRWLockExclusive,
    SRWLOCK, SRWLOCK_INIT, SleepConditionVariableSRW, WakeConditionVariable,
};

use crate::files::checked;
use crate::pipeline::locked::{Condition, Lock, Locked};
use crate::pipeline::strategy::Waits;
use crate::pipeline::techniques::{PipelineJob, Technique};

pub(in crate::pipeline::techniques) const SRW_LOCK: Technique<PipelineJob> = Technique {
    name: "srw_lock",
    idea: "SRWLOCK and SleepConditionVariableSRW; one thread is woken",
    source: "Microsoft, Slim Reader/Writer (SRW) Locks",
    ..Technique::usual(PipelineJob::by::<Locked<SlimLock, SlimCondition>>)
};

/// The lock, at an address that does not change.
struct SlimLock(Pin<Box<UnsafeCell<SRWLOCK>>>);

// SAFETY: the lock is made to be used by several threads at once.
unsafe impl Send for SlimLock {}
// SAFETY: it is made to be used by several threads at once.
unsafe impl Sync for SlimLock {}

impl Lock for SlimLock {
    fn open() -> io::Result<Self> {
        Ok(Self(Box::pin(UnsafeCell::new(SRWLOCK_INIT))))
    }

    fn lock(&self) -> io::Result<()> {
        // SAFETY: the lock is initialised and stays where it is.
        unsafe { AcquireSRWLockExclusive(self.0.get()) };
        Ok(())
    }

    fn unlock(&self) -> io::Result<()> {
        // SAFETY: as above, and the caller holds it.
        unsafe { ReleaseSRWLockExclusive(self.0.get()) };
        Ok(())
    }
}

/// A condition variable, at an address that does not change.
struct SlimCondition(Pin<Box<UnsafeCell<CONDITION_VARIABLE>>>);

// SAFETY: the condition variable is made to be used by several threads at once.
unsafe impl Send for SlimCondition {}
// SAFETY: it is made to be used by several threads at once.
unsafe impl Sync for SlimCondition {}

impl Condition<SlimLock> for SlimCondition {
    fn open() -> io::Result<Self> {
        Ok(Self(Box::pin(UnsafeCell::new(CONDITION_VARIABLE_INIT))))
    }

    fn wait(&self, lock: &SlimLock, _waits: &Waits) -> io::Result<()> {
        // SAFETY: both are initialised and stay where they are; the caller holds the lock exclusively.
        checked(unsafe { SleepConditionVariableSRW(self.0.get(), lock.0.get(), INFINITE, 0) })
    }

    fn wake(&self) -> io::Result<()> {
        // SAFETY: the condition variable is initialised and stays where it is.
        unsafe { WakeConditionVariable(self.0.get()) };
        Ok(())
    }
}
