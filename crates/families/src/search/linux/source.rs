//! A file that is read from its beginning to its end.

use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::path::Path;

use rustix::fs::{Advice, CWD, Mode, OFlags, fadvise, fstat, openat};
use rustix::io::{pread, read, retry_on_intr};
use rustix::path::Arg;

use super::folder::Folder;
use crate::files::at;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::search) enum Opening {
    Plain,
    /// That it will be read from its beginning to its end (`POSIX_FADV_SEQUENTIAL`).
    Sequential,
    /// That its time of access shall stay as it is (`O_NOATIME`).
    KeepAccessTime,
}

impl Opening {
    pub(in crate::search) const USUAL: Self = Self::Plain;
}

/// An open file without its name: names are only put together for what matches or fails.
pub(in crate::search) struct Source(OwnedFd);

impl Source {
    pub(in crate::search) fn open(path: &Path) -> io::Result<Self> {
        Self::open_as(path, Opening::USUAL)
    }

    pub(in crate::search) fn open_as(path: &Path, opening: Opening) -> io::Result<Self> {
        open_below(CWD, path, opening).map_err(at("open", path))
    }

    /// Opens a file of a folder by its name alone: the kernel does not look up the path again.
    pub(in crate::search) fn open_in(folder: &Folder, nth: usize, opening: Opening) -> io::Result<Self> {
        let opened = open_below(folder, folder.name_of(nth), opening);
        opened.map_err(|error| at("open", &folder.path_of(nth))(error))
    }

    /// Reads by one call. Of a file, less than asked for is the end.
    pub(in crate::search) fn read(&self, buffer: &mut [u8]) -> io::Result<usize> {
        Ok(retry_on_intr(|| read(&self.0, &mut *buffer))?)
    }

    pub(in crate::search) fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        Ok(retry_on_intr(|| pread(&self.0, &mut *buffer, offset))?)
    }

    pub(in crate::search) fn size_bytes(&self) -> io::Result<u64> {
        Ok(u64::try_from(fstat(&self.0)?.st_size).unwrap_or(0))
    }
}

fn open_below(folder: impl AsFd, name: impl Arg + Copy, opening: Opening) -> rustix::io::Result<Source> {
    let further = match opening {
        Opening::KeepAccessTime => OFlags::NOATIME,
        Opening::Plain | Opening::Sequential => OFlags::empty(),
    };
    let flags = OFlags::RDONLY | OFlags::CLOEXEC | further;
    let file = retry_on_intr(|| openat(&folder, name, flags, Mode::empty()))?;
    if opening == Opening::Sequential {
        // No length: OpenZFS takes an explicit one as an order to read that much now.
        fadvise(&file, 0, None, Advice::Sequential)?;
    }
    Ok(Source(file))
}
