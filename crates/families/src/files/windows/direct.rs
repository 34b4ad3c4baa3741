//! What access past the file cache asks of offsets, lengths and memory.

use std::io;

use windows_sys::Win32::Storage::FileSystem::{
    FILE_STORAGE_INFO, FileStorageInfo, GetFileInformationByHandleEx,
};

use super::OpenFile;

/// Where the system does not tell the sector: a multiple of those of all devices in use.
const FALL_BACK_BYTES: usize = 4096;

impl OpenFile<'_> {
    /// The alignment in bytes of offsets, lengths and memory, of which `block_bytes` must be a multiple.
    ///
    /// # Errors
    /// The sectors do not fit into such blocks.
    pub(crate) fn direct_alignment(&self, block_bytes: usize) -> io::Result<usize> {
        let mut storage = FILE_STORAGE_INFO::default();
        // SAFETY: the handle is open; the buffer is the structure that this question is answered with, and as large
        // as said.
        let known = unsafe {
            GetFileInformationByHandleEx(
                self.handle(),
                FileStorageInfo,
                (&raw mut storage).cast(),
                size_of::<FILE_STORAGE_INFO>() as u32,
            )
        };
        // Network file systems and Wine do not answer.
        if known == 0 {
            return Ok(FALL_BACK_BYTES);
        }
        match storage.LogicalBytesPerSector.max(storage.PhysicalBytesPerSectorForPerformance) as usize {
            0 => Ok(FALL_BACK_BYTES),
            bytes if block_bytes.is_multiple_of(bytes) => Ok(bytes),
            bytes => {
                let refused = format!("sectors of {bytes} bytes, of which {block_bytes} is no multiple");
                Err(self.at("FileStorageInfo")(io::Error::new(io::ErrorKind::Unsupported, refused)))
            }
        }
    }
}
