//! The mutex of the kernel and the critical section.

use std::cell::UnsafeCell;
use std::io;
use std::os::windows::io::{AsRawHandle, FromRawHandle, OwnedHandle};
use std::pin::Pin;

use windows_sys::Win32::System::Threading::{
    CRITICAL_SECTION, CreateMutexW, DeleteCriticalSection, EnterCriticalSection, INFINITE,
    InitializeCriticalSection, LeaveCriticalSection, ReleaseMutex,
};

use super::wait_for;
use crate::pipeline::locked::Lock;

/// A mutex of the kernel, which every operation enters.
pub(in crate::pipeline) struct KernelLock(pub(super) OwnedHandle);

impl Lock for KernelLock {
    fn open() -> io::Result<Self> {
        // SAFETY: no attributes and no name are given.
        let handle = unsafe { CreateMutexW(std::ptr::null(), 0, std::ptr::null()) };
        if handle.is_null() {
            return Err(io::Error::last_os_error());
        }
        // SAFETY: the handle was just made, and nothing else owns it.
        Ok(Self(unsafe { OwnedHandle::from_raw_handle(handle) }))
    }

    fn lock(&self) -> io::Result<()> {
        wait_for(&self.0, INFINITE).map(drop)
    }

    fn unlock(&self) -> io::Result<()> {
        // SAFETY: the handle is open; a mutex that the caller does not hold only makes the call fail.
        match unsafe { ReleaseMutex(self.0.as_raw_handle()) } {
            0 => Err(io::Error::last_os_error()),
            _ => Ok(()),
        }
    }
}

/// A critical section, which enters the kernel only where another thread holds it.
pub(in crate::pipeline) struct UserLock(Pin<Box<UnsafeCell<CRITICAL_SECTION>>>);

// SAFETY: a critical section is made to be used by several threads at once.
unsafe impl Send for UserLock {}
// SAFETY: it is made to be used by several threads at once.
unsafe impl Sync for UserLock {}

impl Lock for UserLock {
    fn open() -> io::Result<Self> {
        // SAFETY: the structure consists of numbers and pointers, for which all zero is valid.
        let section = Self(Box::pin(UnsafeCell::new(unsafe { std::mem::zeroed() })));
        // SAFETY: its memory stays where it is, and it is not used yet.
        unsafe { InitializeCriticalSection(section.0.get()) };
        Ok(section)
    }

    fn lock(&self) -> io::Result<()> {
        // SAFETY: the section is initialised and stays where it is.
        unsafe { EnterCriticalSection(self.0.get()) };
        Ok(())
    }

    fn unlock(&self) -> io::Result<()> {
        // SAFETY: as above, and the caller holds it.
        unsafe { LeaveCriticalSection(self.0.get()) };
        Ok(())
    }
}

impl Drop for UserLock {
    fn drop(&mut self) {
        // SAFETY: no thread holds it any more: all of them shared what owns it.
        unsafe { DeleteCriticalSection(self.0.get()) };
    }
}
