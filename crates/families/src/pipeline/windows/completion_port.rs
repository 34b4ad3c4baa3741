//! A completion port that carries addresses.

use std::io;
use std::os::windows::io::{AsRawHandle, FromRawHandle, OwnedHandle};

use windows_sys::Win32::Foundation::INVALID_HANDLE_VALUE;
use windows_sys::Win32::System::IO::{
    CreateIoCompletionPort, GetQueuedCompletionStatus, OVERLAPPED, PostQueuedCompletionStatus,
};
use windows_sys::Win32::System::Threading::INFINITE;

pub(in crate::pipeline) struct CompletionPort(OwnedHandle);

impl CompletionPort {
    pub(in crate::pipeline) fn open() -> io::Result<Self> {
        // SAFETY: no file and no existing port are given.
        let port = unsafe { CreateIoCompletionPort(INVALID_HANDLE_VALUE, std::ptr::null_mut(), 0, 1) };
        if port.is_null() {
            return Err(io::Error::last_os_error());
        }
        // SAFETY: the handle was just made, and nothing else owns it.
        Ok(Self(unsafe { OwnedHandle::from_raw_handle(port) }))
    }

    /// Queues an address in the place of a key.
    pub(in crate::pipeline) fn post(&self, address: usize) -> io::Result<()> {
        // SAFETY: the port is open; no structure stands behind the packet.
        match unsafe { PostQueuedCompletionStatus(self.0.as_raw_handle(), 0, address, std::ptr::null()) } {
            0 => Err(io::Error::last_os_error()),
            _ => Ok(()),
        }
    }

    /// Waits for the oldest address.
    pub(in crate::pipeline) fn wait(&self) -> io::Result<usize> {
        let (mut bytes, mut address) = (0, 0);
        let mut overlapped: *mut OVERLAPPED = std::ptr::null_mut();
        // SAFETY: the port is open, and all three are valid places for the answer.
        let answer = unsafe {
            GetQueuedCompletionStatus(
                self.0.as_raw_handle(),
                &raw mut bytes,
                &raw mut address,
                &raw mut overlapped,
                INFINITE,
            )
        };
        match answer {
            0 => Err(io::Error::last_os_error()),
            _ => Ok(address),
        }
    }
}
