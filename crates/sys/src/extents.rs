//! Finds out whether a file owns its blocks, by `FS_IOC_FIEMAP` (Linux, `Documentation/filesystems/fiemap.rst`), and
//! `FSCTL_GET_RETRIEVAL_POINTERS_AND_REFCOUNT`, which ReFS answers (Windows 10 1803 and later).

use std::fs::File;
use std::io;
use std::path::Path;

use crate::failure::named;

const BATCH: usize = 128;

struct Seen {
    is_shared: bool,
    next: Option<u64>,
}

/// Returns whether another file uses some of the file's blocks too (reflink, block clone); `None` when the file system does not say.
pub fn shared(path: &Path) -> io::Result<Option<bool>> {
    let file = File::open(path).map_err(|error| named(path, error))?;
    let mut start = 0;
    loop {
        let Some(seen) = look(&file, start).map_err(|error| named(path, error))? else { return Ok(None) };
        match seen.next {
            Some(next) if !seen.is_shared => start = next,
            _ => return Ok(Some(seen.is_shared)),
        }
    }
}

/// Returns whether a file's name is not the only way to its bytes: a symbolic link, or one of several hard links.
pub fn is_linked(path: &Path) -> io::Result<bool> {
    let seen = std::fs::symlink_metadata(path).map_err(|error| named(path, error))?;
    Ok(seen.is_symlink() || (seen.is_file() && count_of_names(path, &seen)? > 1))
}

#[cfg(target_os = "linux")]
fn count_of_names(_: &Path, seen: &std::fs::Metadata) -> io::Result<u64> {
    Ok(std::os::unix::fs::MetadataExt::nlink(seen))
}

#[cfg(windows)]
fn count_of_names(path: &Path, _: &std::fs::Metadata) -> io::Result<u64> {
    let file = File::open(path).map_err(|error| named(path, error))?;
    Ok(crate::windows::information_of(&file)?.nNumberOfLinks.into())
}

#[cfg(target_os = "linux")]
fn look(file: &File, start: u64) -> io::Result<Option<Seen>> {
    /// `_IOWR('f', 11, struct fiemap)`.
    const FS_IOC_FIEMAP: u64 = 0xC020_660B;
    const EXTENT_LAST: u32 = 0x1;
    const EXTENT_SHARED: u32 = 0x2000;

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

    let mut map = Map {
        start,
        length: u64::MAX - start,
        flags: 0,
        mapped_extents: 0,
        extent_count: BATCH as u32,
        reserved: 0,
        extents: [Extent::default(); BATCH],
    };
    let file = std::os::fd::AsRawFd::as_raw_fd(file);
    // SAFETY: `map` has the layout of `struct fiemap` and of as many extents as it says, and lives through the call.
    if unsafe { libc::ioctl(file, FS_IOC_FIEMAP as libc::Ioctl, &raw mut map) } != 0 {
        use libc::{EBADR, EINVAL, ENOSYS, ENOTTY, EOPNOTSUPP, EPERM};
        let error = io::Error::last_os_error();
        return match error.raw_os_error() {
            // File systems without such a map (tmpfs, NFS, overlay on some) answer in one of these ways.
            Some(EOPNOTSUPP | ENOTTY | EINVAL | ENOSYS | EBADR | EPERM) => Ok(None),
            _ => Err(error),
        };
    }
    let extents = &map.extents[..(map.mapped_extents as usize).min(BATCH)];
    let last = extents.last().filter(|last| last.flags & EXTENT_LAST == 0);
    Ok(Some(Seen {
        is_shared: extents.iter().any(|extent| extent.flags & EXTENT_SHARED != 0),
        next: last.map(|last| last.logical + last.length),
    }))
}

#[cfg(windows)]
fn look(file: &File, cluster: u64) -> io::Result<Option<Seen>> {
    use windows_sys::Win32::Foundation::{ERROR_HANDLE_EOF, ERROR_MORE_DATA};
    use windows_sys::Win32::System::Ioctl::FSCTL_GET_RETRIEVAL_POINTERS_AND_REFCOUNT;

    #[repr(C)]
    #[derive(Clone, Copy, Default)]
    struct Extent {
        next_cluster: i64,
        device_cluster: i64,
        baselines: u32,
    }

    /// `RETRIEVAL_POINTERS_AND_REFCOUNT_BUFFER` with room for a batch.
    #[repr(C)]
    #[derive(Clone, Copy)]
    struct Map {
        count: u32,
        first_cluster: i64,
        extents: [Extent; BATCH],
    }

    let mut map = Map { count: 0, first_cluster: 0, extents: [Extent::default(); BATCH] };
    // The query is a cluster number, as `STARTING_VCN_INPUT_BUFFER` is.
    let done = crate::windows::asked(file, FSCTL_GET_RETRIEVAL_POINTERS_AND_REFCOUNT, &cluster, &mut map);
    let more = match done.as_ref().map_err(io::Error::raw_os_error) {
        Ok(_) => false,
        Err(Some(code)) if code == ERROR_MORE_DATA as i32 => true,
        // An empty file, or one so small that it lives in its directory entry, has no blocks to share.
        Err(Some(code)) if code == ERROR_HANDLE_EOF as i32 => false,
        // Every other file system refuses, each with a code of its own.
        Err(_) => return Ok(None),
    };
    let extents = &map.extents[..(map.count as usize).min(BATCH)];
    Ok(Some(Seen {
        is_shared: extents.iter().any(|extent| extent.baselines > 1),
        next: extents.last().filter(|_| more).map(|last| last.next_cluster as u64),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_name_makes_a_file_linked() {
        let folder = tempfile::tempdir().expect("a folder");
        let (file, link) = (folder.path().join("file"), folder.path().join("link"));
        std::fs::write(&file, "bytes").expect("written");
        assert!(!is_linked(&file).expect("a file"));
        std::fs::hard_link(&file, &link).expect("a link");
        assert!(is_linked(&file).expect("a file") && is_linked(&link).expect("a file"));
        std::fs::remove_file(&link).expect("removed");
        assert!(!is_linked(&file).expect("a file"));
        assert!(is_linked(&link).is_err());
    }

    #[test]
    fn a_new_file_shares_nothing_and_an_absent_one_is_named() {
        let file = tempfile::NamedTempFile::new().expect("a file");
        std::fs::write(file.path(), vec![7; 100_000]).expect("written");
        assert_ne!(shared(file.path()).expect("readable"), Some(true));
        let refused = shared(Path::new("/no/such/file")).expect_err("nothing there");
        assert!(refused.to_string().contains("/no/such/file"), "{refused}");
    }
}
