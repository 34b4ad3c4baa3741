//! What access past the file cache asks of offsets, lengths and memory.

use std::io;

use rustix::fs::{AtFlags, StatxFlags, statx};

use super::OpenFile;

/// Where the kernel does not tell the alignment: a multiple of the sectors of all devices in use.
const FALL_BACK_BYTES: usize = 4096;

impl OpenFile<'_> {
    /// The alignment in bytes of offsets, lengths and memory, of which `block_bytes` must be a multiple.
    ///
    /// # Errors
    /// The file cannot be accessed past the cache, or not in such blocks.
    pub(crate) fn direct_alignment(&self, block_bytes: usize) -> io::Result<usize> {
        let Ok(status) = statx(self, c"", AtFlags::EMPTY_PATH, StatxFlags::DIOALIGN) else {
            return Ok(FALL_BACK_BYTES);
        };
        if status.stx_mask & StatxFlags::DIOALIGN.bits() == 0 {
            return Ok(FALL_BACK_BYTES);
        }
        let refused = |why: String| self.at("statx")(io::Error::new(io::ErrorKind::Unsupported, why));
        match status.stx_dio_offset_align.max(status.stx_dio_mem_align) as usize {
            0 => Err(refused("this file cannot be accessed past the cache".into())),
            bytes if block_bytes.is_multiple_of(bytes) => Ok(bytes),
            bytes => {
                Err(refused(format!("an alignment of {bytes} bytes, of which {block_bytes} is no multiple")))
            }
        }
    }
}
