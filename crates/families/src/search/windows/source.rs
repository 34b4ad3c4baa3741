//! A file that is read from its beginning to its end.

use std::fs::{File, OpenOptions};
use std::io::{self, Read};
use std::os::windows::fs::{FileExt, OpenOptionsExt};
use std::path::Path;

use windows_sys::Win32::Storage::FileSystem::FILE_FLAG_SEQUENTIAL_SCAN;

use super::folder::Folder;
use crate::files::at;

/// An open file without its name: in a tree, names are only put together for what matches or fails.
pub(in crate::search) struct Source(File);

impl Source {
    /// Opens a file with the hint that it will be read from its beginning to its end.
    pub(in crate::search) fn open(path: &Path) -> io::Result<Self> {
        let opened = OpenOptions::new().read(true).custom_flags(FILE_FLAG_SEQUENTIAL_SCAN).open(path);
        Ok(Self(opened.map_err(at("open", path))?))
    }

    /// Opens a file of a folder; the system offers its programs no way to do so by the name alone.
    pub(in crate::search) fn open_in(folder: &Folder, nth: usize) -> io::Result<Self> {
        Self::open(&folder.path_of(nth))
    }

    /// Reads what one call gives. Of a file, it gives less than asked for only at the end.
    pub(in crate::search) fn read(&self, buffer: &mut [u8]) -> io::Result<usize> {
        (&self.0).read(buffer)
    }

    /// Reads what one call gives at `offset`.
    pub(in crate::search) fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        self.0.seek_read(buffer, offset)
    }

    /// Its size in bytes.
    pub(in crate::search) fn size_bytes(&self) -> io::Result<u64> {
        Ok(self.0.metadata()?.len())
    }
}
