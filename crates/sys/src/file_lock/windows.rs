//! A file that no other process may open meanwhile, and that the system deletes when it is closed.

use std::fs::{File, OpenOptions};
use std::io;
use std::os::windows::fs::OpenOptionsExt;
use std::path::Path;

use windows_sys::Win32::Foundation::{ERROR_ACCESS_DENIED, ERROR_DELETE_PENDING, ERROR_SHARING_VIOLATION};
use windows_sys::Win32::Storage::FileSystem::{
    FILE_ATTRIBUTE_HIDDEN, FILE_FLAG_DELETE_ON_CLOSE, FILE_FLAG_OPEN_REPARSE_POINT,
};

use super::held_by_another;

pub(super) struct Held {
    _file: File,
}

pub(super) fn take(path: &Path) -> io::Result<Held> {
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(false).share_mode(0);
    // The link itself, were there one, and not what it leads to: the file is deleted when it is closed.
    options
        .attributes(FILE_ATTRIBUTE_HIDDEN)
        .custom_flags(FILE_FLAG_DELETE_ON_CLOSE | FILE_FLAG_OPEN_REPARSE_POINT);
    match options.open(path) {
        Ok(file) => Ok(Held { _file: file }),
        Err(error) if is(&error, ERROR_SHARING_VIOLATION) => Err(held_by_another()),
        // What is said of a file that is just being deleted, and of a folder that takes no file.
        Err(error) if is(&error, ERROR_DELETE_PENDING) || is(&error, ERROR_ACCESS_DENIED) => {
            Err(io::Error::new(io::ErrorKind::WouldBlock, error.to_string()))
        }
        Err(error) => Err(error),
    }
}

fn is(error: &io::Error, code: u32) -> bool {
    error.raw_os_error() == Some(code as i32)
}
