//! What work past the file cache must be aligned to.

use std::io;

use windows_sys::Win32::Storage::FileSystem::{
    FILE_STORAGE_INFO, FileStorageInfo, GetFileInformationByHandleEx,
};

use super::OpenFile;

/// Where the system does not tell the sector: a multiple of those of all devices in use.
const FALL_BACK_BYTES: usize = 4_096;

/// What offsets, lengths and memory must be multiples of past the cache (`FILE_FLAG_NO_BUFFERING`). Network file systems and
/// Wine do not answer, and then a page is assumed.
pub(crate) fn alignment_bytes(file: &OpenFile) -> io::Result<usize> {
    let mut storage = FILE_STORAGE_INFO::default();
    // SAFETY: the handle is open; the place is the structure that this question is answered with, and as large as said.
    let known = unsafe {
        GetFileInformationByHandleEx(
            file.handle(),
            FileStorageInfo,
            (&raw mut storage).cast(),
            size_of::<FILE_STORAGE_INFO>() as u32,
        )
    };
    let sector = storage.LogicalBytesPerSector.max(storage.PhysicalBytesPerSectorForPerformance) as usize;
    Ok(if known == 0 || sector == 0 { FALL_BACK_BYTES } else { sector })
}
