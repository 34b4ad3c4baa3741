//! The C library's streams without buffers, as in the published tests.

use std::io;

use crate::contract::Technique;
use crate::disk::calls::in_phases;
use crate::disk::content::{NewData, Sum};
use crate::disk::job::{DiskJob, Notes};
use crate::disk::pieces::Pieces;
use crate::disk::stream::{self, Buffering};
use crate::disk::techniques::buffered;
use crate::files::Buffer;

pub(super) const C_STDIO_UNBUFFERED: Technique<DiskJob> = Technique {
    name: "c_stdio_unbuffered",
    idea: "fread and fwrite, the stream without a buffer (_IONBF), flushed once",
    source: "the published disk tests: C library without buffering",
    calls: &["!pread64", "!pwrite64"],
    calls_at: |workload| in_phases(workload, &["read"], &["write", "fdatasync"]),
    ..buffered(|job| job.done_by(read, rewrite))
};

fn read(job: &DiskJob, pieces: &mut Pieces<'_>, memory: &mut Buffer, _notes: &mut Notes) -> io::Result<Sum> {
    stream::read(job, pieces, memory, Buffering::Off)
}

fn rewrite(job: &DiskJob, pieces: &mut Pieces<'_>, data: &mut NewData, _notes: &mut Notes) -> io::Result<()> {
    stream::rewrite(job, pieces, data, Buffering::Off)
}
