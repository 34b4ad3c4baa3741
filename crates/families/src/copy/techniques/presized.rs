use std::path::Path;

use crate::copy::prelude::*;

pub(super) const PRESIZED: Technique<CopyJob> = Technique {
    name: "presized",
    idea: "give the destination its full length (fallocate, SetEndOfFile), then read and write",
    source: "fallocate(2); Microsoft, SetEndOfFile",
    calls: &["fallocate", "read", "write"],
    parameters: &[buffer_bytes(&[128 << 10, 256 << 10, 512 << 10, 1 << 20])],
    ..Technique::usual(|job| job.done_by(copy))
};

pub(super) const WRITE_THROUGH: Technique<CopyJob> = Technique {
    name: "write_through",
    idea: "presize, then read and write, 4 MiB at a time; every write goes through the cache to the device",
    source: "open(2), O_DSYNC; Microsoft, FILE_FLAG_WRITE_THROUGH",
    calls: &["fallocate", "open O_DSYNC|openat O_DSYNC", "read", "write"],
    ..Technique::usual(|job| job.done_by(copy_write_through))
};

fn copy(job: &CopyJob, notes: &mut Notes) -> io::Result<()> {
    let buffer_bytes = job.parameter("buffer_bytes")?;
    copy_into_room(job, buffer_bytes, OpenFile::create, |destination, bytes| {
        presize(destination, bytes, notes)
    })
}

/// Large: every write costs a flush of the device.
const BUFFER_BYTES: usize = 4 << 20;

fn copy_write_through(job: &CopyJob, notes: &mut Notes) -> io::Result<()> {
    copy_into_room(job, BUFFER_BYTES, OpenFile::create_write_through, |destination, bytes| {
        presize(destination, bytes, notes)
    })
}

/// Lets `make_room` prepare the destination for its number of bytes, then reads and writes in turn.
pub(super) fn copy_into_room<'job>(
    job: &'job CopyJob, buffer_bytes: usize, create: fn(&'job Path) -> io::Result<OpenFile<'job>>,
    mut make_room: impl FnMut(&OpenFile, u64) -> io::Result<()>,
) -> io::Result<()> {
    let mut buffer = Buffer::of_at_most(buffer_bytes);
    job.each_opened(OpenFile::open, create, |source, destination| {
        let bytes = source.size_bytes()?;
        make_room(destination, bytes)?;
        let poured = pour(source, destination, buffer.for_bytes(bytes)?)?;
        cut_unfilled(destination, poured, bytes)
    })
}
