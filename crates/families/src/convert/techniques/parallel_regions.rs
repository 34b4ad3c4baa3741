use std::ops::Range;

use crate::convert::kernel::{Kernel, Unit, units_of};
use crate::convert::prelude::*;
use crate::files::fill;
use crate::parameters::threads;

pub(super) const PARALLEL_REGIONS: Technique<ConvertJob> = Technique {
    name: "parallel_regions",
    alias: &["atouMT"],
    idea: "as presized, by threads with regions of their own: read 256 KiB at an offset, convert, write 512 KiB",
    source: "Hart, Windows System Programming, atouMT",
    calls: &["fallocate", "clone3|clone", "pread64", "pwrite64"],
    parameters: &[threads(&[2, 4])],
    ..Technique::usual(|job| job.done_by(convert))
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

/// Reads, converts and writes the piece that begins at `start` and is as long as its buffers.
pub(super) fn convert_piece(
    job: &ConvertJob, kernel: Kernel, (source, destination): (&ThreadFile, &ThreadFile), start: u64,
    (from, to): (&mut [u8], &mut [Unit]),
) -> io::Result<()> {
    fill(source, from, from.len(), start)?;
    destination.write_all_at(job.convert(kernel, start, from, to)?, 2 * start)
}
