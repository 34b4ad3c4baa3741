//! `FSCTL_GET_RETRIEVAL_POINTERS_AND_REFCOUNT`, which ReFS answers (Windows 10 1803 and later).

use std::fs::File;
use std::io;
use std::path::Path;

use windows_sys::Win32::Foundation::{ERROR_HANDLE_EOF, ERROR_MORE_DATA};
use windows_sys::Win32::System::Ioctl::FSCTL_GET_RETRIEVAL_POINTERS_AND_REFCOUNT;

use super::Seen;
use crate::failure::named;
use crate::windows::{asked, information_of};

/// Extents asked for at a time.
const BATCH: usize = 128;

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

pub(super) fn look(file: &File, cluster: u64) -> io::Result<Option<Seen>> {
    let mut map = Map { count: 0, first_cluster: 0, extents: [Extent::default(); BATCH] };
    // The query is a cluster number, as `STARTING_VCN_INPUT_BUFFER` is.
    let more = match asked(file, FSCTL_GET_RETRIEVAL_POINTERS_AND_REFCOUNT, &cluster, &mut map) {
        Ok(_) => false,
        Err(error) if error.raw_os_error() == Some(ERROR_MORE_DATA as i32) => true,
        // An empty file, or one so small that it lives in its directory entry, has no blocks to share.
        Err(error) if error.raw_os_error() == Some(ERROR_HANDLE_EOF as i32) => false,
        // Every other file system refuses, each with a code of its own.
        Err(_) => return Ok(None),
    };
    let extents = &map.extents[..(map.count as usize).min(BATCH)];
    Ok(Some(Seen {
        is_shared: extents.iter().any(|extent| extent.baselines > 1),
        next: extents.last().filter(|_| more).map(|last| last.next_cluster as u64),
    }))
}

/// Whether a file is a symbolic link, or has several names.
pub fn is_linked(path: &Path) -> io::Result<bool> {
    let seen = std::fs::symlink_metadata(path).map_err(|error| named(path, error))?;
    if seen.is_symlink() || !seen.is_file() {
        return Ok(seen.is_symlink());
    }
    let file = File::open(path).map_err(|error| named(path, error))?;
    Ok(information_of(&file)?.nNumberOfLinks > 1)
}
