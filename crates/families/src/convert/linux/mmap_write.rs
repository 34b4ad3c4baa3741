//! The source is mapped and converted from there.

use std::io;

use model::Class;

use crate::contract::Technique;
use crate::convert::job::{ConvertJob, Notes, always};
use crate::convert::kernel::{Kernel, bytes_of, units_of};
use crate::files::{Mapping, OpenFile};

pub(in crate::convert) const MMAP_WRITE: Technique<ConvertJob> = Technique {
    name: "mmap_write",
    alias: &[],
    idea: "map the source, and for every 256 KiB: MADV_POPULATE_READ, convert into a buffer, write 512 KiB",
    source: "mmap(2), madvise(2)",
    class: Class::MovesBytes,
    ceiling: false,
    parameter: None,
    probe: always,
    prepare: |job| job.done_by(convert),
};

/// Input converted at once: with its output it stays in the second cache of one processor. The pages are looked up
/// together, since a fault for every few of them costs more than the copy that a mapping saves.
pub(super) const PIECE_BYTES: usize = 256 << 10;

fn convert(job: &ConvertJob, _notes: &mut Notes) -> io::Result<()> {
    let source = OpenFile::open(&job.source)?;
    let destination = job.create()?;
    let bytes = source.size_bytes()?;
    if bytes > 0 {
        let mapping = Mapping::of_source(&source, bytes as usize, false)?;
        mapping.advise_sequential()?;
        let before_each = |start: usize| mapping.populate(start..mapping.len().min(start + PIECE_BYTES));
        write_from_mapping(job, job.kernel(), &mapping, &destination, before_each)?;
    }
    destination.finish(job.durable)
}

/// Converts and writes all that is mapped, one piece after the other; `before_each` is told where a piece begins.
pub(super) fn write_from_mapping(
    job: &ConvertJob,
    kernel: Kernel,
    mapping: &Mapping,
    destination: &OpenFile,
    before_each: impl Fn(usize),
) -> io::Result<()> {
    let mut buffer = Mapping::buffer(2 * mapping.len().min(PIECE_BYTES))?;
    let buffer = units_of(&mut buffer);
    for (nth, piece) in mapping.chunks(PIECE_BYTES).enumerate() {
        let start = nth * PIECE_BYTES;
        before_each(start);
        let units = &mut buffer[..piece.len()];
        job.convert(kernel, start as u64, piece, units)?;
        destination.write_all(bytes_of(units))?;
    }
    Ok(())
}
