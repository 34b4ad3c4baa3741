//! The destination gets its length before the first byte.

use std::io;

use model::Class;

use crate::contract::{Parameter, Technique};
use crate::copy::job::{CopyJob, Notes, always};
use crate::files::{Mapping, OpenFile, cut_unfilled, pour, presize};

pub(in crate::copy) const PRESIZED: Technique<CopyJob> = Technique {
    name: "presized",
    alias: &[],
    idea: "SetFilePointerEx and SetEndOfFile give the destination its full length, then ReadFile and WriteFile",
    source: "Microsoft, SetEndOfFile",
    class: Class::MovesBytes,
    ceiling: false,
    parameter: Some(Parameter { name: "buffer_bytes", values: &[128 << 10, 256 << 10, 512 << 10, 1 << 20] }),
    probe: always,
    prepare: |job| job.done_by(copy),
};

fn copy(job: &CopyJob, notes: &mut Notes) -> io::Result<()> {
    let source = OpenFile::open(&job.source)?;
    let destination = OpenFile::create(&job.destination)?;
    let bytes = source.size_bytes()?;
    presize(&destination, bytes, notes)?;
    let mut buffer = Mapping::buffer(job.buffer_bytes()?)?;
    let poured = pour(&source, &destination, &mut buffer)?;
    cut_unfilled(&destination, poured, bytes)?;
    destination.finish(job.durable)
}
