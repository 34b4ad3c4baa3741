//! The C library's streams with a buffer larger than most pieces.

use std::io;

use crate::contract::Technique;
use crate::disk::content::{NewData, Sum};
use crate::disk::job::{DiskJob, Notes};
use crate::disk::pieces::Pieces;
use crate::disk::stream::{self, Buffering};

pub(super) const C_STDIO_LARGE_BUFFER: Technique<DiskJob> = Technique {
    name: "c_stdio_large_buffer",
    idea: "fread and fwrite, the stream with a buffer of 1 MiB, flushed once",
    source: "setvbuf(3)",
    ..Technique::usual(|job| job.done_by(read, rewrite))
};

const BUFFERING: Buffering = Buffering::Bytes(1 << 20);

fn read(job: &DiskJob, pieces: &mut Pieces<'_>, _notes: &mut Notes) -> io::Result<Sum> {
    stream::read(job, pieces, BUFFERING)
}

fn rewrite(job: &DiskJob, pieces: &mut Pieces<'_>, data: &mut NewData, _notes: &mut Notes) -> io::Result<()> {
    stream::rewrite(job, pieces, data, BUFFERING)
}
