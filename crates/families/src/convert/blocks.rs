//! Whole blocks of both files, past the file cache or with a thread that reads ahead.

use std::io;

use super::job::{ConvertJob, Notes};
use crate::files::{OpenFile, direct_alignment, presize};
use crate::in_flight::whole_blocks::Blocks;

/// Input of one block, whose output is 1 MiB: a multiple of every alignment in use.
const BLOCK_BYTES: usize = 512 << 10;

pub(super) fn blocks<'job>(
    job: &'job ConvertJob, [source, destination]: [&'job OpenFile<'job>; 2], bytes: u64, alignment: usize,
) -> Blocks<'job> {
    let change = Some(job.change());
    Blocks { source, destination, bytes, block_bytes: BLOCK_BYTES, alignment, change }
}

/// Converts past the file cache by `convert_blocks`; `write_through` ends each write on the device.
pub(super) fn convert_direct(
    job: &ConvertJob, write_through: bool, notes: &mut Notes,
    convert_blocks: impl FnOnce(&Blocks, &mut Notes) -> io::Result<()>,
) -> io::Result<()> {
    let source = OpenFile::open_direct(&job.source)?;
    let destination = job.output(OpenFile::create_direct(&job.destination, write_through)?);
    let alignment = direct_alignment(&source, BLOCK_BYTES)?.max(direct_alignment(&destination, BLOCK_BYTES)?);
    let bytes = source.size_bytes()?;
    if bytes > 0 {
        let padded = (2 * bytes).next_multiple_of(alignment as u64);
        presize(&destination, padded, notes)?;
        convert_blocks(&blocks(job, [&source, &destination], bytes, alignment), notes)?;
        // Takes away what the last block was padded with.
        if padded > 2 * bytes {
            destination.set_length(2 * bytes)?;
        }
    }
    destination.finish(job.durable)
}
