use std::borrow::Borrow;
use std::ops::Range;

use crate::convert::kernel::{Kernel, Unit, units_of};
use crate::convert::prelude::*;
use crate::files::{capped, fill, in_threads};
use crate::parameters::threads;

pub(super) const PARALLEL_REGIONS: Technique<ConvertJob> = Technique {
    name: "parallel_regions",
    idea: "as presized, by threads with regions of their own: read 256 KiB at an offset, convert, write 512 KiB",
    source: "pread(2), pwrite(2); Microsoft, ReadFile at the offset of an OVERLAPPED",
    calls: &["fallocate", "clone3|clone", "pread64", "pwrite64"],
    parameters: &[threads(&[2, 4])],
    ..Technique::usual(|job| job.done_by(convert))
};

pub(super) const PARALLEL_RECORDS: Technique<ConvertJob> = Technique {
    name: "parallel_records",
    alias: &["atouMT"],
    idea: "4 threads take records of 64 KiB in turn, each through both files as it has opened them: read one at its \
           offset, convert, write 128 KiB; the output is not presized",
    source: "Hart, Windows System Programming, atouMT",
    calls: &["clone3|clone", "pread64", "pwrite64", "!fallocate|ftruncate"],
    ..Technique::usual(|job| job.done_by(convert_records))
};

/// Input converted at once: with its output it stays in the second cache of one processor.
pub(super) const PIECE_BYTES: usize = 256 << 10;

fn convert(job: &ConvertJob, notes: &mut Notes) -> io::Result<()> {
    let kernel = job.kernel();
    let source = OpenFile::open(&job.source)?;
    let destination = job.create()?;
    let bytes = source.size_bytes()?;
    presize(&destination, 2 * bytes, notes)?;
    let regions = ranges(bytes, job.parameter("threads")?, notes);
    in_parallel(regions, |region| convert_region(job, kernel, &source, &destination, region))?;
    destination.finish(job.durable)
}

fn convert_region(
    job: &ConvertJob, kernel: Kernel, source: &OpenFile, destination: &OpenFile, region: Range<u64>,
) -> io::Result<()> {
    let (source, destination) = (source.for_thread_to_read()?, destination.for_thread_to_write()?);
    let piece_bytes = PIECE_BYTES.min((region.end - region.start) as usize);
    let mut from = Mapping::buffer(piece_bytes)?;
    let mut to = Mapping::buffer(2 * piece_bytes)?;
    for start in region.clone().step_by(piece_bytes) {
        let wanted = piece_bytes.min((region.end - start) as usize);
        let units = &mut units_of(&mut to)[..wanted];
        convert_piece(job, kernel, (&source, &destination), start, (&mut from[..wanted], units))?;
    }
    Ok(())
}

const RECORD_BYTES: usize = 64 << 10;
const TAKERS: usize = 4;

fn convert_records(job: &ConvertJob, notes: &mut Notes) -> io::Result<()> {
    let kernel = job.kernel();
    let bytes = OpenFile::open(&job.source)?.size_bytes()?;
    let destination = job.create()?;
    let takers = bytes.div_ceil(RECORD_BYTES as u64).min(TAKERS as u64);
    notes.extend(fewer_threads(takers as usize, TAKERS, "a record has 64 KiB"));
    let all = in_threads((0..takers).collect(), |nth| convert_every_fourth(job, kernel, nth, bytes))?;
    // Of several failures the one nearest to the beginning of the file.
    match all.into_iter().flatten().min_by_key(|(start, _)| *start) {
        Some((_, failure)) => Err(failure),
        None => destination.finish(job.durable),
    }
}

/// Converts the records `first`, `first` + 4, ...; returns the start of one that fails, and why.
fn convert_every_fourth(
    job: &ConvertJob, kernel: Kernel, first: u64, bytes: u64,
) -> io::Result<Option<(u64, io::Error)>> {
    let (source, destination) = (OpenFile::open(&job.source)?, OpenFile::open_to_change(&job.destination)?);
    let record_bytes = capped(RECORD_BYTES, bytes);
    let (mut from, mut to) = (Mapping::buffer(record_bytes)?, Mapping::buffer(2 * record_bytes)?);
    for start in (first * RECORD_BYTES as u64..bytes).step_by(TAKERS * RECORD_BYTES) {
        let wanted = record_bytes.min((bytes - start) as usize);
        let buffers = (&mut from[..wanted], &mut units_of(&mut to)[..wanted]);
        if let Err(failure) = convert_piece(job, kernel, (&source, &destination), start, buffers) {
            return Ok(Some((start, failure)));
        }
    }
    Ok(None)
}

/// Reads, converts and writes the piece that begins at `start` and is as long as its buffers.
pub(super) fn convert_piece<'file, File: Borrow<OpenFile<'file>>>(
    job: &ConvertJob, kernel: Kernel, (source, destination): (&File, &File), start: u64,
    (from, to): (&mut [u8], &mut [Unit]),
) -> io::Result<()> {
    let (source, destination): (&OpenFile, &OpenFile) = (source.borrow(), destination.borrow());
    fill(source, from, from.len(), start)?;
    destination.write_all_at(job.convert(kernel, start, from, to)?, 2 * start)
}
