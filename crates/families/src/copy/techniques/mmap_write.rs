//! The source is mapped and written from there.

use std::io;

use crate::contract::Technique;
use crate::copy::job::{CopyJob, Notes};
use crate::files::{OpenFile, Views};

pub(super) const MMAP_WRITE: Technique<CopyJob> = Technique {
    name: "mmap_write",
    idea: "map the source with the hint that access is sequential, write from the mapping 1 MiB at a time",
    source: "mmap(2), madvise(2); Microsoft, CreateFileMapping",
    calls: &["mmap file", "write", "!read"],
    ..Technique::usual(|job| job.done_by(copy))
};

const PIECE_BYTES: usize = 1 << 20;

fn copy(job: &CopyJob, _notes: &mut Notes) -> io::Result<()> {
    job.each(|file| {
        let source = OpenFile::open_to_map(file.source)?;
        let destination = OpenFile::create(file.destination)?;
        let bytes = source.size_bytes()?;
        // A file without a byte cannot be mapped.
        if bytes > 0 {
            for piece in Views::of_source(&source)?.view(0, bytes as usize)?.chunks(PIECE_BYTES) {
                destination.write_all(piece)?;
            }
        }
        file.finish(destination)
    })
}
