//! Every write waits for the device.

use std::io;

use crate::contract::Technique;
use crate::copy::job::{CopyJob, Notes, buffer_of};
use crate::files::{OpenFile, cut_unfilled, pour, presize};

pub(super) const WRITE_THROUGH: Technique<CopyJob> = Technique {
    name: "write_through",
    idea: "presize, then read and write, 4 MiB at a time; every write goes through the cache to the device",
    source: "open(2), O_DSYNC; Microsoft, FILE_FLAG_WRITE_THROUGH",
    ..Technique::usual(|job| job.done_by(copy))
};

/// Large: every write costs a flush of the device.
const BUFFER_BYTES: usize = 4 << 20;

fn copy(job: &CopyJob, notes: &mut Notes) -> io::Result<()> {
    let source = OpenFile::open(&job.source)?;
    let destination = OpenFile::create_write_through(&job.destination)?;
    let bytes = source.size_bytes()?;
    presize(&destination, bytes, notes)?;
    let poured = pour(&source, &destination, &mut buffer_of(bytes, BUFFER_BYTES)?)?;
    cut_unfilled(&destination, poured, bytes)?;
    destination.finish(job.durable)
}
