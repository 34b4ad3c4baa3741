//! A completion port, out of which the ends of overlapped calls come.

use std::io;
use std::os::windows::io::{AsRawHandle, FromRawHandle, OwnedHandle};
use std::ptr;

use windows_sys::Win32::Foundation::{HANDLE, INVALID_HANDLE_VALUE};
use windows_sys::Win32::System::IO::{CreateIoCompletionPort, GetQueuedCompletionStatusEx, OVERLAPPED_ENTRY};
use windows_sys::Win32::System::Threading::INFINITE;

use super::{OpenFile, checked};

/// The port of some files that were opened for overlapped calls.
pub(crate) struct Port(OwnedHandle);

impl Port {
    /// A port out of which every end of these files comes.
    pub(crate) fn of_files(files: &[&OpenFile]) -> io::Result<Self> {
        // SAFETY: no file is given, so the call makes a new port, whose handle is ours alone.
        let port = unsafe { CreateIoCompletionPort(INVALID_HANDLE_VALUE, ptr::null_mut(), 0, 1) };
        if port.is_null() {
            let error = io::Error::last_os_error();
            return Err(sys::failure::in_context("CreateIoCompletionPort", error));
        }
        // SAFETY: it was opened above, and no other value owns it.
        let port = unsafe { OwnedHandle::from_raw_handle(port) };
        for file in files {
            // SAFETY: both handles are open.
            let joined = unsafe { CreateIoCompletionPort(file.handle(), port.as_raw_handle(), 0, 0) };
            checked(i32::from(!joined.is_null())).map_err(file.at("CreateIoCompletionPort for"))?;
        }
        Ok(Self(port))
    }

    pub(crate) fn handle(&self) -> HANDLE {
        self.0.as_raw_handle()
    }

    /// Waits for at least one end; gives how many entries were filled.
    pub(crate) fn wait(&self, entries: &mut [OVERLAPPED_ENTRY]) -> io::Result<usize> {
        let mut count = 0;
        let (port, room) = (self.handle(), entries.len() as u32);
        // SAFETY: the port is open, and there are as many entries as said.
        let answer = unsafe {
            GetQueuedCompletionStatusEx(port, entries.as_mut_ptr(), room, &raw mut count, INFINITE, 0)
        };
        checked(answer).map_err(|error| sys::failure::in_context("GetQueuedCompletionStatusEx", error))?;
        Ok(count as usize)
    }
}
