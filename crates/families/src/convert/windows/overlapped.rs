//! What the techniques with several calls in flight have in common on Windows.

use std::io;

use windows_sys::Win32::Storage::FileSystem::FILE_FLAG_OVERLAPPED;

use crate::convert::job::{ConvertJob, Notes};
use crate::files::{OpenFile, Use, presize};
use crate::in_flight::pieces::Pieces;

/// Input of one block: four of them stay in the second cache of one processor with their output.
const PIECE_BYTES: usize = 64 << 10;

/// As [`convert_in`], by blocks of 64 KiB of input into a destination of its full length.
pub(in crate::convert) fn convert_overlapped(
    job: &ConvertJob, blocks: usize, steps: [&'static str; 2], notes: &mut Notes,
    run: impl FnOnce(Pieces, &mut Notes) -> io::Result<()>,
) -> io::Result<()> {
    convert_in(job, (blocks, PIECE_BYTES), true, steps, notes, run)
}

/// Opens both files for calls that do not wait, and hands the pieces of a source that is not empty to `run`.
pub(in crate::convert) fn convert_in(
    job: &ConvertJob, blocks: (usize, usize), is_presized: bool, steps: [&'static str; 2], notes: &mut Notes,
    run: impl FnOnce(Pieces, &mut Notes) -> io::Result<()>,
) -> io::Result<()> {
    let source = OpenFile::open_with(&job.source, Use::Read, FILE_FLAG_OVERLAPPED)?;
    let created = OpenFile::open_with(&job.destination, Use::Create, FILE_FLAG_OVERLAPPED)?;
    let destination = job.output(created);
    let bytes = source.size_bytes()?;
    if bytes > 0 {
        // A write that extends the file is done before its call returns; the length in advance avoids some of that.
        if is_presized {
            presize(&destination, 2 * bytes, notes)?;
        }
        run(job.pieces([&source, &destination], steps, bytes, blocks)?, notes)?;
    }
    destination.finish(job.durable)
}
