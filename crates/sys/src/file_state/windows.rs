//! `FILE_BASIC_INFO` holds the time of the last change, which the standard library does not tell.

use std::ffi::c_void;
use std::fs::OpenOptions;
use std::io;
use std::os::windows::fs::OpenOptionsExt;
use std::os::windows::io::AsRawHandle;
use std::path::Path;

use windows_sys::Win32::Storage::FileSystem::{
    BY_HANDLE_FILE_INFORMATION, FILE_ATTRIBUTE_DIRECTORY, FILE_ATTRIBUTE_REPARSE_POINT, FILE_BASIC_INFO,
    FILE_FLAG_BACKUP_SEMANTICS, FILE_FLAG_OPEN_REPARSE_POINT, FILE_READ_ATTRIBUTES, FileBasicInfo,
    GetFileInformationByHandle, GetFileInformationByHandleEx,
};

use super::FileState;
use crate::windows::checked;

/// The system counts time in units of 100 ns.
const UNIT_NS: i128 = 100;

pub(super) fn of(path: &Path) -> io::Result<FileState> {
    let mut options = OpenOptions::new();
    options.access_mode(FILE_READ_ATTRIBUTES);
    options.custom_flags(FILE_FLAG_BACKUP_SEMANTICS | FILE_FLAG_OPEN_REPARSE_POINT);
    let file = options.open(path)?;
    let mut seen = BY_HANDLE_FILE_INFORMATION::default();
    // SAFETY: the handle is open, and the structure to be filled lives through the call.
    checked(unsafe { GetFileInformationByHandle(file.as_raw_handle(), &raw mut seen) })?;
    let mut times = FILE_BASIC_INFO::default();
    // SAFETY: the handle is open; the structure to be filled has the size that is told and lives through the call.
    checked(unsafe {
        GetFileInformationByHandleEx(
            file.as_raw_handle(),
            FileBasicInfo,
            (&raw mut times).cast::<c_void>(),
            size_of::<FILE_BASIC_INFO>() as u32,
        )
    })?;
    let special = FILE_ATTRIBUTE_DIRECTORY | FILE_ATTRIBUTE_REPARSE_POINT;
    let whole = |high: u32, low: u32| u64::from(high) << 32 | u64::from(low);
    Ok(FileState {
        is_regular: seen.dwFileAttributes & special == 0,
        bytes: whole(seen.nFileSizeHigh, seen.nFileSizeLow),
        written_ns: i128::from(times.LastWriteTime) * UNIT_NS,
        number: whole(seen.nFileIndexHigh, seen.nFileIndexLow),
        changed_ns: i128::from(times.ChangeTime) * UNIT_NS,
    })
}
