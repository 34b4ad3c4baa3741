//! A pipe.

use std::io::{self, PipeReader, PipeWriter};
use std::os::windows::io::AsRawHandle;
use std::ptr::null_mut;

use windows_sys::Win32::Foundation::ERROR_BROKEN_PIPE;
use windows_sys::Win32::Storage::FileSystem::{ReadFile, WriteFile};

use crate::files::checked;

/// An anonymous pipe. The system chooses how many messages it holds.
pub(in crate::pipeline) fn pipe_of(
    _depth: usize, _message_bytes: usize,
) -> io::Result<(PipeReader, PipeWriter)> {
    io::pipe()
}

/// Writes a part of a message, and shows how many bytes that was.
///
/// # Safety
/// This many bytes can be read there.
pub(in crate::pipeline) unsafe fn write_part(
    pipe: &PipeWriter, from: *const u8, bytes: usize,
) -> io::Result<usize> {
    let mut written = 0;
    // SAFETY: the caller says that the memory can be read, and the handle is open.
    checked(unsafe { WriteFile(pipe.as_raw_handle(), from, bytes as u32, &raw mut written, null_mut()) })?;
    Ok(written as usize)
}

/// Reads a part of a message, and shows how many bytes that was; 0 when nothing is left and all writers are gone.
///
/// # Safety
/// This many bytes can be written there.
pub(in crate::pipeline) unsafe fn read_part(
    pipe: &PipeReader, to: *mut u8, bytes: usize,
) -> io::Result<usize> {
    let mut read = 0;
    // SAFETY: the caller says that the memory can be written, and the handle is open.
    match checked(unsafe { ReadFile(pipe.as_raw_handle(), to, bytes as u32, &raw mut read, null_mut()) }) {
        Err(error) if error.raw_os_error() != Some(ERROR_BROKEN_PIPE as i32) => Err(error),
        // A pipe whose writers are gone has given nothing.
        _ => Ok(read as usize),
    }
}
