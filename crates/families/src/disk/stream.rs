//! A stream of the C library over a file that exists.

use std::ffi::{CStr, c_void};
use std::io;
use std::path::Path;

use super::content::{NewData, Sum};
use super::job::{DiskJob, Notes};
use super::pieces::Pieces;
use super::system;
use crate::files::{Buffer, at, c_path, make_data_durable};

/// Sizes of a stream's buffer: the one that the library chooses, and none.
pub(super) const LIBRARY_BUFFER: usize = usize::MAX;
pub(super) const UNBUFFERED: usize = 0;

/// Reads with `fread`, one call a piece.
pub(super) fn read<const BUFFER_BYTES: usize>(
    job: &DiskJob,
    pieces: &mut Pieces<'_>,
    memory: &mut Buffer,
    _notes: &mut Notes,
) -> io::Result<Sum> {
    let mut stream = Stream::open(&job.path, c"rb", BUFFER_BYTES)?;
    let mut sum = job.sum_of_moved();
    for piece in pieces {
        stream.seek(piece.offset)?;
        stream.read(&mut memory[..piece.bytes])?;
        sum.add(piece, &memory[..piece.bytes]);
    }
    stream.close()?;
    Ok(sum)
}

/// Writes with `fwrite`, one call a piece, and flushes once where the work is to end on the device.
pub(super) fn rewrite<const BUFFER_BYTES: usize>(
    job: &DiskJob,
    pieces: &mut Pieces<'_>,
    data: &mut NewData,
    _notes: &mut Notes,
) -> io::Result<()> {
    let mut stream = Stream::open(&job.path, c"r+b", BUFFER_BYTES)?;
    for piece in pieces.by_ref() {
        stream.seek(piece.offset)?;
        stream.write(data.stamped(0, piece).1)?;
    }
    stream.close()?;
    pieces.calls_have_returned();
    if job.is_durable { make_data_durable(&job.path) } else { Ok(()) }
}

/// A `FILE` that is closed when it is dropped.
struct Stream<'path> {
    /// Null once it is closed.
    file: *mut libc::FILE,
    path: &'path Path,
    position: u64,
    /// The buffer that the library uses instead of its own; it lives as long as the stream.
    buffer: Vec<u8>,
}

impl<'path> Stream<'path> {
    fn open(path: &'path Path, mode: &CStr, buffer_bytes: usize) -> io::Result<Self> {
        let name = c_path(path)?;
        // SAFETY: both arguments are strings that end in a zero byte.
        let file = unsafe { libc::fopen(name.as_ptr(), mode.as_ptr()) };
        if file.is_null() {
            return Err(at("fopen", path)(io::Error::last_os_error()));
        }
        let mut stream = Self { file, path, position: 0, buffer: Vec::new() };
        if buffer_bytes == LIBRARY_BUFFER {
            return Ok(stream);
        }
        let mode = if buffer_bytes == UNBUFFERED { libc::_IONBF } else { libc::_IOFBF };
        // The GNU library takes no notice of a size without memory.
        stream.buffer = vec![0; buffer_bytes];
        // SAFETY: the stream is open and untouched. The memory is as large as said, nothing else touches it, and it lives until
        // the stream is closed.
        let set = unsafe { libc::setvbuf(file, stream.buffer.as_mut_ptr().cast(), mode, buffer_bytes) };
        stream.check("setvbuf", set == 0)?;
        Ok(stream)
    }

    /// Moves to an offset, unless the stream stands there: moving throws a buffer away.
    fn seek(&mut self, offset: u64) -> io::Result<()> {
        if self.position == offset {
            return Ok(());
        }
        // SAFETY: the stream is open.
        let moved = unsafe { system::seek(self.file, offset) };
        self.position = offset;
        self.check("fseek", moved == 0)
    }

    fn read(&mut self, piece: &mut [u8]) -> io::Result<()> {
        // SAFETY: the stream is open, and the piece has room for its own length.
        let count = unsafe { libc::fread(piece.as_mut_ptr().cast::<c_void>(), 1, piece.len(), self.file) };
        self.position += count as u64;
        if count == piece.len() {
            return Ok(());
        }
        // SAFETY: the stream is open.
        let failed = unsafe { libc::ferror(self.file) } != 0;
        self.check("fread", !failed)?;
        Err(at("fread", self.path)(io::Error::from(io::ErrorKind::UnexpectedEof)))
    }

    fn write(&mut self, piece: &[u8]) -> io::Result<()> {
        // SAFETY: the stream is open, and the piece has as many bytes as are announced.
        let count = unsafe { libc::fwrite(piece.as_ptr().cast::<c_void>(), 1, piece.len(), self.file) };
        self.position += count as u64;
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

impl Drop for Stream<'_> {
    fn drop(&mut self) {
        if !self.file.is_null() {
            // SAFETY: the stream is open and this is its last use.
            unsafe { libc::fclose(self.file) };
        }
    }
}
