//! What the techniques that pass the file cache share: files opened without it, and blocks of whole sectors.

use std::io;

use super::job::CopyJob;
use crate::files::{OpenFile, direct_alignment};
use crate::in_flight::whole_blocks::Blocks;

/// A multiple of every alignment in use.
const BLOCK_BYTES: usize = 1 << 20;

/// Copies past the file cache by `copy_blocks`, where there is a byte. With `through`, every write waits for the device.
pub(super) fn copy_direct(
    job: &CopyJob, through: bool, copy_blocks: impl FnOnce(&Blocks) -> io::Result<()>,
) -> io::Result<()> {
    let source = OpenFile::open_direct(&job.source)?;
    let destination = OpenFile::create_direct(&job.destination, through)?;
    let alignment = direct_alignment(&source, BLOCK_BYTES)?.max(direct_alignment(&destination, BLOCK_BYTES)?);
    let bytes = source.size_bytes()?;
    if bytes > 0 {
        let (source, destination) = (&source, &destination);
        let block_bytes = BLOCK_BYTES;
        copy_blocks(&Blocks { source, destination, bytes, block_bytes, alignment, change: None })?;
    }
    // Takes away what the last block was padded with.
    if !bytes.is_multiple_of(alignment as u64) {
        destination.set_length(bytes)?;
    }
    destination.finish(job.durable)
}
