//! The source is mapped and written from there.

use std::io;

use model::Class;

use crate::contract::Technique;
use crate::copy::job::{CopyJob, Notes, always};
use crate::files::{Mapping, OpenFile};

pub(in crate::copy) const MMAP_WRITE: Technique<CopyJob> = Technique {
    name: "mmap_write",
    alias: &[],
    idea: "map the source, advise MADV_SEQUENTIAL, write from the mapping 1 MiB at a time",
    source: "mmap(2)",
    class: Class::MovesBytes,
    ceiling: false,
    parameter: None,
    probe: always,
    prepare: |job| job.done_by(copy),
};

const PIECE_BYTES: usize = 1 << 20;

fn copy(job: &CopyJob, _notes: &mut Notes) -> io::Result<()> {
    write_from_mapping(job, false)
}

/// Writes from a mapping of the whole source, whose pages are all looked up before when `populate` is set.
pub(super) fn write_from_mapping(job: &CopyJob, populate: bool) -> io::Result<()> {
    let source = OpenFile::open(&job.source)?;
    let destination = OpenFile::create(&job.destination)?;
    let bytes = source.size_bytes()? as usize;
    if bytes > 0 {
        let mapping = Mapping::of_source(&source, bytes, populate)?;
        mapping.advise_sequential()?;
        for piece in mapping.chunks(PIECE_BYTES) {
            destination.write_all(piece)?;
        }
    }
    destination.finish(job.durable)
}
