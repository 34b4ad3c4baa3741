//! The loop of system calls with a buffer of a size to choose.

use std::io;

use crate::contract::Technique;
use crate::copy::job::{CopyJob, Notes, buffer_for};
use crate::files::{OpenFile, pour};
use crate::parameters::buffer_bytes;

pub(super) const READ_WRITE: Technique<CopyJob> = Technique {
    name: "read_write",
    idea: "the system's read and write calls through one page-aligned buffer",
    source: "GNU coreutils, ioblksize.h: 128 KiB since 9.1, 256 KiB since 9.5",
    parameters: &[buffer_bytes(&[64 << 10, 128 << 10, 256 << 10, 512 << 10, 1 << 20])],
    ..Technique::usual(|job| job.done_by(copy))
};

fn copy(job: &CopyJob, _notes: &mut Notes) -> io::Result<()> {
    let source = OpenFile::open(&job.source)?;
    let destination = OpenFile::create(&job.destination)?;
    pour(&source, &destination, &mut buffer_for(&source, job.buffer_bytes()?)?)?;
    destination.finish(job.durable)
}
