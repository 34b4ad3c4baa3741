//! Both files are mapped, as in the historical program atouMM.

use std::io;

use model::Class;
use rustix::fs::OFlags;

use crate::contract::Technique;
use crate::convert::job::{ConvertJob, Notes, always};
use crate::convert::kernel::units_of;
use crate::files::{Mapping, OpenFile, reserve};

pub(in crate::convert) const MMAP_TO_MMAP: Technique<ConvertJob> = Technique {
    name: "mmap_to_mmap",
    alias: &["atouMM"],
    idea: "fallocate the output, map both files, convert from mapping to mapping",
    source: "Hart, Windows System Programming, atouMM; mmap(2)",
    class: Class::MovesBytes,
    ceiling: false,
    parameter: None,
    probe: always,
    prepare: |job| job.done_by(|job, notes| convert_mapped(job, notes, |_, _, _| ())),
};

/// Input converted in one go: a bad byte in the middle of a large file is seen soon.
pub(super) const PIECE_BYTES: usize = 1 << 20;

/// Converts piece by piece; `before_each` is told where a piece of the source begins, with both mappings.
pub(super) fn convert_mapped(
    job: &ConvertJob,
    notes: &mut Notes,
    before_each: impl Fn(&Mapping, &Mapping, usize),
) -> io::Result<()> {
    let kernel = job.kernel();
    let source = OpenFile::open(&job.source)?;
    // A shared mapping that is written needs a descriptor that may read as well.
    let access = OFlags::RDWR | OFlags::CREATE | OFlags::EXCL;
    let destination = job.output(OpenFile::open_with(&job.destination, access)?);
    let bytes = source.size_bytes()?;
    if bytes > 0 {
        reserve(&destination, 2 * bytes, notes)?;
        let from = Mapping::of_source(&source, bytes as usize, false)?;
        from.advise_sequential()?;
        let mut to = Mapping::of_destination(&destination, 2 * bytes as usize)?;
        for (nth, piece) in from.chunks(PIECE_BYTES).enumerate() {
            let start = nth * PIECE_BYTES;
            before_each(&from, &to, start);
            let units = units_of(&mut to[2 * start..2 * (start + piece.len())]);
            job.convert(kernel, start as u64, piece, units)?;
        }
    }
    destination.finish(job.durable)
}
