use std::ffi::{CStr, c_int, c_void};
use std::marker::PhantomData;
use std::mem::MaybeUninit;
use std::path::Path;

use crate::copy::prelude::*;
use crate::files::{NEW_STREAM, c_path};

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
        let source = Stream::open(file.source, c"rb")?;
        let destination = Stream::open(file.destination, NEW_STREAM)?;
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

fn pump(source: &Stream, destination: &Stream, piece: &mut [MaybeUninit<u8>]) -> io::Result<()> {
    loop {
        match source.read(piece)? {
            [] => return Ok(()),
            bytes => destination.write(bytes)?,
        }
    }
}

/// A `FILE` that is closed when it is dropped.
struct Stream<'path> {
    /// Null once it is closed.
    file: *mut libc::FILE,
    path: &'path Path,
    /// The buffer that the library uses instead of its own: borrowed until the file is closed.
    buffer: PhantomData<&'path mut [MaybeUninit<u8>]>,
}

impl<'path> Stream<'path> {
    fn open(path: &'path Path, mode: &CStr) -> io::Result<Self> {
        let name = c_path(path)?;
        // SAFETY: both arguments are strings that end in a zero byte.
        let file = unsafe { libc::fopen(name.as_ptr(), mode.as_ptr()) };
        if file.is_null() {
            return Err(at("fopen", path)(io::Error::last_os_error()));
        }
        Ok(Self { file, path, buffer: PhantomData })
    }

    /// Replaces the library's buffer before the first byte. The GNU library ignores the size of a buffer that it is to allocate.
    fn buffered(self, buffer: &'path mut [MaybeUninit<u8>]) -> io::Result<Self> {
        let memory = buffer.as_mut_ptr().cast();
        // SAFETY: the stream is open and untouched. The memory is as large as said, and borrowed until the file is gone.
        let set = unsafe { libc::setvbuf(self.file, memory, FULLY_BUFFERED, buffer.len()) };
        self.check("setvbuf", set == 0)?;
        Ok(self)
    }

    fn size_bytes(&self) -> io::Result<u64> {
        std::fs::metadata(self.path).map(|status| status.len()).map_err(at("stat", self.path))
    }

    fn read<'piece>(&self, piece: &'piece mut [MaybeUninit<u8>]) -> io::Result<&'piece [u8]> {
        // SAFETY: the stream is open, and the piece has room for its own length.
        let count = unsafe { libc::fread(piece.as_mut_ptr().cast::<c_void>(), 1, piece.len(), self.file) };
        // SAFETY: the stream is open.
        let failed = count < piece.len() && unsafe { libc::ferror(self.file) } != 0;
        self.check("fread", !failed)?;
        // SAFETY: the library has filled this many bytes.
        Ok(unsafe { piece[..count].assume_init_ref() })
    }

    fn write(&self, piece: &[u8]) -> io::Result<()> {
        // SAFETY: the stream is open, and the piece has as many bytes as are announced.
        let count = unsafe { libc::fwrite(piece.as_ptr().cast::<c_void>(), 1, piece.len(), self.file) };
        self.check("fwrite", count == piece.len())
    }

    /// Closes the stream and reports what could not be written: the last bytes leave the buffer here.
    fn close(mut self) -> io::Result<()> {
        let file = std::mem::take(&mut self.file);
        // SAFETY: the stream is open and is not used afterwards: the pointer to it is gone.
        let closed = unsafe { libc::fclose(file) };
        self.check("fclose", closed == 0)
    }

    fn check(&self, step: &str, held: bool) -> io::Result<()> {
        if held { Ok(()) } else { Err(at(step, self.path)(io::Error::last_os_error())) }
    }
}

const FULLY_BUFFERED: c_int = libc::_IOFBF;

impl Drop for Stream<'_> {
    fn drop(&mut self) {
        if !self.file.is_null() {
            // SAFETY: the stream is open and this is its last use.
            unsafe { libc::fclose(self.file) };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stream_reads_as_much_at_a_time_as_its_buffer_holds() {
        let (_scratch, path) = crate::testing::scratch_with("source", vec![b'x'; 3 << 20]);
        let mut buffer = Box::<[u8]>::new_uninit_slice(1 << 20);
        let stream = Stream::open(&path, c"rb").expect("opened").buffered(&mut buffer).expect("buffered");
        let mut piece = [MaybeUninit::uninit(); 1_000];
        assert_eq!(stream.read(&mut piece).expect("readable").len(), 1_000);
        // SAFETY: the stream is open.
        let number = unsafe { libc::fileno(stream.file) };
        // SAFETY: the descriptor is open, and asking where it stands moves nothing.
        let position = unsafe { libc::lseek(number, 0, libc::SEEK_CUR) };
        assert_eq!(position, 1 << 20);
    }
}
