//! Objects of the kernel: the mutex, the semaphore, and the events.

use std::io;
use std::os::windows::io::{AsRawHandle, FromRawHandle, OwnedHandle};
use std::ptr::{null, null_mut};

use windows_sys::Win32::Foundation::{HANDLE, WAIT_ABANDONED, WAIT_FAILED, WAIT_OBJECT_0, WAIT_TIMEOUT};
use windows_sys::Win32::System::Threading::{
    CreateEventW, CreateMutexW, CreateSemaphoreW, INFINITE, PulseEvent, ReleaseMutex, ReleaseSemaphore,
    SetEvent, SignalObjectAndWait, WaitForSingleObject,
};

use crate::files::checked;
use crate::pipeline::locked::{Condition, Lock};
use crate::pipeline::strategy::Waits;

/// The owner of what a call has made, which gives none when it failed.
///
/// # Safety
/// Nothing else owns the handle.
unsafe fn owned(handle: HANDLE) -> io::Result<OwnedHandle> {
    checked(i32::from(!handle.is_null()))?;
    // SAFETY: the handle is open, and the caller says that nothing else owns it.
    Ok(unsafe { OwnedHandle::from_raw_handle(handle) })
}

/// Waits for an object; false when the limit was reached before.
fn wait_for(object: &OwnedHandle, limit_ms: u32) -> io::Result<bool> {
    // SAFETY: the handle is open.
    match unsafe { WaitForSingleObject(object.as_raw_handle(), limit_ms) } {
        WAIT_OBJECT_0 => Ok(true),
        WAIT_TIMEOUT => Ok(false),
        WAIT_ABANDONED => Err(io::Error::other("a thread ended while it held the mutex")),
        _ => Err(io::Error::last_os_error()),
    }
}

/// A mutex of the kernel, which every operation enters.
pub(in crate::pipeline) struct KernelLock(OwnedHandle);

impl Lock for KernelLock {
    fn open() -> io::Result<Self> {
        // SAFETY: no attributes and no name are given, and the handle was just made.
        unsafe { owned(CreateMutexW(null(), 0, null())) }.map(Self)
    }

    fn lock(&self) -> io::Result<()> {
        wait_for(&self.0, INFINITE).map(drop)
    }

    fn unlock(&self) -> io::Result<()> {
        // SAFETY: the handle is open; a mutex that the caller does not hold only makes the call fail.
        checked(unsafe { ReleaseMutex(self.0.as_raw_handle()) })
    }
}

pub(in crate::pipeline) struct Semaphore(OwnedHandle);

impl Semaphore {
    pub(in crate::pipeline) fn open(count: u32) -> io::Result<Self> {
        let count = i32::try_from(count).map_err(io::Error::other)?;
        // SAFETY: no attributes and no name are given, and the handle was just made.
        unsafe { owned(CreateSemaphoreW(null(), count, i32::MAX, null())) }.map(Self)
    }

    pub(in crate::pipeline) fn acquire(&self) -> io::Result<()> {
        wait_for(&self.0, INFINITE).map(drop)
    }

    pub(in crate::pipeline) fn release(&self) -> io::Result<()> {
        // SAFETY: the handle is open, and the previous count may be null.
        checked(unsafe { ReleaseSemaphore(self.0.as_raw_handle(), 1, null_mut()) })
    }
}

fn event(is_reset_by_hand: bool) -> io::Result<OwnedHandle> {
    // SAFETY: no attributes and no name are given, and the handle was just made.
    unsafe { owned(CreateEventW(null(), i32::from(is_reset_by_hand), 0, null())) }
}

/// A pulse wakes all that wait at this moment and leaves nothing behind.
pub(in crate::pipeline) struct PulsedEvent(OwnedHandle);

impl<L: Lock> Condition<L> for PulsedEvent {
    fn open() -> io::Result<Self> {
        event(true).map(Self)
    }

    fn wait(&self, lock: &L, waits: &Waits) -> io::Result<()> {
        lock.apart(|| {
            // Rounded up: a wait of less than a millisecond is none.
            let limit = waits.timeout.map(|limit| limit.as_nanos().div_ceil(1_000_000));
            let limit =
                limit.map_or(INFINITE, |ms| u32::try_from(ms).unwrap_or(INFINITE - 1).min(INFINITE - 1));
            if !wait_for(&self.0, limit)? {
                waits.note_time_out();
            }
            Ok(())
        })
    }

    fn wake(&self) -> io::Result<()> {
        // SAFETY: the handle is open.
        checked(unsafe { PulseEvent(self.0.as_raw_handle()) })
    }
}

/// Once set it stays so until one thread has waited for it.
pub(in crate::pipeline) struct AutoResetEvent(OwnedHandle);

impl<L: Lock> Condition<L> for AutoResetEvent {
    fn open() -> io::Result<Self> {
        event(false).map(Self)
    }

    fn wait(&self, lock: &L, _waits: &Waits) -> io::Result<()> {
        lock.apart(|| wait_for(&self.0, INFINITE).map(drop))
    }

    fn wake(&self) -> io::Result<()> {
        // SAFETY: the handle is open.
        checked(unsafe { SetEvent(self.0.as_raw_handle()) })
    }
}

/// An event, and `SignalObjectAndWait`, which gives back the mutex: a pulse wakes all, an event that resets itself one.
pub(in crate::pipeline) struct AtomicWait<const ALL: bool>(OwnedHandle);

impl<const ALL: bool> Condition<KernelLock> for AtomicWait<ALL> {
    fn open() -> io::Result<Self> {
        event(ALL).map(Self)
    }

    fn wait(&self, lock: &KernelLock, _waits: &Waits) -> io::Result<()> {
        let (mutex, event) = (lock.0.as_raw_handle(), self.0.as_raw_handle());
        // SAFETY: both handles are open; a mutex that the caller does not hold only makes the call fail.
        match unsafe { SignalObjectAndWait(mutex, event, INFINITE, 0) } {
            WAIT_OBJECT_0 => lock.lock(),
            WAIT_FAILED => Err(io::Error::last_os_error()),
            other => Err(io::Error::other(format!("SignalObjectAndWait answered {other}"))),
        }
    }

    fn wake(&self) -> io::Result<()> {
        let event = self.0.as_raw_handle();
        // SAFETY: the handle is open.
        checked(unsafe { if ALL { PulseEvent(event) } else { SetEvent(event) } })
    }
}
