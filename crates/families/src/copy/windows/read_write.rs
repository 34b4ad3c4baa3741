//! The loop of system calls with a buffer of a size to choose.

use std::io;

use model::Class;

use crate::contract::{Parameter, Technique};
use crate::copy::job::{CopyJob, Notes, always};
use crate::files::{Mapping, OpenFile, pour};

pub(in crate::copy) const READ_WRITE: Technique<CopyJob> = Technique {
    name: "read_write",
    alias: &[],
    idea: "ReadFile and WriteFile through one page-aligned buffer",
    source: "Microsoft, ReadFile and WriteFile",
    class: Class::MovesBytes,
    ceiling: false,
    parameter: Some(Parameter {
        name: "buffer_bytes",
        values: &[64 << 10, 128 << 10, 256 << 10, 512 << 10, 1 << 20],
    }),
    probe: always,
    prepare: |job| job.done_by(copy),
};

fn copy(job: &CopyJob, _notes: &mut Notes) -> io::Result<()> {
    let source = OpenFile::open(&job.source)?;
    let destination = OpenFile::create(&job.destination)?;
    let mut buffer = Mapping::buffer(job.buffer_bytes()?)?;
    pour(&source, &destination, &mut buffer)?;
    destination.finish(job.durable)
}
