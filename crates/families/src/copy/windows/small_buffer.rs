//! The straightforward loop of system calls, as in the historical program cpW.

use std::io;

use model::Class;

use crate::contract::Technique;
use crate::copy::job::{CopyJob, Notes, always};
use crate::files::{OpenFile, pour};

pub(in crate::copy) const SMALL_BUFFER: Technique<CopyJob> = Technique {
    name: "small_buffer",
    alias: &["cpW"],
    idea: "ReadFile and WriteFile, 256 bytes at a time",
    source: "Hart, Windows System Programming, cpW",
    class: Class::MovesBytes,
    ceiling: false,
    parameter: None,
    probe: always,
    prepare: |job| job.done_by(copy),
};

fn copy(job: &CopyJob, _notes: &mut Notes) -> io::Result<()> {
    let source = OpenFile::open(&job.source)?;
    let destination = OpenFile::create(&job.destination)?;
    pour(&source, &destination, &mut [0; 256])?;
    destination.finish(job.durable)
}
