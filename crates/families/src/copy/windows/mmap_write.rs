//! The source is mapped and written from there.

use std::io;

use model::Class;
use windows_sys::Win32::Storage::FileSystem::FILE_FLAG_SEQUENTIAL_SCAN;

use crate::contract::Technique;
use crate::copy::job::{CopyJob, Notes, always};
use crate::files::{Mapping, OpenFile, Use};

pub(in crate::copy) const MMAP_WRITE: Technique<CopyJob> = Technique {
    name: "mmap_write",
    alias: &[],
    idea: "CreateFileMapping and MapViewOfFile of the source, WriteFile from the view 1 MiB at a time",
    source: "Microsoft, CreateFileMapping",
    class: Class::MovesBytes,
    ceiling: false,
    parameter: None,
    probe: always,
    prepare: |job| job.done_by(copy),
};

const PIECE_BYTES: usize = 1 << 20;

fn copy(job: &CopyJob, _notes: &mut Notes) -> io::Result<()> {
    let source = OpenFile::open_with(&job.source, Use::Read, FILE_FLAG_SEQUENTIAL_SCAN)?;
    let destination = OpenFile::create(&job.destination)?;
    let bytes = source.size_bytes()? as usize;
    // A file without a byte cannot be mapped.
    if bytes > 0 {
        for piece in Mapping::of_source(&source, bytes)?.chunks(PIECE_BYTES) {
            destination.write_all(piece)?;
        }
    }
    destination.finish(job.durable)
}
