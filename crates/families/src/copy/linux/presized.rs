//! The destination gets its blocks and its length before the first byte.

use std::io;

use model::Class;
use rustix::fs::{FallocateFlags, fallocate};
use rustix::io::{Errno, retry_on_intr};

use crate::contract::{Parameter, Technique};
use crate::copy::job::{CopyJob, Notes, always};
use crate::files::{Mapping, OpenFile, pour};

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

/// Takes away what a source that shrank while it was copied did not fill.
pub(super) fn cut_unfilled(destination: &OpenFile, filled: u64, allocated: u64) -> io::Result<()> {
    if filled < allocated { destination.set_length(filled) } else { Ok(()) }
}

/// Allocates the first `bytes` bytes where the file system can.
///
/// Not `posix_fallocate`: where the file system cannot allocate, that one writes every block.
pub(super) fn allocate(
    file: &OpenFile,
    flags: FallocateFlags,
    bytes: u64,
    notes: &mut Notes,
) -> io::Result<()> {
    if bytes == 0 {
        return Ok(());
    }
    match retry_on_intr(|| fallocate(file, flags, 0, bytes)) {
        Err(Errno::OPNOTSUPP | Errno::NOSYS) => {
            notes.push(
                "fell back: this file system cannot allocate ahead, the file grew as it was written".into(),
            );
            Ok(())
        }
        allocated => allocated.map_err(file.at("fallocate")),
    }
}
