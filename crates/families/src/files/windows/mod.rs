//! Windows' answers to the questions of this folder.

mod memory;
mod open_file;
mod ring;

use std::ffi::{CStr, c_int};
use std::fs::File;
use std::io;
use std::os::windows::ffi::OsStrExt;
use std::path::Path;

use super::invalid;

pub(crate) use memory::{Section, look_up, look_up_for_writing};
pub(crate) use open_file::{
    OpenFile, Port, ThreadFile, Use, alignment_bytes, overlapped_at, presize, reserve,
};
pub(crate) use ring::{Piece, Ring};
pub(crate) use sys::windows::{checked, checked_status};

/// The mode of a new stream. The older C runtime knows no `x`: only the folder's access list keeps others from a link.
pub(crate) const NEW_STREAM: &CStr = c"wb";

/// A new file; it inherits the access list of its folder, which lets no other user in.
pub(crate) fn create_privately(path: &Path, _original: &Path) -> io::Result<File> {
    File::create_new(path)
}

/// Flushes a file that is closed already. Windows offers no call for its directory entry: NTFS keeps that in its journal.
pub(crate) fn make_durable(path: &Path) -> io::Result<()> {
    OpenFile::open_to_change(path)?.flush()
}

pub(crate) fn make_data_durable(path: &Path) -> io::Result<()> {
    make_durable(path)
}

/// Flushes a new folder. Windows offers no call for that: NTFS keeps the entries in its journal.
pub(crate) fn flush_folder(_path: &Path) -> io::Result<()> {
    Ok(())
}

/// Returns the path as the system takes it.
pub(crate) fn wide(path: &Path) -> io::Result<Vec<u16>> {
    let units: Vec<u16> = path.as_os_str().encode_wide().chain([0]).collect();
    if units[..units.len() - 1].contains(&0) {
        return Err(invalid(format!("{}: a zero in the path", path.display())));
    }
    Ok(units)
}

/// Opens a stream of the C library; null where that is refused.
pub(crate) fn open_stream(path: &Path, mode: &CStr) -> io::Result<*mut libc::FILE> {
    let name = wide(path)?;
    let mode: Vec<u16> = mode.to_bytes_with_nul().iter().copied().map(u16::from).collect();
    // SAFETY: both arguments end in a zero.
    Ok(unsafe { _wfopen(name.as_ptr(), mode.as_ptr()) })
}

/// Opens a descriptor of the C library, of a new file with this mode; -1 where that is refused.
pub(crate) fn open_descriptor(path: &Path, flags: c_int, mode: c_int) -> io::Result<c_int> {
    let name = wide(path)?;
    // SAFETY: the path ends in a zero, and the mode that O_CREAT wants is given. O_BINARY keeps line ends as they are.
    Ok(unsafe { libc::wopen(name.as_ptr(), flags | libc::O_BINARY, mode) })
}

unsafe extern "C" {
    /// Of msvcrt: `fopen` of this system takes the characters of one code page only.
    fn _wfopen(name: *const u16, mode: *const u16) -> *mut libc::FILE;

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
