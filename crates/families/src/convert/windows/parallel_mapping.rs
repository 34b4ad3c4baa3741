//! Several threads convert from view to view.

use std::io;
use std::ops::Range;
use std::slice;

use model::Class;

use super::mmap_to_mmap::PIECE_BYTES;
use crate::contract::Technique;
use crate::convert::job::{ConvertJob, Notes, always};
use crate::convert::kernel::{Kernel, units_of};
use crate::files::{Mapping, OpenFile, in_parallel, ranges};

pub(in crate::convert) const PARALLEL_MAPPING: Technique<ConvertJob> = Technique {
    name: "parallel_mapping",
    alias: &[],
    idea: "as mmap_to_mmap, one thread a processor, each with its own region of both views",
    source: "Microsoft, CreateFileMapping",
    class: Class::MovesBytes,
    ceiling: false,
    parameter: None,
    probe: always,
    prepare: |job| job.done_by(convert),
};

fn convert(job: &ConvertJob, _notes: &mut Notes) -> io::Result<()> {
    let kernel = job.kernel();
    let source = OpenFile::open_sequential(&job.source)?;
    let destination = job.create()?;
    let bytes = source.size_bytes()?;
    // A file without a byte cannot be mapped.
    if bytes > 0 {
        let from = Mapping::of_source(&source, bytes as usize)?;
        let to = Mapping::of_destination(&destination, 2 * bytes as usize)?;
        let convert_one = |region| convert_region(job, kernel, (&from, &to), region);
        in_parallel(ranges(bytes, job.processors()), convert_one)?;
        if job.durable {
            to.flush().map_err(destination.at("FlushViewOfFile"))?;
        }
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
        let piece = &from[start..end.min(start + PIECE_BYTES)];
        // SAFETY: the part lies inside the view, which is writable, lives longer than this loop and is read by nobody;
        // regions do not overlap, so no other thread writes this part.
        let part = unsafe { slice::from_raw_parts_mut(to.address_of(2 * start), 2 * piece.len()) };
        job.convert(kernel, start as u64, piece, units_of(part))?;
    }
    Ok(())
}
