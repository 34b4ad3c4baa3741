use std::ops::Range;

use super::mmap_to_mmap::PIECE_BYTES;
use crate::convert::kernel::{Kernel, Unit, units_of};
use crate::convert::prelude::*;
use crate::convert::stream::into_mapped;

pub(super) const PARALLEL_MAPPING: Technique<ConvertJob> = Technique {
    name: "parallel_mapping",
    idea: "as mmap_to_mmap, one thread a processor with regions of their own (Linux: MADV_POPULATE for every 1 MiB)",
    source: "mmap(2), madvise(2); Microsoft, CreateFileMapping",
    calls: &["fallocate", "mmap MAP_SHARED", "clone3|clone", "!write"],
    ..Technique::usual(|job| job.done_by(convert))
};

fn convert(job: &ConvertJob, notes: &mut Notes) -> io::Result<()> {
    into_mapped(job, notes, |source, destination, bytes, notes| {
        let from = SourceMapping::sequential(source, bytes)?;
        let mut to = Mapping::of_destination(destination, 2 * bytes as usize)?;
        let kernel = job.kernel();
        let parts = parts(ranges(bytes, job.processors(), notes), &from, units_of(&mut to));
        in_parallel(parts, |part| convert_part(job, kernel, part))?;
        if job.durable { to.hand_over(destination) } else { Ok(()) }
    })
}

struct Part<'maps> {
    start: usize,
    from: &'maps [u8],
    to: &'maps mut [Unit],
}

fn parts<'maps>(regions: Vec<Range<u64>>, from: &'maps [u8], mut to: &'maps mut [Unit]) -> Vec<Part<'maps>> {
    let cut = |region: Range<u64>| {
        let (start, end) = (region.start as usize, region.end as usize);
        let own = to.split_off_mut(..end - start).expect("the regions are as long as the mapping");
        Part { start, from: &from[start..end], to: own }
    };
    regions.into_iter().map(cut).collect()
}

fn convert_part(job: &ConvertJob, kernel: Kernel, part: Part<'_>) -> io::Result<()> {
    let pieces = part.from.chunks(PIECE_BYTES).zip(part.to.chunks_mut(PIECE_BYTES));
    for (nth, (piece, units)) in pieces.enumerate() {
        look_up(piece);
        look_up_for_writing(units);
        job.convert(kernel, (part.start + nth * PIECE_BYTES) as u64, piece, units)?;
    }
    Ok(())
}
