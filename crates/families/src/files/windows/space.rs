//! Room for a file before its first byte.

use std::io;
use std::ptr;

use windows_sys::Win32::Storage::FileSystem::{FILE_BEGIN, SetEndOfFile, SetFilePointerEx};

use super::{OpenFile, checked};

/// Gives the file its length, and with it its clusters. Nothing is to be noted: every file system here can.
pub(crate) fn presize(file: &OpenFile, bytes: u64, _notes: &mut Vec<String>) -> io::Result<()> {
    move_to(file, bytes as i64)?;
    // SAFETY: the handle is open.
    checked(unsafe { SetEndOfFile(file.handle()) }).map_err(file.at("SetEndOfFile"))?;
    move_to(file, 0)
}

/// A mapping gives the file its length and its clusters by itself.
pub(crate) fn reserve(_file: &OpenFile, _bytes: u64, _notes: &mut Vec<String>) -> io::Result<()> {
    Ok(())
}

fn move_to(file: &OpenFile, offset: i64) -> io::Result<()> {
    // SAFETY: the handle is open, and the new position is not asked for.
    checked(unsafe { SetFilePointerEx(file.handle(), offset, ptr::null_mut(), FILE_BEGIN) })
        .map_err(file.at("SetFilePointerEx"))
}
