//! The C library's streams with buffers that are large enough.

use std::io;

use super::c_stdio::{Stream, pump};
use crate::contract::Technique;
use crate::copy::job::{CopyJob, Notes};

pub(super) const C_STDIO_LARGE_BUFFER: Technique<CopyJob> = Technique {
    name: "c_stdio_large_buffer",
    idea: "fread and fwrite in pieces of 64 KiB, the streams' buffers set to 1 MiB",
    source: "setvbuf(3)",
    ..Technique::usual(|job| job.done_by(copy))
};

const PIECE_BYTES: usize = 64 << 10;
const STREAM_BYTES: usize = 1 << 20;

fn copy(job: &CopyJob, _notes: &mut Notes) -> io::Result<()> {
    let source = Stream::open(&job.source, c"rb")?;
    let destination = Stream::open(&job.destination, c"wb")?;
    // A buffer that is larger than the file is never filled.
    let stream_bytes = source.size_bytes()?.clamp(4_096, STREAM_BYTES as u64) as usize;
    let (source, destination) = (source.buffered(stream_bytes)?, destination.buffered(stream_bytes)?);
    pump(&source, &destination, Box::<[u8]>::new_uninit_slice(PIECE_BYTES).as_mut())?;
    destination.finish(job.durable)
}
