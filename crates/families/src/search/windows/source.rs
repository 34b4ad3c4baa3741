//! A file that is read from its beginning to its end.

use std::fs::{File, OpenOptions};
use std::io::{self, Read};
use std::os::windows::fs::{FileExt, OpenOptionsExt};
use std::path::Path;

use windows_sys::Win32::Storage::FileSystem::FILE_FLAG_SEQUENTIAL_SCAN;

use super::folder::Folder;
use crate::files::at;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::search) enum Opening {
    Plain,
    /// That it will be read from its beginning to its end (`FILE_FLAG_SEQUENTIAL_SCAN`).
    Sequential,
}

impl Opening {
    pub(in crate::search) const USUAL: Self = Self::Sequential;
}

pub(in crate::search) struct Source(File);

impl Source {
    pub(in crate::search) fn open(path: &Path) -> io::Result<Self> {
        Self::open_as(path, Opening::USUAL)
    }

    pub(in crate::search) fn open_as(path: &Path, opening: Opening) -> io::Result<Self> {
        let flags = match opening {
            Opening::Plain => 0,
            Opening::Sequential => FILE_FLAG_SEQUENTIAL_SCAN,
        };
        let opened = OpenOptions::new().read(true).custom_flags(flags).open(path);
        Ok(Self(opened.map_err(at("open", path))?))
    }

    /// Opens a file of a folder; the system offers its programs no way to do so by the name alone.
    pub(in crate::search) fn open_in(folder: &Folder, nth: usize, opening: Opening) -> io::Result<Self> {
        Self::open_as(&folder.path_of(nth), opening)
    }

    pub(in crate::search) fn read(&self, buffer: &mut [u8]) -> io::Result<usize> {
        (&self.0).read(buffer)
    }

    pub(in crate::search) fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        self.0.seek_read(buffer, offset)
    }

    pub(in crate::search) fn size_bytes(&self) -> io::Result<u64> {
        Ok(self.0.metadata()?.len())
    }
}
