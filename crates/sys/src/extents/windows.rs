//! `FSCTL_GET_RETRIEVAL_POINTERS_AND_REFCOUNT`, which ReFS answers (Windows 10 1803 and later).

use std::ffi::c_void;
use std::fs::File;
use std::io;
use std::os::windows::io::AsRawHandle;
use std::path::Path;

use windows_sys::Win32::Foundation::{ERROR_HANDLE_EOF, ERROR_MORE_DATA};
use windows_sys::Win32::Storage::FileSystem::{BY_HANDLE_FILE_INFORMATION, GetFileInformationByHandle};
use windows_sys::Win32::System::IO::DeviceIoControl;
use windows_sys::Win32::System::Ioctl::FSCTL_GET_RETRIEVAL_POINTERS_AND_REFCOUNT;

use super::Seen;
use crate::failure::named;
use crate::windows::checked;

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
struct Map {
    count: u32,
    first_cluster: i64,
    extents: [Extent; BATCH],
}

pub(super) fn look(file: &File, cluster: u64) -> io::Result<Option<Seen>> {
    let mut map = Map { count: 0, first_cluster: 0, extents: [Extent::default(); BATCH] };
    let more = match map_from(file, cluster as i64, &mut map) {
        Ok(()) => false,
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

pub(super) fn is_linked(path: &Path) -> io::Result<bool> {
    let seen = std::fs::symlink_metadata(path).map_err(|error| named(path, error))?;
    if seen.is_symlink() || !seen.is_file() {
        return Ok(seen.is_symlink());
    }
    let file = File::open(path).map_err(|error| named(path, error))?;
    let mut information = BY_HANDLE_FILE_INFORMATION::default();
    // SAFETY: the handle is open, and the structure to be filled lives through the call.
    checked(unsafe { GetFileInformationByHandle(file.as_raw_handle(), &raw mut information) })?;
    Ok(information.nNumberOfLinks > 1)
}

fn map_from(file: &File, cluster: i64, map: &mut Map) -> io::Result<()> {
    let mut bytes = 0;
    // SAFETY: the input is a cluster number, as `STARTING_VCN_INPUT_BUFFER` is; the output has the layout and the
    // size that are told; both live through the call, which waits because the file was opened for that.
    let answer = unsafe {
        DeviceIoControl(
            file.as_raw_handle(),
            FSCTL_GET_RETRIEVAL_POINTERS_AND_REFCOUNT,
            (&raw const cluster).cast::<c_void>(),
            size_of::<i64>() as u32,
            (&raw mut *map).cast::<c_void>(),
            size_of::<Map>() as u32,
            &raw mut bytes,
            std::ptr::null_mut(),
        )
    };
    checked(answer)
}
