//! Linux' answers to the questions of this folder, in system calls without anything in between.

mod aio;
mod memory;
mod open_file;
mod ring;

#[cfg(test)]
mod job_tests;
#[cfg(test)]
mod tests;
#[cfg(test)]
pub(crate) use job_tests::pages_for;
#[cfg(test)]
pub(crate) use tests::alone;

use std::ffi::{CStr, CString, c_int};
use std::fs::File;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::Path;

pub(crate) use aio::{AioRoutine, AioTransfer, answer_of, has_ended, idle_request, start_request};
pub(crate) use memory::{HUGE_PAGE_BYTES, Section, look_up, look_up_for_writing};
pub(crate) use open_file::{
    DONTCACHE, OpenFile, ThreadFile, alignment_bytes, allocate, has_allocated, presize, probe_uncached,
    read_uncached, reserve, write_all_uncached,
};
pub(crate) use ring::{is_passing, moved_by, new_ring, probe_ring, register_buffers, ring_of_files};

/// The mode of a new stream: `x` has the one call that `wb` makes refuse what stands there, a link above all.
pub(crate) const NEW_STREAM: &CStr = c"wbx";

/// Creates a file for its owner alone, who may change it if the owner of the original may change that.
pub(crate) fn create_privately(path: &Path, original: &Path) -> io::Result<File> {
    // Who has read the original, by whatever right, has to read the copy.
    let mode = 0o400 | original.metadata()?.permissions().mode() & 0o200;
    File::options().write(true).create_new(true).mode(mode).open(path)
}

/// Flushes a file that is closed already, and the folder that names it.
pub(crate) fn make_durable(path: &Path) -> io::Result<()> {
    OpenFile::open(path)?.flush()
}

/// Flushes one of many files; their folder is flushed after the last of them.
pub(crate) fn make_data_durable(path: &Path) -> io::Result<()> {
    OpenFile::open(path)?.flush_data()
}

pub(crate) fn flush_folder(path: &Path) -> io::Result<()> {
    OpenFile::open_folder(path)?.flush()
}

pub(crate) fn c_path(path: &Path) -> io::Result<CString> {
    CString::new(path.as_os_str().as_bytes())
        .map_err(|_| io::Error::new(io::ErrorKind::InvalidInput, format!("{}: a zero byte", path.display())))
}

/// Opens a stream of the C library; null where that is refused.
pub(crate) fn open_stream(path: &Path, mode: &CStr) -> io::Result<*mut libc::FILE> {
    let name = c_path(path)?;
    // SAFETY: both arguments are strings that end in a zero byte.
    Ok(unsafe { libc::fopen(name.as_ptr(), mode.as_ptr()) })
}

/// Opens a descriptor of the C library, of a new file with this mode; -1 where that is refused.
pub(crate) fn open_descriptor(path: &Path, flags: c_int, mode: c_int) -> io::Result<c_int> {
    let name = c_path(path)?;
    // SAFETY: the path ends in a zero byte, and the mode that O_CREAT wants is given.
    Ok(unsafe { libc::open(name.as_ptr(), flags, mode) })
}

/// Moves a stream of the C library to an offset; 0 when that was done.
///
/// # Safety
/// The stream must be open.
pub(crate) unsafe fn seek_stream(file: *mut libc::FILE, offset: u64) -> c_int {
    // SAFETY: the caller vouches for the stream.
    unsafe { libc::fseeko(file, offset as libc::off_t, libc::SEEK_SET) }
}
