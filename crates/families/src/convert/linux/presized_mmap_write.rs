//! The output gets its blocks first, then the mapped source is converted piece by piece and written.

use std::io;

use model::Class;

use super::mmap_write::{PIECE_BYTES, write_from_mapping};
use crate::contract::Technique;
use crate::convert::job::{ConvertJob, Notes, always};
use crate::convert::kernel::Kernel;
use crate::files::{Mapping, OpenFile, presize};

pub(in crate::convert) const PRESIZED_MMAP_WRITE: Technique<ConvertJob> = Technique {
    name: "presized_mmap_write",
    alias: &[],
    idea: "as mmap_write, with the output's blocks and length allocated first (fallocate)",
    source: "fallocate(2), madvise(2)",
    class: Class::MovesBytes,
    ceiling: false,
    parameter: None,
    probe: always,
    prepare: |job| job.done_by(|job, notes| convert_with(job, job.kernel(), notes)),
};

/// The same with a kernel to choose.
pub(in crate::convert) fn convert_with(
    job: &ConvertJob,
    kernel: Kernel,
    notes: &mut Notes,
) -> io::Result<()> {
    let source = OpenFile::open(&job.source)?;
    let destination = job.create()?;
    let bytes = source.size_bytes()?;
    presize(&destination, 2 * bytes, notes)?;
    if bytes > 0 {
        let mapping = Mapping::of_source(&source, bytes as usize, false)?;
        mapping.advise_sequential()?;
        let before_each = |start: usize| mapping.populate(start..mapping.len().min(start + PIECE_BYTES));
        write_from_mapping(job, kernel, &mapping, &destination, before_each)?;
    }
    destination.finish(job.durable)
}
