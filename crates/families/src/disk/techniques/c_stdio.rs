//! The C library's streams with their own buffers, as in the published tests.

use std::io;

use crate::contract::Technique;
use crate::disk::calls::in_phases;
use crate::disk::content::{NewData, Sum};
use crate::disk::job::{DiskJob, Notes};
use crate::disk::pieces::Pieces;
use crate::disk::stream::{self, Buffering};
use crate::disk::techniques::buffered;
use crate::files::Buffer;

pub(super) const C_STDIO: Technique<DiskJob> = Technique {
    name: "c_stdio",
    idea: "fread and fwrite, the stream's buffer left at its default, flushed once",
    source: "the published disk tests: C library with buffering",
    calls: &["!pread64", "!pwrite64"],
    calls_at: |workload| in_phases(workload, &["read"], &["write", "fdatasync"]),
    ..buffered(|job| job.done_by(read, rewrite))
};

fn read(job: &DiskJob, pieces: &mut Pieces<'_>, memory: &mut Buffer, _notes: &mut Notes) -> io::Result<Sum> {
    stream::read(job, pieces, memory, Buffering::Default)
}

fn rewrite(job: &DiskJob, pieces: &mut Pieces<'_>, data: &mut NewData, _notes: &mut Notes) -> io::Result<()> {
    stream::rewrite(job, pieces, data, Buffering::Default)
}
