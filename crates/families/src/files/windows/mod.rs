//! Windows' answers to the questions of this folder.

mod memory;
mod open_file;
mod ring;

use std::ffi::{CStr, CString, c_int};
use std::fs::File;
use std::io;
use std::path::Path;

pub(crate) use memory::Section;
pub(crate) use open_file::{
    OpenFile, Port, ThreadFile, Use, alignment_bytes, overlapped_at, presize, reserve,
};
pub(crate) use ring::{Piece, Ring};
pub(crate) use sys::windows::{checked, checked_status};

/// The flag that keeps the C runtime from translating line ends.
pub(crate) const O_BINARY: c_int = libc::O_BINARY;

/// The mode of a new stream. The older C runtime knows no `x`: only the folder's access list keeps others from a link.
pub(crate) const NEW_STREAM: &CStr = c"wb";

/// A new file; it inherits the access list of its folder, which lets no other user in.
pub(crate) fn create_privately(path: &Path, _original: &Path) -> io::Result<File> {
    File::create_new(path)
}

/// Flushes a file that is closed already. Windows offers no call for its directory entry: NTFS keeps that in its journal.
pub(crate) fn make_durable(path: &Path) -> io::Result<()> {
    OpenFile::open_with(path, Use::Change, 0)?.flush()
}

pub(crate) fn make_data_durable(path: &Path) -> io::Result<()> {
    make_durable(path)
}

/// Flushes a new folder. Windows offers no call for that: NTFS keeps the entries in its journal.
pub(crate) fn flush_folder(_path: &Path) -> io::Result<()> {
    Ok(())
}

pub(crate) fn c_path(path: &Path) -> io::Result<CString> {
    let refused =
        || io::Error::new(io::ErrorKind::InvalidInput, format!("{}: not an ASCII path", path.display()));
    let text = path.to_str().filter(|text| text.is_ascii()).ok_or_else(refused)?;
    CString::new(text).map_err(|_| refused())
}

unsafe extern "C" {
    /// Of msvcrt: `fseek` of this system has an offset of 32 bits.
    fn _fseeki64(file: *mut libc::FILE, offset: i64, origin: c_int) -> c_int;
}

/// Moves a stream of the C library to an offset; 0 when that was done.
///
/// # Safety
/// The stream must be open.
pub(crate) unsafe fn seek_stream(file: *mut libc::FILE, offset: u64) -> c_int {
    // SAFETY: the caller vouches for the stream.
    unsafe { _fseeki64(file, offset as i64, libc::SEEK_SET) }
}
