//! The requests of POSIX asynchronous I/O, one for each block.

use std::io;
use std::os::fd::{AsFd, AsRawFd};

use libc::aiocb;

use crate::files::{AioRoutine, AioTransfer, answer_of, has_ended, idle_request, start_request};
use crate::in_flight::pieces::{Pieces, Transfer};

/// The end of the pieces of a file.
pub(crate) enum Outcome {
    /// Nothing is in flight.
    Ended(io::Result<()>),
    /// Requests may still be in flight, and their memory was left to them.
    Abandoned(io::Error),
}

impl Outcome {
    /// Returns the files once all has ended. The library goes on with what was abandoned: the numbers of its files must not become
    /// those of others.
    pub(crate) fn settled<Files>(self, files: Files) -> io::Result<Files> {
        match self {
            Self::Ended(ended) => ended.map(|()| files),
            Self::Abandoned(error) => {
                std::mem::forget(files);
                Err(error)
            }
        }
    }
}

/// The request of a block. The library holds on to its address while it is in flight.
pub(crate) struct Request {
    control: aiocb,
    is_write: bool,
    in_flight: bool,
}

// SAFETY: the pointers in it belong to a transfer, not to the thread that started it.
unsafe impl Send for Request {}

impl Request {
    pub(crate) fn of_blocks(pieces: &Pieces) -> Vec<Self> {
        let idle = || Self { control: idle_request(), is_write: false, in_flight: false };
        std::iter::repeat_with(idle).take(pieces.blocks()).collect()
    }

    pub(crate) fn is_in_flight(&self) -> bool {
        self.in_flight
    }

    pub(crate) fn is_write(&self) -> bool {
        self.is_write
    }

    pub(crate) fn control(&self) -> *const aiocb {
        &raw const self.control
    }

    /// Starts a transfer.
    ///
    /// # Errors
    /// It was refused. Out of threads or memory (`EAGAIN`) it is not to be tried again at once: it would say the same
    /// for ever.
    ///
    /// # Safety
    /// The request is idle, stays where it is until it has ended, and so do the pieces and their files.
    pub(crate) unsafe fn start(
        &mut self, pieces: &Pieces, transfer: Transfer, routine: Option<AioRoutine>,
    ) -> io::Result<()> {
        let moved = AioTransfer {
            is_write: transfer.is_write,
            file: pieces.file(&transfer).as_fd().as_raw_fd(),
            memory: transfer.memory,
            bytes: transfer.bytes as usize,
            offset: transfer.offset,
        };
        // SAFETY: the caller keeps request, memory and file until it has ended; a transfer's memory is touched by nothing
        // else until then. Another kind of error than EAGAIN's keeps the pieces from trying again.
        unsafe { start_request(&raw mut self.control, moved, routine) }.map_err(io::Error::other)?;
        (self.is_write, self.in_flight) = (transfer.is_write, true);
        Ok(())
    }

    pub(crate) fn has_ended(&self) -> bool {
        // SAFETY: what is in flight was started, and was not asked for its answer.
        self.in_flight && unsafe { has_ended(&raw const self.control) }
    }

    /// Returns the answer and is idle again; `None` where it is not in flight, or has not ended.
    pub(crate) fn take_answer(&mut self) -> Option<io::Result<usize>> {
        if !self.has_ended() {
            return None;
        }
        self.in_flight = false;
        // SAFETY: it has ended, and is asked once: it is no longer taken for one in flight.
        Some(unsafe { answer_of(&raw mut self.control) })
    }
}
