//! A stream of the C library.

use std::ffi::{CStr, c_int};
use std::io;
use std::marker::PhantomData;
use std::mem::MaybeUninit;
use std::path::Path;

use super::{at, open_stream, seek_stream};

/// A `FILE` that is closed when it is dropped. `read` and `write` are inlined: techniques call them in loops.
pub(crate) struct CStream<'path> {
    /// Null once it is closed.
    file: *mut libc::FILE,
    path: &'path Path,
    /// The buffer that the library uses instead of its own: borrowed until the file is closed.
    buffer: PhantomData<&'path mut [MaybeUninit<u8>]>,
}

impl<'path> CStream<'path> {
    pub(crate) fn open(path: &'path Path, mode: &CStr) -> io::Result<Self> {
        let file = open_stream(path, mode)?;
        if file.is_null() {
            return Err(at("fopen", path)(io::Error::last_os_error()));
        }
        Ok(Self { file, path, buffer: PhantomData })
    }

    /// Replaces the library's buffer before the first byte; `mode` is `_IOFBF` or `_IONBF`. The GNU library ignores the size of a
    /// buffer that it is to allocate.
    pub(crate) fn buffered(self, mode: c_int, buffer: &'path mut [MaybeUninit<u8>]) -> io::Result<Self> {
        let memory = buffer.as_mut_ptr().cast();
        // SAFETY: the stream is open and untouched. The memory is as large as said, and borrowed until the file is gone.
        let set = unsafe { libc::setvbuf(self.file, memory, mode, buffer.len()) };
        self.check("setvbuf", set == 0)?;
        Ok(self)
    }

    pub(crate) fn size_bytes(&self) -> io::Result<u64> {
        std::fs::metadata(self.path).map(|status| status.len()).map_err(at("stat", self.path))
    }

    #[inline]
    pub(crate) fn seek(&self, offset: u64) -> io::Result<()> {
        // SAFETY: the stream is open.
        let moved = unsafe { seek_stream(self.file, offset) };
        self.check("fseek", moved == 0)
    }

    /// Reads until the piece is full or the file ends.
    #[inline]
    pub(crate) fn read<'piece>(&self, piece: &'piece mut [MaybeUninit<u8>]) -> io::Result<&'piece [u8]> {
        // SAFETY: the stream is open, and the piece has room for its own length.
        let count = unsafe { libc::fread(piece.as_mut_ptr().cast(), 1, piece.len(), self.file) };
        // SAFETY: the stream is open.
        let failed = count < piece.len() && unsafe { libc::ferror(self.file) } != 0;
        self.check("fread", !failed)?;
        // SAFETY: the library has filled this many bytes.
        Ok(unsafe { piece[..count].assume_init_ref() })
    }

    #[inline]
    pub(crate) fn write(&self, piece: &[u8]) -> io::Result<()> {
        // SAFETY: the stream is open, and the piece has as many bytes as are announced.
        let count = unsafe { libc::fwrite(piece.as_ptr().cast(), 1, piece.len(), self.file) };
        self.check("fwrite", count == piece.len())
    }

    /// Closes the stream and reports what could not be written: the last bytes leave the buffer here.
    pub(crate) fn close(mut self) -> io::Result<()> {
        let file = std::mem::take(&mut self.file);
        // SAFETY: the stream is open and is not used afterwards: the pointer to it is gone.
        let closed = unsafe { libc::fclose(file) };
        self.check("fclose", closed == 0)
    }

    #[inline]
    fn check(&self, step: &str, held: bool) -> io::Result<()> {
        if held { Ok(()) } else { Err(at(step, self.path)(io::Error::last_os_error())) }
    }
}

impl Drop for CStream<'_> {
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
        let stream = CStream::open(&path, c"rb").expect("opened");
        let stream = stream.buffered(libc::_IOFBF, &mut buffer).expect("buffered");
        let mut piece = [MaybeUninit::uninit(); 1_000];
        assert_eq!(stream.read(&mut piece).expect("readable").len(), 1_000);
        // SAFETY: the stream is open.
        let number = unsafe { libc::fileno(stream.file) };
        // SAFETY: the descriptor is open, and asking where it stands moves nothing.
        let position = unsafe { libc::lseek(number, 0, libc::SEEK_CUR) };
        assert_eq!(position, 1 << 20);
    }
}
