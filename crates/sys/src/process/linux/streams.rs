//! What a command prints.

use std::fs::File;
use std::io::{self, Read};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};

/// As much as a pipe holds: one read empties it.
const PIPE_BYTES: usize = 1 << 16;
/// What a user may make of a pipe (`fs.pipe-max-size` as it comes).
const LARGEST_PIPE_BYTES: usize = 1 << 20;

/// The reading end of one stream of a command.
#[derive(Debug)]
pub(super) struct Stream {
    pipe: Option<File>,
    kept: Vec<u8>,
    room: u64,
}

impl Stream {
    /// Reads from `pipe`, if there is one, and keeps the first `room` bytes.
    pub(super) fn new(pipe: Option<OwnedFd>, room: u64) -> io::Result<Self> {
        let pipe = pipe.map(File::from);
        if let Some(pipe) = &pipe {
            fcntl_setfl(pipe, fcntl_getfl(pipe)? | OFlags::NONBLOCK)?;
        }
        Ok(Self { pipe, kept: Vec::new(), room })
    }

    /// What to poll, while there may be more to read.
    pub(super) fn descriptor(&self) -> Option<BorrowedFd<'_>> {
        self.pipe.as_ref().map(AsFd::as_fd)
    }

    /// Reads once. False when there is nothing to read now.
    pub(super) fn read(&mut self) -> bool {
        let Some(pipe) = &mut self.pipe else { return false };
        let mut buffer = [0; PIPE_BYTES];
        let count = match pipe.read(&mut buffer) {
            Ok(count) => count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => return true,
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => return false,
            // A pipe that cannot be read is at its end as far as we are concerned.
            Err(_) => 0,
        };
        if count == 0 {
            self.pipe = None;
            return false;
        }
        let keep = count.min(usize::try_from(self.room).unwrap_or(usize::MAX));
        self.kept.extend_from_slice(&buffer[..keep]);
        self.room -= keep as u64;
        true
    }

    /// What was kept, with what still stands in the pipe.
    pub(super) fn finish(mut self) -> Vec<u8> {
        // No more than the largest pipe holds: a survivor that was left may print for ever.
        for _ in 0..LARGEST_PIPE_BYTES / PIPE_BYTES {
            if !self.read() {
                break;
            }
        }
        self.kept
    }
}
