//! A semaphore of the kernel.

use std::io;
use std::os::windows::io::{AsRawHandle, FromRawHandle, OwnedHandle};

use windows_sys::Win32::System::Threading::{CreateSemaphoreW, INFINITE, ReleaseSemaphore};

use super::wait_for;

pub(in crate::pipeline) struct Semaphore(OwnedHandle);

impl Semaphore {
    pub(in crate::pipeline) fn open(count: u32) -> io::Result<Self> {
        let count = i32::try_from(count).map_err(io::Error::other)?;
        // SAFETY: no attributes and no name are given.
        let handle = unsafe { CreateSemaphoreW(std::ptr::null(), count, i32::MAX, std::ptr::null()) };
        if handle.is_null() {
            return Err(io::Error::last_os_error());
        }
        // SAFETY: the handle was just made, and nothing else owns it.
        Ok(Self(unsafe { OwnedHandle::from_raw_handle(handle) }))
    }

    /// Waits until it is not 0, and takes one.
    pub(in crate::pipeline) fn acquire(&self) -> io::Result<()> {
        wait_for(&self.0, INFINITE).map(drop)
    }

    /// Adds one.
    pub(in crate::pipeline) fn release(&self) -> io::Result<()> {
        // SAFETY: the handle is open, and the previous count may be null.
        match unsafe { ReleaseSemaphore(self.0.as_raw_handle(), 1, std::ptr::null_mut()) } {
            0 => Err(io::Error::last_os_error()),
            _ => Ok(()),
        }
    }
}
