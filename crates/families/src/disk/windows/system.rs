//! The calls on an open file that this family needs and others do not.

use std::io;
use std::path::Path;

use windows_sys::Win32::Storage::FileSystem::{FILE_FLAG_NO_BUFFERING, FILE_FLAG_WRITE_THROUGH};

use crate::files::{Mapping, OpenFile, Use};

/// A view of a file may begin at a multiple of this many bytes.
pub(in crate::disk) const VIEW_BYTES: u64 = 64 << 10;

/// Published programs that used `O_SYNC` on Linux used the flag for writing through here.
pub(in crate::disk) const ALIASES_OF_WRITE_THROUGH: &[&str] = &["synchronous"];

pub(in crate::disk) fn open_to_write(path: &Path) -> io::Result<OpenFile<'_>> {
    OpenFile::open_with(path, Use::Change, 0)
}

pub(in crate::disk) fn open_to_map(path: &Path) -> io::Result<OpenFile<'_>> {
    open_to_write(path)
}

/// Opens the file for writing in place; each write returns when its data is on the device.
pub(in crate::disk) fn open_write_through(path: &Path) -> io::Result<OpenFile<'_>> {
    OpenFile::open_with(path, Use::Change, FILE_FLAG_WRITE_THROUGH)
}

/// Opens the file for writing in place past the file cache.
pub(in crate::disk) fn open_direct_to_write(path: &Path, through: bool) -> io::Result<OpenFile<'_>> {
    let further = if through { FILE_FLAG_WRITE_THROUGH } else { 0 };
    OpenFile::open_with(path, Use::Change, FILE_FLAG_NO_BUFFERING | further)
}

pub(in crate::disk) fn flush(file: &OpenFile) -> io::Result<()> {
    file.flush()
}

/// Waits until what was written into a view is on the device.
pub(in crate::disk) fn flush_view(file: &OpenFile, view: &mut Mapping) -> io::Result<()> {
    view.hand_over(file)?;
    file.flush()
}
