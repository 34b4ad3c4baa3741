//! The destination gets its blocks and its length before the first byte.

use std::io;

use model::Class;
use rustix::fs::FallocateFlags;

use crate::contract::{Parameter, Technique};
use crate::copy::job::{CopyJob, Notes, always};
use crate::files::{Mapping, OpenFile, allocate, cut_unfilled, pour};

pub(in crate::copy) const PRESIZED: Technique<CopyJob> = Technique {
    name: "presized",
    alias: &[],
    idea: "fallocate the destination at its full length, then read and write",
    source: "fallocate(2)",
    class: Class::MovesBytes,
    ceiling: false,
    parameter: Some(Parameter { name: "buffer_bytes", values: &[128 << 10, 256 << 10, 512 << 10, 1 << 20] }),
    probe: always,
    prepare: |job| job.done_by(copy),
};

fn copy(job: &CopyJob, notes: &mut Notes) -> io::Result<()> {
    copy_into_allocated(job, FallocateFlags::empty(), job.buffer_bytes()?, notes)
}

/// Allocates as `flags` say, then reads and writes in turn.
pub(super) fn copy_into_allocated(
    job: &CopyJob,
    flags: FallocateFlags,
    buffer_bytes: usize,
    notes: &mut Notes,
) -> io::Result<()> {
    let source = OpenFile::open(&job.source)?;
    let destination = OpenFile::create(&job.destination)?;
    let bytes = source.size_bytes()?;
    allocate(&destination, flags, bytes, notes)?;
    let mut buffer = Mapping::buffer(buffer_bytes)?;
    let poured = pour(&source, &destination, &mut buffer)?;
    cut_unfilled(&destination, poured, bytes)?;
    destination.finish(job.durable)
}
