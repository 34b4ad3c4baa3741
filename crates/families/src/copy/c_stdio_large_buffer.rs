//! The C library's streams with buffers that are large enough.

use std::io;

use model::Class;

use super::c_stdio::copy_streams;
use super::job::{CopyJob, Notes, always};
use crate::contract::Technique;

pub(super) const C_STDIO_LARGE_BUFFER: Technique<CopyJob> = Technique {
    name: "c_stdio_large_buffer",
    alias: &[],
    idea: "fread and fwrite in pieces of 64 KiB, the streams' buffers set to 1 MiB",
    source: "setvbuf(3)",
    class: Class::MovesBytes,
    ceiling: false,
    parameter: None,
    probe: always,
    prepare: |job| job.done_by(copy),
};

const PIECE_BYTES: usize = 64 << 10;
const STREAM_BYTES: usize = 1 << 20;

fn copy(job: &CopyJob, _notes: &mut Notes) -> io::Result<()> {
    copy_streams(job, &mut vec![0; PIECE_BYTES], Some(STREAM_BYTES))
}
