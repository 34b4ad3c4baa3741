//! Overlapped calls, each from its start to its answer.

use std::io;
use std::ptr;

use windows_sys::Win32::Foundation::{ERROR_HANDLE_EOF, ERROR_IO_PENDING, HANDLE};
use windows_sys::Win32::Storage::FileSystem::{ReadFile, WriteFile};
use windows_sys::Win32::System::IO::OVERLAPPED;

use crate::files::{OpenFile, checked, checked_status, overlapped_at};
use crate::in_flight::pieces::Transfer;

pub(crate) enum Begun {
    /// It was done before it returned, and this is what it answered.
    AtOnce(io::Result<usize>),
    /// Its end will be reported.
    Pending,
}

#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Calls {
    all: u64,
    asynchronous: u64,
}

impl Calls {
    pub(crate) fn count(&mut self, is_asynchronous: bool) {
        self.all += 1;
        self.asynchronous += u64::from(is_asynchronous);
    }

    /// Says how many were done before they returned: overlapped work on cached files often is, and then nothing overlaps.
    pub(crate) fn note(self) -> String {
        format!(
            "asynchronous: {} of {} calls, the others were done before they returned",
            self.asynchronous, self.all
        )
    }

    /// Starts a transfer.
    ///
    /// # Safety
    /// The transfer's memory and the structure must stay, and must not be touched, until the end of the call.
    pub(crate) unsafe fn start(
        &mut self, file: &OpenFile, transfer: Transfer, event: HANDLE, overlapped: *mut OVERLAPPED,
    ) -> Begun {
        let Transfer { is_write, memory, bytes, offset } = transfer;
        // SAFETY: the caller vouches for the structure, which nothing uses now, and for the memory; the handle is open.
        let answer = unsafe {
            *overlapped = OVERLAPPED { hEvent: event, ..overlapped_at(offset) };
            if is_write {
                WriteFile(file.handle(), memory, bytes, ptr::null_mut(), overlapped)
            } else {
                ReadFile(file.handle(), memory, bytes, ptr::null_mut(), overlapped)
            }
        };
        let refused = checked(answer).err();
        let is_pending =
            refused.as_ref().is_some_and(|error| error.raw_os_error() == Some(ERROR_IO_PENDING as i32));
        self.count(is_pending);
        match refused {
            Some(_) if is_pending => Begun::Pending,
            Some(error) => Begun::AtOnce(read_to_the_end(error)),
            // SAFETY: the call has ended.
            None => Begun::AtOnce(unsafe { answer_in(overlapped) }),
        }
    }
}

/// Returns the state in the structure of a call that has ended.
///
/// # Safety
/// The structure is valid, and its call has ended.
pub(crate) unsafe fn answer_in(overlapped: *const OVERLAPPED) -> io::Result<usize> {
    // SAFETY: the caller vouches for it.
    let (status, moved) = unsafe { ((*overlapped).Internal as i32, (*overlapped).InternalHigh) };
    checked_status(status).map_or_else(read_to_the_end, |()| Ok(moved))
}

/// The end of the file is no error but nothing more to read.
pub(crate) fn read_to_the_end(error: io::Error) -> io::Result<usize> {
    if error.raw_os_error() == Some(ERROR_HANDLE_EOF as i32) { Ok(0) } else { Err(error) }
}
