//! `FS_IOC_FIEMAP` (Linux, `Documentation/filesystems/fiemap.rst`).

use std::fs::File;
use std::io;
use std::os::fd::AsRawFd;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use super::Seen;

/// `_IOWR('f', 11, struct fiemap)`.
const FS_IOC_FIEMAP: u64 = 0xC020_660B;
const EXTENT_LAST: u32 = 0x1;
const EXTENT_SHARED: u32 = 0x2000;
/// Extents asked for at a time.
const BATCH: usize = 128;

#[repr(C)]
#[derive(Clone, Copy, Default)]
struct Extent {
    logical: u64,
    physical: u64,
    length: u64,
    reserved64: [u64; 2],
    flags: u32,
    reserved: [u32; 3],
}

#[repr(C)]
struct Map {
    start: u64,
    length: u64,
    flags: u32,
    mapped_extents: u32,
    extent_count: u32,
    reserved: u32,
    extents: [Extent; BATCH],
}

/// File systems without such a map (tmpfs, NFS, overlay on some) answer in one of these ways.
fn tells_nothing(error: &io::Error) -> bool {
    matches!(
        error.raw_os_error(),
        Some(libc::EOPNOTSUPP | libc::ENOTTY | libc::EINVAL | libc::ENOSYS | libc::EBADR | libc::EPERM)
    )
}

/// Whether a file's name is not the only way to its bytes: a symbolic link, or one of several hard links.
pub fn is_linked(path: &Path) -> io::Result<bool> {
    let seen = std::fs::symlink_metadata(path)?;
    Ok(seen.is_symlink() || (seen.is_file() && seen.nlink() > 1))
}

pub(super) fn look(file: &File, start: u64) -> io::Result<Option<Seen>> {
    let mut map = Map {
        start,
        length: u64::MAX - start,
        flags: 0,
        mapped_extents: 0,
        extent_count: BATCH as u32,
        reserved: 0,
        extents: [Extent::default(); BATCH],
    };
    // SAFETY: `map` has the layout of `struct fiemap` followed by as many extents as it says, and lives through
    // the call.
    if unsafe { libc::ioctl(file.as_raw_fd(), FS_IOC_FIEMAP as libc::Ioctl, &raw mut map) } != 0 {
        let error = io::Error::last_os_error();
        return if tells_nothing(&error) { Ok(None) } else { Err(error) };
    }
    let extents = &map.extents[..(map.mapped_extents as usize).min(BATCH)];
    let last = extents.last().filter(|last| last.flags & EXTENT_LAST == 0);
    Ok(Some(Seen {
        is_shared: extents.iter().any(|extent| extent.flags & EXTENT_SHARED != 0),
        next: last.map(|last| last.logical + last.length),
    }))
}
