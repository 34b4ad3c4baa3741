//! The codes of `GetLastError`.

use model::FailureKind;
use windows_sys::Win32::Foundation::{
    ERROR_DISK_FULL, ERROR_DISK_QUOTA_EXCEEDED, ERROR_HANDLE_DISK_FULL, ERROR_TOO_MANY_OPEN_FILES,
};

/// No space, as the file system, a call on an open file, and the quota of this user tell it.
pub(super) const CODES_OF_A_FULL_DISK: [i32; 3] =
    [ERROR_DISK_FULL as i32, ERROR_HANDLE_DISK_FULL as i32, ERROR_DISK_QUOTA_EXCEEDED as i32];
pub(super) const CODES_OF_TOO_MANY_FILES: [i32; 1] = [ERROR_TOO_MANY_OPEN_FILES as i32];

pub(super) fn kind_of_code(code: i32) -> Option<FailureKind> {
    match code {
        code if CODES_OF_A_FULL_DISK.contains(&code) => Some(FailureKind::DiskFull),
        code if CODES_OF_TOO_MANY_FILES.contains(&code) => Some(FailureKind::TooManyFiles),
        _ => None,
    }
}
