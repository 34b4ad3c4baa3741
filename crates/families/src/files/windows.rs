//! Windows' answers to the questions of this folder.

use std::ffi::{CString, c_int};
use std::fs::OpenOptions;
use std::io;
use std::path::Path;

use super::at;

/// The flag that keeps the C runtime from translating line ends.
pub(crate) const O_BINARY: c_int = libc::O_BINARY;

/// Flushes a file that is closed already. Windows offers no call for its directory entry: NTFS keeps that in its journal.
///
/// # Errors
/// Whatever the operating system reports.
pub(crate) fn make_durable(path: &Path) -> io::Result<()> {
    let file = OpenOptions::new().write(true).open(path).map_err(at("open for flushing", path))?;
    file.sync_data().map_err(at("flush", path))
}

/// The path as the C runtime takes it.
///
/// # Errors
/// The path holds a character that the C runtime's narrow functions cannot be given.
pub(crate) fn c_path(path: &Path) -> io::Result<CString> {
    let refused =
        || io::Error::new(io::ErrorKind::InvalidInput, format!("{}: not an ASCII path", path.display()));
    let text = path.to_str().filter(|text| text.is_ascii()).ok_or_else(refused)?;
    CString::new(text).map_err(|_| refused())
}

/// Whether the file shares extents with another. Windows is not asked: `None`.
pub(crate) fn shares_extents(_path: &Path) -> Option<bool> {
    None
}
