//! Both files are mapped, and memory is copied to memory.

use std::io;

use model::Class;
use windows_sys::Win32::Storage::FileSystem::FILE_FLAG_SEQUENTIAL_SCAN;

use crate::contract::Technique;
use crate::copy::job::{CopyJob, Notes, always};
use crate::files::{Mapping, OpenFile, Use};

pub(in crate::copy) const MMAP_TO_MMAP: Technique<CopyJob> = Technique {
    name: "mmap_to_mmap",
    alias: &[],
    idea: "map both files (mapping the destination at full length allocates it), copy from view to view",
    source: "Microsoft, CreateFileMapping",
    class: Class::MovesBytes,
    ceiling: false,
    parameter: None,
    probe: always,
    prepare: |job| job.done_by(copy),
};

fn copy(job: &CopyJob, _notes: &mut Notes) -> io::Result<()> {
    let source = OpenFile::open_with(&job.source, Use::Read, FILE_FLAG_SEQUENTIAL_SCAN)?;
    let destination = OpenFile::create(&job.destination)?;
    let bytes = source.size_bytes()? as usize;
    // A file without a byte cannot be mapped.
    if bytes > 0 {
        let from = Mapping::of_source(&source, bytes)?;
        let mut to = Mapping::of_destination(&destination, bytes)?;
        to.copy_from_slice(&from);
        if job.durable {
            to.flush().map_err(destination.at("FlushViewOfFile"))?;
        }
    }
    destination.finish(job.durable)
}
