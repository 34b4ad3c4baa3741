//! The loop that most techniques share: read, convert, write, until the source ends.

use std::io;
use std::mem::MaybeUninit;

use super::job::{ConvertJob, Notes};
use super::kernel::{Kernel, Unit, room_of, units_of};
use super::output::Output;
use crate::files::{Mapping, OpenFile, cut_unfilled, presize};

/// Reads, converts and writes in turn until the source ends; gives the number of bytes read.
pub(super) fn stream(
    job: &ConvertJob,
    kernel: Kernel,
    source: &OpenFile,
    destination: &OpenFile,
    from: &mut [MaybeUninit<u8>],
    to: &mut [Unit],
) -> io::Result<u64> {
    let mut done = 0;
    loop {
        let read = source.read_into(from)?;
        if read.is_empty() {
            return Ok(done);
        }
        let converted = job.convert(kernel, done, read, &mut to[..read.len()])?;
        destination.write_all(converted)?;
        done += read.len() as u64;
    }
}

/// As [`stream`], through page-aligned buffers for pieces of this many bytes of input.
pub(super) fn stream_by_pages(
    job: &ConvertJob,
    kernel: Kernel,
    source: &OpenFile,
    destination: &OpenFile,
    piece_bytes: usize,
    source_bytes: u64,
) -> io::Result<u64> {
    let piece_bytes = capped(piece_bytes, source_bytes);
    let mut from = Mapping::buffer(piece_bytes)?;
    let mut to = Mapping::buffer(2 * piece_bytes)?;
    stream(job, kernel, source, destination, room_of(&mut from), units_of(&mut to))
}

/// Reads `wanted` bytes at `offset`. Where calls must have aligned lengths, the room is longer than what is wanted.
pub(super) fn fill(source: &OpenFile, room: &mut [u8], wanted: usize, offset: u64) -> io::Result<()> {
    let mut filled = 0;
    while filled < wanted {
        match source.read_at(&mut room[filled..], offset + filled as u64)? {
            0 => return Err(source.at("read")(io::Error::from(io::ErrorKind::UnexpectedEof))),
            count => filled += count,
        }
    }
    Ok(())
}

/// A buffer for a piece of a source of `source_bytes` bytes: no memory is asked for that the source cannot fill. Where
/// the size is not told beforehand it seems to be 0, and a page does.
pub(super) fn capped(piece_bytes: usize, source_bytes: u64) -> usize {
    const PAGE_BYTES: u64 = 4_096;
    piece_bytes.min(usize::try_from(source_bytes.max(PAGE_BYTES)).unwrap_or(usize::MAX))
}

/// Gives the destination its length in advance and takes back what a source that shrank meanwhile did not fill;
/// `stream` is told both files and the size of the source.
pub(super) fn stream_into_presized(
    job: &ConvertJob,
    source: &OpenFile,
    destination: Output<'_>,
    notes: &mut Notes,
    stream: impl FnOnce(&OpenFile, &OpenFile, u64) -> io::Result<u64>,
) -> io::Result<()> {
    let bytes = source.size_bytes()?;
    presize(&destination, 2 * bytes, notes)?;
    let read = stream(source, &destination, bytes)?;
    cut_unfilled(&destination, 2 * read, 2 * bytes)?;
    destination.finish(job.durable)
}
