//! The loop that most techniques share: read, convert, write, until the source ends.

use std::io;
use std::mem::MaybeUninit;

use super::job::{ConvertJob, Notes};
use super::kernel::{Kernel, Unit, units_of};
use super::output::Output;
use crate::files::{Mapping, OpenFile, capped, cut_unfilled, presize, reserve, room_of};

/// Reads, converts and writes until the source ends; returns the number of bytes read.
pub(super) fn stream(
    job: &ConvertJob, kernel: Kernel, source: &OpenFile, destination: &OpenFile,
    from: &mut [MaybeUninit<u8>], to: &mut [Unit],
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

/// As [`stream`], through small buffers on the stack.
pub(super) fn stream_on_stack<const BYTES: usize>(
    job: &ConvertJob, source: &OpenFile, destination: &OpenFile,
) -> io::Result<u64> {
    let (mut from, mut to) = ([MaybeUninit::uninit(); BYTES], [MaybeUninit::uninit(); BYTES]);
    stream(job, job.kernel(), source, destination, &mut from, &mut to)
}

pub(super) fn stream_by_pages(
    job: &ConvertJob, kernel: Kernel, source: &OpenFile, destination: &OpenFile, piece_bytes: usize,
    source_bytes: u64,
) -> io::Result<u64> {
    let piece_bytes = capped(piece_bytes, source_bytes);
    let mut from = Mapping::buffer(piece_bytes)?;
    let mut to = Mapping::buffer(2 * piece_bytes)?;
    // SAFETY: what is read there is bytes.
    let room = unsafe { room_of(&mut from) };
    stream(job, kernel, source, destination, room, units_of(&mut to))
}

/// Presizes the destination; `convert` does the work where the source is not empty.
pub(super) fn into_presized(
    job: &ConvertJob, source: &OpenFile, destination: Output<'_>, notes: &mut Notes,
    convert: impl FnOnce(&OpenFile, u64, &mut Notes) -> io::Result<()>,
) -> io::Result<()> {
    into_output(job, source, destination, true, notes, convert)
}

/// As [`into_presized`], also into a destination that grows as it is written.
pub(super) fn into_output(
    job: &ConvertJob, source: &OpenFile, destination: Output<'_>, is_presized: bool, notes: &mut Notes,
    convert: impl FnOnce(&OpenFile, u64, &mut Notes) -> io::Result<()>,
) -> io::Result<()> {
    let bytes = source.size_bytes()?;
    if is_presized {
        presize(&destination, 2 * bytes, notes)?;
    }
    if bytes > 0 {
        convert(&destination, bytes, notes)?;
    }
    destination.finish(job.durable)
}

/// Opens both files to map them; `convert` does the work where the source is not empty, since such a file cannot be mapped.
pub(super) fn into_mapped(
    job: &ConvertJob, notes: &mut Notes,
    convert: impl FnOnce(&OpenFile, &OpenFile, u64, &mut Notes) -> io::Result<()>,
) -> io::Result<()> {
    into_mapped_from(job, &OpenFile::open_to_map(&job.source)?, notes, convert)
}

pub(super) fn into_mapped_from(
    job: &ConvertJob, source: &OpenFile, notes: &mut Notes,
    convert: impl FnOnce(&OpenFile, &OpenFile, u64, &mut Notes) -> io::Result<()>,
) -> io::Result<()> {
    let destination = job.output(OpenFile::create_to_map(&job.destination)?);
    let bytes = source.size_bytes()?;
    if bytes > 0 {
        reserve(&destination, 2 * bytes, notes)?;
        convert(source, &destination, bytes, notes)?;
    }
    destination.finish(job.durable)
}

/// Presizes the destination and takes back what a source that shrank meanwhile did not fill.
pub(super) fn stream_into_presized(
    job: &ConvertJob, source: &OpenFile, destination: Output<'_>, notes: &mut Notes,
    stream: impl FnOnce(&OpenFile, &OpenFile, u64) -> io::Result<u64>,
) -> io::Result<()> {
    let bytes = source.size_bytes()?;
    presize(&destination, 2 * bytes, notes)?;
    let read = stream(source, &destination, bytes)?;
    cut_unfilled(&destination, 2 * read, 2 * bytes)?;
    destination.finish(job.durable)
}
