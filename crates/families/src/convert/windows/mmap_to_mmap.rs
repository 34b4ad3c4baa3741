//! Both files are mapped, as in the historical program atouMM.

use std::io;

use model::Class;

use crate::contract::Technique;
use crate::convert::job::{ConvertJob, Notes, always};
use crate::convert::kernel::units_of;
use crate::files::{Mapping, OpenFile};

pub(in crate::convert) const MMAP_TO_MMAP: Technique<ConvertJob> = Technique {
    name: "mmap_to_mmap",
    alias: &["atouMM"],
    idea: "map both files (mapping the output at full length allocates it), convert from view to view",
    source: "Hart, Windows System Programming, atouMM; Microsoft, CreateFileMapping",
    class: Class::MovesBytes,
    ceiling: false,
    parameter: None,
    probe: always,
    prepare: |job| job.done_by(convert),
};

/// Input converted in one go: a bad byte in the middle of a large file is seen soon.
pub(super) const PIECE_BYTES: usize = 1 << 20;

fn convert(job: &ConvertJob, _notes: &mut Notes) -> io::Result<()> {
    let kernel = job.kernel();
    let source = OpenFile::open_sequential(&job.source)?;
    let destination = job.create()?;
    let bytes = source.size_bytes()? as usize;
    // A file without a byte cannot be mapped.
    if bytes > 0 {
        let from = Mapping::of_source(&source, bytes)?;
        let mut to = Mapping::of_destination(&destination, 2 * bytes)?;
        for (nth, piece) in from.chunks(PIECE_BYTES).enumerate() {
            let start = nth * PIECE_BYTES;
            let units = units_of(&mut to[2 * start..2 * (start + piece.len())]);
            job.convert(kernel, start as u64, piece, units)?;
        }
        if job.durable {
            to.flush().map_err(destination.at("FlushViewOfFile"))?;
        }
    }
    destination.finish(job.durable)
}
