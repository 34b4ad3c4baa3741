//! The loop that most techniques share: read, convert, write, until the source ends.

use std::io;

use super::job::{ConvertJob, Notes};
use super::kernel::{Kernel, bytes_of, units_of};
use super::output::Output;
use crate::files::{Mapping, OpenFile, cut_unfilled, presize};

/// Reads, converts and writes in turn until the source ends; gives the number of bytes read.
pub(super) fn stream(
    job: &ConvertJob,
    kernel: Kernel,
    source: &OpenFile,
    destination: &OpenFile,
    from: &mut [u8],
    to: &mut [u16],
) -> io::Result<u64> {
    let mut done = 0;
    loop {
        let count = source.read(from)?;
        if count == 0 {
            return Ok(done);
        }
        let units = &mut to[..count];
        job.convert(kernel, done, &from[..count], units)?;
        destination.write_all(bytes_of(units))?;
        done += count as u64;
    }
}

/// As [`stream`], through page-aligned buffers for pieces of so many bytes of input.
pub(super) fn stream_by_pages(
    job: &ConvertJob,
    kernel: Kernel,
    source: &OpenFile,
    destination: &OpenFile,
    piece_bytes: usize,
) -> io::Result<u64> {
    let mut from = Mapping::buffer(piece_bytes)?;
    let mut to = Mapping::buffer(2 * piece_bytes)?;
    stream(job, kernel, source, destination, &mut from, units_of(&mut to))
}

/// Gives the destination its length in advance and takes back what a source that shrank meanwhile did not fill.
pub(super) fn stream_into_presized(
    job: &ConvertJob,
    source: &OpenFile,
    destination: Output<'_>,
    notes: &mut Notes,
    stream: impl FnOnce(&OpenFile, &OpenFile) -> io::Result<u64>,
) -> io::Result<()> {
    let bytes = source.size_bytes()?;
    presize(&destination, 2 * bytes, notes)?;
    let read = stream(source, &destination)?;
    cut_unfilled(&destination, 2 * read, 2 * bytes)?;
    destination.finish(job.durable)
}
