use super::c_stdio::{Stream, pump};
use crate::copy::prelude::*;
use crate::files::NEW_STREAM;

pub(super) const C_STDIO_LARGE_BUFFER: Technique<CopyJob> = Technique {
    name: "c_stdio_large_buffer",
    idea: "fread and fwrite in pieces of 64 KiB, the streams' buffers set to 1 MiB",
    source: "setvbuf(3)",
    calls: &["read", "write"],
    ..Technique::usual(|job| job.done_by(copy))
};

const PIECE_BYTES: usize = 64 << 10;
const STREAM_BYTES: usize = 1 << 20;

fn copy(job: &CopyJob, _notes: &mut Notes) -> io::Result<()> {
    let mut buffers = None;
    let mut piece = Box::<[u8]>::new_uninit_slice(PIECE_BYTES);
    job.each(|file| {
        let source = Stream::open(file.source, c"rb")?;
        let destination = Stream::open(file.destination, NEW_STREAM)?;
        let (for_source, for_destination) = match &mut buffers {
            Some(buffers) => buffers,
            None => {
                // A buffer that is larger than the file is never filled.
                let bytes = source.size_bytes()?.clamp(4_096, STREAM_BYTES as u64) as usize;
                let room = || Box::<[u8]>::new_uninit_slice(bytes);
                buffers.insert((room(), room()))
            }
        };
        let (source, destination) = (source.buffered(for_source)?, destination.buffered(for_destination)?);
        pump(&source, &destination, &mut piece)?;
        destination.close()?;
        file.finish_closed()
    })
}
