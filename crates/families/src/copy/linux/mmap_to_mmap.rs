//! Both files are mapped, and memory is copied to memory.

use std::io;

use model::Class;
use rustix::fs::OFlags;

use crate::contract::Technique;
use crate::copy::job::{CopyJob, Notes, always};
use crate::files::{Mapping, OpenFile, reserve};

pub(in crate::copy) const MMAP_TO_MMAP: Technique<CopyJob> = Technique {
    name: "mmap_to_mmap",
    alias: &[],
    idea: "fallocate the destination, map both files, copy from mapping to mapping",
    source: "mmap(2)",
    class: Class::MovesBytes,
    ceiling: false,
    parameter: None,
    probe: always,
    prepare: |job| job.done_by(copy),
};

fn copy(job: &CopyJob, notes: &mut Notes) -> io::Result<()> {
    let source = OpenFile::open(&job.source)?;
    // A shared mapping that is written needs a descriptor that may read as well.
    let access = OFlags::RDWR | OFlags::CREATE | OFlags::EXCL;
    let destination = OpenFile::open_with(&job.destination, access)?;
    let bytes = source.size_bytes()?;
    if bytes > 0 {
        reserve(&destination, bytes, notes)?;
        let from = Mapping::of_source(&source, bytes as usize, false)?;
        from.advise_sequential()?;
        Mapping::of_destination(&destination, bytes as usize)?.copy_from_slice(&from);
    }
    destination.finish(job.durable)
}
