//! A file that is read from its beginning to its end.

use std::io;
use std::os::fd::OwnedFd;
use std::path::Path;

use rustix::fs::{CWD, Mode, OFlags, fstat, openat};
use rustix::io::{pread, read, retry_on_intr};
use rustix::path::Arg;

use super::folder::Folder;
use crate::files::at;

/// An open file without its name: in a tree, names are only put together for what matches or fails.
pub(in crate::search) struct Source(OwnedFd);

impl Source {
    pub(in crate::search) fn open(path: &Path) -> io::Result<Self> {
        open_below(CWD, path).map_err(at("open", path))
    }

    /// Opens a file of a folder by its name alone: the kernel does not look up the path again.
    pub(in crate::search) fn open_in(folder: &Folder, nth: usize) -> io::Result<Self> {
        open_below(folder, folder.name_of(nth)).map_err(|error| at("open", &folder.path_of(nth))(error))
    }

    /// Reads what one call gives. Of a file, it gives less than asked for only at the end.
    pub(in crate::search) fn read(&self, buffer: &mut [u8]) -> io::Result<usize> {
        Ok(retry_on_intr(|| read(&self.0, &mut *buffer))?)
    }

    /// Reads what one call gives at `offset`.
    pub(in crate::search) fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        Ok(retry_on_intr(|| pread(&self.0, &mut *buffer, offset))?)
    }

    /// Its size in bytes.
    pub(in crate::search) fn size_bytes(&self) -> io::Result<u64> {
        Ok(u64::try_from(fstat(&self.0)?.st_size).unwrap_or(0))
    }
}

fn open_below(folder: impl std::os::fd::AsFd, name: impl Arg + Copy) -> rustix::io::Result<Source> {
    let flags = OFlags::RDONLY | OFlags::CLOEXEC;
    retry_on_intr(|| openat(&folder, name, flags, Mode::empty())).map(Source)
}
