//! Several threads convert from mapping to mapping.

use std::io;
use std::ops::Range;
use std::slice;

use model::Class;
use rustix::fs::OFlags;

use super::mmap_to_mmap::PIECE_BYTES;
use super::mmap_to_mmap_populate::populate;
use crate::contract::Technique;
use crate::convert::job::{ConvertJob, Notes, always};
use crate::convert::kernel::{Kernel, units_of};
use crate::files::{Mapping, OpenFile, in_parallel, ranges, reserve};

pub(in crate::convert) const PARALLEL_MAPPING: Technique<ConvertJob> = Technique {
    name: "parallel_mapping",
    alias: &[],
    idea: "as mmap_to_mmap_populate, one thread a processor, each with its own region of both mappings",
    source: "mmap(2), madvise(2)",
    class: Class::MovesBytes,
    ceiling: false,
    parameter: None,
    probe: always,
    prepare: |job| job.done_by(convert),
};

fn convert(job: &ConvertJob, notes: &mut Notes) -> io::Result<()> {
    let source = OpenFile::open(&job.source)?;
    let access = OFlags::RDWR | OFlags::CREATE | OFlags::EXCL;
    let destination = job.output(OpenFile::open_with(&job.destination, access)?);
    let bytes = source.size_bytes()?;
    if bytes > 0 {
        reserve(&destination, 2 * bytes, notes)?;
        let from = Mapping::of_source(&source, bytes as usize, false)?;
        let to = Mapping::of_destination(&destination, 2 * bytes as usize)?;
        let kernel = job.kernel();
        let convert_one = |region| convert_region(job, kernel, (&from, &to), region);
        in_parallel(ranges(bytes, job.processors()), convert_one)?;
    }
    destination.finish(job.durable)
}

fn convert_region(
    job: &ConvertJob,
    kernel: Kernel,
    (from, to): (&Mapping, &Mapping),
    region: Range<u64>,
) -> io::Result<()> {
    let (start, end) = (region.start as usize, region.end as usize);
    for start in (start..end).step_by(PIECE_BYTES) {
        populate(from, to, start);
        let piece = &from[start..end.min(start + PIECE_BYTES)];
        // SAFETY: the part lies inside the mapping, which is writable, lives longer than this loop and is read by
        // nobody; regions do not overlap, so no other thread writes this part.
        let part = unsafe { slice::from_raw_parts_mut(to.address_of(2 * start), 2 * piece.len()) };
        job.convert(kernel, start as u64, piece, units_of(part))?;
    }
    Ok(())
}
