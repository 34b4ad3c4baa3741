//! The source is mapped and converted from there.

use std::io;

use model::Class;

use crate::contract::Technique;
use crate::convert::job::{ConvertJob, Notes, always};
use crate::convert::kernel::{bytes_of, units_of};
use crate::files::{Mapping, OpenFile};

pub(in crate::convert) const MMAP_WRITE: Technique<ConvertJob> = Technique {
    name: "mmap_write",
    alias: &[],
    idea: "map the source, convert 256 KiB of the view into a buffer, WriteFile 512 KiB",
    source: "Microsoft, CreateFileMapping",
    class: Class::MovesBytes,
    ceiling: false,
    parameter: None,
    probe: always,
    prepare: |job| job.done_by(convert),
};

/// Input converted at once: with its output it stays in the second cache of one processor.
const PIECE_BYTES: usize = 256 << 10;

fn convert(job: &ConvertJob, _notes: &mut Notes) -> io::Result<()> {
    let kernel = job.kernel();
    let source = OpenFile::open_sequential(&job.source)?;
    let destination = job.create()?;
    let bytes = source.size_bytes()? as usize;
    // A file without a byte cannot be mapped.
    if bytes > 0 {
        let mapping = Mapping::of_source(&source, bytes)?;
        let mut buffer = Mapping::buffer(2 * bytes.min(PIECE_BYTES))?;
        let buffer = units_of(&mut buffer);
        for (nth, piece) in mapping.chunks(PIECE_BYTES).enumerate() {
            let units = &mut buffer[..piece.len()];
            job.convert(kernel, (nth * PIECE_BYTES) as u64, piece, units)?;
            destination.write_all(bytes_of(units))?;
        }
    }
    destination.finish(job.durable)
}
