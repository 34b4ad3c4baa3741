use std::mem::MaybeUninit;

use crate::copy::prelude::*;
use crate::files::{CStream, NEW_STREAM};

pub(super) const C_STDIO: Technique<CopyJob> = Technique {
    name: "c_stdio",
    alias: &["cpC"],
    idea: "fread and fwrite in pieces of 256 bytes, the streams' buffers left at their default",
    source: "Hart, Windows System Programming, cpC",
    calls: &["read", "write"],
    ..Technique::usual(|job| job.done_by(copy))
};

pub(super) const C_STDIO_LARGE_BUFFER: Technique<CopyJob> = Technique {
    name: "c_stdio_large_buffer",
    idea: "fread and fwrite in pieces of 64 KiB, the streams' buffers set to 1 MiB",
    source: "setvbuf(3)",
    calls: &["read", "write"],
    ..Technique::usual(|job| job.done_by(copy_through_large_buffers))
};

fn copy(job: &CopyJob, _notes: &mut Notes) -> io::Result<()> {
    job.each(|file| {
        let source = CStream::open(file.source, c"rb")?;
        let destination = CStream::open(file.destination, NEW_STREAM)?;
        pump(&source, &destination, &mut [MaybeUninit::uninit(); 256])?;
        destination.close()?;
        file.finish_closed()
    })
}

const PIECE_BYTES: usize = 64 << 10;
const STREAM_BYTES: usize = 1 << 20;

fn copy_through_large_buffers(job: &CopyJob, _notes: &mut Notes) -> io::Result<()> {
    let mut buffers = None;
    let mut piece = Box::<[u8]>::new_uninit_slice(PIECE_BYTES);
    job.each(|file| {
        let source = CStream::open(file.source, c"rb")?;
        let destination = CStream::open(file.destination, NEW_STREAM)?;
        let (for_source, for_destination) = match &mut buffers {
            Some(buffers) => buffers,
            None => {
                // A buffer that is larger than the file is never filled.
                let bytes = source.size_bytes()?.clamp(4_096, STREAM_BYTES as u64) as usize;
                let room = || Box::<[u8]>::new_uninit_slice(bytes);
                buffers.insert((room(), room()))
            }
        };
        let source = source.buffered(libc::_IOFBF, for_source)?;
        let destination = destination.buffered(libc::_IOFBF, for_destination)?;
        pump(&source, &destination, &mut piece)?;
        destination.close()?;
        file.finish_closed()
    })
}

fn pump(source: &CStream, destination: &CStream, piece: &mut [MaybeUninit<u8>]) -> io::Result<()> {
    loop {
        match source.read(piece)? {
            [] => return Ok(()),
            bytes => destination.write(bytes)?,
        }
    }
}
