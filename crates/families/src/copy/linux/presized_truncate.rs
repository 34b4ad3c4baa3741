//! The destination gets its length, but no blocks, before the first byte.

use std::io;

use model::Class;

use crate::contract::Technique;
use crate::copy::job::{CopyJob, Notes, always};
use crate::files::{Mapping, OpenFile, cut_unfilled, pour};

pub(in crate::copy) const PRESIZED_TRUNCATE: Technique<CopyJob> = Technique {
    name: "presized_truncate",
    alias: &[],
    idea: "ftruncate the destination to its full length, then read and write 256 KiB at a time",
    source: "ftruncate(2)",
    class: Class::MovesBytes,
    ceiling: false,
    parameter: None,
    probe: always,
    prepare: |job| job.done_by(copy),
};

fn copy(job: &CopyJob, _notes: &mut Notes) -> io::Result<()> {
    let source = OpenFile::open(&job.source)?;
    let destination = OpenFile::create(&job.destination)?;
    let bytes = source.size_bytes()?;
    destination.set_length(bytes)?;
    let mut buffer = Mapping::buffer(256 << 10)?;
    let poured = pour(&source, &destination, &mut buffer)?;
    cut_unfilled(&destination, poured, bytes)?;
    destination.finish(job.durable)
}
