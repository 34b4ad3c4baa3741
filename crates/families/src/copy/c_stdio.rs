//! The C library's streams, as in the historical program cpC.

use std::ffi::{CStr, c_int, c_void};
use std::io;
use std::path::Path;

use model::Class;

use super::job::{CopyJob, Notes, always};
use crate::contract::Technique;
use crate::files::{at, c_path, make_durable};

pub(super) const C_STDIO: Technique<CopyJob> = Technique {
    name: "c_stdio",
    alias: &["cpC"],
    idea: "fread and fwrite in pieces of 256 bytes, the streams' buffers left at their default",
    source: "Hart, Windows System Programming, cpC",
    class: Class::MovesBytes,
    ceiling: false,
    parameter: None,
    probe: always,
    prepare: |job| job.done_by(copy),
};

fn copy(job: &CopyJob, _notes: &mut Notes) -> io::Result<()> {
    copy_streams(job, &mut [0; 256], None)
}

/// Copies through two streams, each with a buffer of `stream_bytes` where that is given.
pub(super) fn copy_streams(job: &CopyJob, piece: &mut [u8], stream_bytes: Option<usize>) -> io::Result<()> {
    let source = Stream::open(&job.source, c"rb", stream_bytes)?;
    let destination = Stream::open(&job.destination, c"wb", stream_bytes)?;
    loop {
        match source.read(piece)? {
            0 => break,
            count => destination.write(&piece[..count])?,
        }
    }
    destination.close()?;
    if job.durable { make_durable(&job.destination) } else { Ok(()) }
}

/// A `FILE` that is closed when it is dropped.
struct Stream<'path> {
    file: *mut libc::FILE,
    path: &'path Path,
}

impl<'path> Stream<'path> {
    fn open(path: &'path Path, mode: &CStr, stream_bytes: Option<usize>) -> io::Result<Self> {
        let name = c_path(path)?;
        // SAFETY: both arguments are strings that end in a zero byte.
        let file = unsafe { libc::fopen(name.as_ptr(), mode.as_ptr()) };
        if file.is_null() {
            return Err(at("fopen", path)(io::Error::last_os_error()));
        }
        let stream = Self { file, path };
        if let Some(bytes) = stream_bytes {
            // SAFETY: the stream is open and untouched; the library allocates and frees the buffer itself.
            let set = unsafe { libc::setvbuf(file, std::ptr::null_mut(), FULLY_BUFFERED, bytes) };
            stream.check("setvbuf", set == 0)?;
        }
        Ok(stream)
    }

    /// Reads up to one piece; 0 is the end of the file.
    fn read(&self, piece: &mut [u8]) -> io::Result<usize> {
        // SAFETY: the stream is open, and the piece has room for its own length.
        let count = unsafe { libc::fread(piece.as_mut_ptr().cast::<c_void>(), 1, piece.len(), self.file) };
        // SAFETY: the stream is open.
        let failed = count < piece.len() && unsafe { libc::ferror(self.file) } != 0;
        self.check("fread", !failed)?;
        Ok(count)
    }

    fn write(&self, piece: &[u8]) -> io::Result<()> {
        // SAFETY: the stream is open, and the piece has as many bytes as are announced.
        let count = unsafe { libc::fwrite(piece.as_ptr().cast::<c_void>(), 1, piece.len(), self.file) };
        self.check("fwrite", count == piece.len())
    }

    /// Closes the stream and reports what could not be written: the last bytes leave the buffer here.
    fn close(self) -> io::Result<()> {
        let (file, path) = (self.file, self.path);
        std::mem::forget(self);
        // SAFETY: the stream is open and is not used afterwards: its owner was forgotten.
        match unsafe { libc::fclose(file) } {
            0 => Ok(()),
            _ => Err(at("fclose", path)(io::Error::last_os_error())),
        }
    }

    fn check(&self, step: &str, held: bool) -> io::Result<()> {
        if held { Ok(()) } else { Err(at(step, self.path)(io::Error::last_os_error())) }
    }
}

/// `_IOFBF`: a call only when the buffer is full or empty.
const FULLY_BUFFERED: c_int = libc::_IOFBF;

impl Drop for Stream<'_> {
    fn drop(&mut self) {
        // SAFETY: the stream is open and this is its last use.
        unsafe { libc::fclose(self.file) };
    }
}
