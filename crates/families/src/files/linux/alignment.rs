//! What work past the file cache must be aligned to.

use std::io;

use rustix::fs::{AtFlags, StatxFlags, statx};

use super::OpenFile;

/// Where the kernel does not tell the alignment: a multiple of the sectors of all devices in use.
const FALL_BACK_BYTES: usize = 4_096;

/// What offsets, lengths and memory must be multiples of where a file is accessed past the cache (`O_DIRECT`).
///
/// # Errors
/// The file cannot be accessed so.
pub(crate) fn alignment_bytes(file: &OpenFile) -> io::Result<usize> {
    let Ok(status) = statx(file, c"", AtFlags::EMPTY_PATH, StatxFlags::DIOALIGN) else {
        return Ok(FALL_BACK_BYTES);
    };
    if status.stx_mask & StatxFlags::DIOALIGN.bits() == 0 {
        return Ok(FALL_BACK_BYTES);
    }
    match status.stx_dio_offset_align.max(status.stx_dio_mem_align) as usize {
        0 => {
            let why = "this file cannot be accessed past the cache";
            Err(file.at("statx")(io::Error::new(io::ErrorKind::Unsupported, why)))
        }
        alignment => Ok(alignment),
    }
}
