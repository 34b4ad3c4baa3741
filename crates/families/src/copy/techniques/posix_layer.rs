use std::ffi::{c_int, c_void};
use std::path::Path;

use crate::copy::prelude::*;
use crate::files::open_descriptor;

pub(super) const POSIX_LAYER: Technique<CopyJob> = Technique {
    name: "posix_layer",
    alias: &["cpUC"],
    idea: "open, read and write of the C library, 256 bytes at a time (on Linux the system calls of small_buffer)",
    source: "Hart, Windows System Programming, cpUC",
    calls: &["read", "write"],
    ..Technique::usual(|job| job.done_by(copy))
};

fn copy(job: &CopyJob, _notes: &mut Notes) -> io::Result<()> {
    let create = libc::O_WRONLY | libc::O_CREAT | libc::O_EXCL;
    let mut buffer = [0; 256];
    job.each(|file| {
        let source = Descriptor::open(file.source, "open", libc::O_RDONLY)?;
        let destination = Descriptor::open(file.destination, "create", create)?;
        loop {
            match source.read(&mut buffer)? {
                0 => break,
                count => destination.write_all(&buffer[..count])?,
            }
        }
        destination.close()?;
        file.finish_closed()
    })
}

struct Descriptor<'path> {
    number: c_int,
    path: &'path Path,
}

impl<'path> Descriptor<'path> {
    fn open(path: &'path Path, step: &str, flags: c_int) -> io::Result<Self> {
        /// Read and write for all users, less the process' mask.
        const MODE: c_int = 0o666;
        match open_descriptor(path, flags, MODE)? {
            -1 => Err(at(step, path)(io::Error::last_os_error())),
            number => Ok(Self { number, path }),
        }
    }

    /// Reads by one call; 0 is the end of the file.
    fn read(&self, buffer: &mut [u8]) -> io::Result<usize> {
        // SAFETY: the descriptor is open, and the buffer has room for its own length.
        self.counted("read", || unsafe {
            i64::from(libc::read(self.number, buffer.as_mut_ptr().cast::<c_void>(), buffer.len() as _) as i32)
        })
    }

    fn write_all(&self, mut bytes: &[u8]) -> io::Result<()> {
        while !bytes.is_empty() {
            // SAFETY: the descriptor is open, and the slice has as many bytes as are announced.
            let count = self.counted("write", || unsafe {
                i64::from(libc::write(self.number, bytes.as_ptr().cast::<c_void>(), bytes.len() as _) as i32)
            })?;
            if count == 0 {
                return Err(at("write", self.path)(io::Error::from(io::ErrorKind::WriteZero)));
            }
            bytes = &bytes[count..];
        }
        Ok(())
    }

    fn counted(&self, step: &str, mut call: impl FnMut() -> i64) -> io::Result<usize> {
        loop {
            if let Ok(count) = usize::try_from(call()) {
                return Ok(count);
            }
            let error = io::Error::last_os_error();
            if error.kind() != io::ErrorKind::Interrupted {
                return Err(at(step, self.path)(error));
            }
        }
    }

    fn close(self) -> io::Result<()> {
        let (number, path) = (self.number, self.path);
        std::mem::forget(self);
        // SAFETY: the descriptor is open and is not used afterwards: its owner was forgotten.
        match unsafe { libc::close(number) } {
            0 => Ok(()),
            _ => Err(at("close", path)(io::Error::last_os_error())),
        }
    }
}

impl Drop for Descriptor<'_> {
    fn drop(&mut self) {
        // SAFETY: the descriptor is open and this is its last use.
        unsafe { libc::close(self.number) };
    }
}
