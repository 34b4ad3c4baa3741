//! Events: pulsed, and those that reset themselves; and the call that gives back a mutex and waits for one.

use std::io;
use std::os::windows::io::{AsRawHandle, FromRawHandle, OwnedHandle};

use windows_sys::Win32::Foundation::{WAIT_FAILED, WAIT_OBJECT_0};
use windows_sys::Win32::System::Threading::{
    CreateEventW, INFINITE, PulseEvent, SetEvent, SignalObjectAndWait,
};

use super::locks::KernelLock;
use super::wait_for;
use crate::pipeline::locked::{Conditions, Event, Lock, Side};
use crate::pipeline::strategy::Waits;

fn event(is_reset_by_hand: bool) -> io::Result<OwnedHandle> {
    // SAFETY: no attributes and no name are given.
    let handle = unsafe { CreateEventW(std::ptr::null(), i32::from(is_reset_by_hand), 0, std::ptr::null()) };
    if handle.is_null() {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: the handle was just made, and nothing else owns it.
    Ok(unsafe { OwnedHandle::from_raw_handle(handle) })
}

fn told(answer: i32) -> io::Result<()> {
    match answer {
        0 => Err(io::Error::last_os_error()),
        _ => Ok(()),
    }
}

/// A pulse wakes all that wait at this moment and leaves nothing behind.
pub(in crate::pipeline) struct PulsedEvent(OwnedHandle);

impl Event for PulsedEvent {
    fn open() -> io::Result<Self> {
        event(true).map(Self)
    }

    fn wait(&self, waits: &Waits) -> io::Result<()> {
        // Rounded up: a wait of less than a millisecond is none.
        let limit = waits.timeout.map(|limit| limit.as_nanos().div_ceil(1_000_000));
        let limit = limit.map_or(INFINITE, |ms| u32::try_from(ms).unwrap_or(INFINITE - 1).min(INFINITE - 1));
        if !wait_for(&self.0, limit)? {
            waits.note_time_out();
        }
        Ok(())
    }

    fn wake(&self) -> io::Result<()> {
        // SAFETY: the handle is open.
        told(unsafe { PulseEvent(self.0.as_raw_handle()) })
    }
}

/// Once set it stays so until one thread has waited for it.
pub(in crate::pipeline) struct AutoResetEvent(OwnedHandle);

impl Event for AutoResetEvent {
    fn open() -> io::Result<Self> {
        event(false).map(Self)
    }

    fn wait(&self, _waits: &Waits) -> io::Result<()> {
        wait_for(&self.0, INFINITE).map(drop)
    }

    fn wake(&self) -> io::Result<()> {
        // SAFETY: the handle is open.
        told(unsafe { SetEvent(self.0.as_raw_handle()) })
    }
}

/// A mutex of the kernel with two events, and `SignalObjectAndWait`: `ALL` that wait are woken by a pulse, or one by an event
/// that resets itself.
pub(in crate::pipeline) struct AtomicWait<const ALL: bool> {
    lock: KernelLock,
    room: OwnedHandle,
    message: OwnedHandle,
}

impl<const ALL: bool> AtomicWait<ALL> {
    fn event(&self, side: Side) -> &OwnedHandle {
        match side {
            Side::Room => &self.room,
            Side::Message => &self.message,
        }
    }
}

impl<const ALL: bool> Conditions for AtomicWait<ALL> {
    fn open(_waits: &Waits) -> io::Result<Self> {
        Ok(Self { lock: KernelLock::open()?, room: event(ALL)?, message: event(ALL)? })
    }

    fn lock(&self) -> io::Result<()> {
        self.lock.lock()
    }

    fn unlock(&self) -> io::Result<()> {
        self.lock.unlock()
    }

    fn wait(&self, side: Side) -> io::Result<()> {
        let (lock, event) = (self.lock.0.as_raw_handle(), self.event(side).as_raw_handle());
        // SAFETY: both handles are open; a mutex that the caller does not hold only makes the call fail.
        match unsafe { SignalObjectAndWait(lock, event, INFINITE, 0) } {
            WAIT_OBJECT_0 => self.lock.lock(),
            WAIT_FAILED => Err(io::Error::last_os_error()),
            other => Err(io::Error::other(format!("SignalObjectAndWait answered {other}"))),
        }
    }

    fn wake(&self, side: Side) -> io::Result<()> {
        let event = self.event(side).as_raw_handle();
        // SAFETY: the handle is open.
        told(unsafe {
            match ALL {
                true => PulseEvent(event),
                false => SetEvent(event),
            }
        })
    }
}

/// The atomic wait of the published strategies, all woken.
pub(in crate::pipeline) type BroadcastWait = AtomicWait<true>;

/// The atomic wait of the published strategies, one woken.
pub(in crate::pipeline) type SignalWait = AtomicWait<false>;
