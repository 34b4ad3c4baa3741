//! Files past the cache, and io_uring to read and write them.

use std::io;
use std::marker::PhantomData;
use std::os::fd::{AsFd, AsRawFd};
use std::path::Path;

use io_uring::types::Fixed;
use io_uring::{IoUring, opcode};

use crate::files::{OpenFile, new_ring};
use crate::sort::transfers::Transfer;

/// The sentence before the system's own words.
pub(in crate::sort) const REFUSED: &str = "O_DIRECT or io_uring is refused here (a file system without O_DIRECT, \
                                           kernel.io_uring_disabled, or a container's seccomp filter)";

const FILES: [Fixed; 2] = [Fixed(0), Fixed(1)];

pub(in crate::sort) fn create_for_queue(path: &Path) -> io::Result<OpenFile<'_>> {
    OpenFile::create_direct(path, false)
}

pub(in crate::sort) fn open_for_queue(path: &Path) -> io::Result<OpenFile<'_>> {
    OpenFile::open_direct(path)
}

pub(in crate::sort) struct Queue<'file> {
    ring: IoUring,
    files: PhantomData<&'file OpenFile<'file>>,
}

impl<'file> Queue<'file> {
    pub(in crate::sort) fn new(
        entries: usize,
        from: &'file OpenFile<'file>,
        to: &'file OpenFile<'file>,
        notes: &mut Vec<String>,
    ) -> io::Result<Self> {
        let ring = new_ring(entries as u32, notes)?;
        let files = [from, to].map(|file| file.as_fd().as_raw_fd());
        ring.submitter().register_files(&files).map_err(from.at("register with io_uring"))?;
        Ok(Self { ring, files: PhantomData })
    }

    /// Begins a transfer; `nth` comes back with its end. On an error (the ring is full) nothing has begun.
    ///
    /// # Safety
    /// The memory must stay, and must not be touched, until the end has come.
    pub(in crate::sort) unsafe fn start(&mut self, nth: usize, transfer: Transfer) -> io::Result<()> {
        let Transfer { is_write, memory, bytes, offset } = transfer;
        let file = FILES[usize::from(is_write)];
        let entry = if is_write {
            opcode::Write::new(file, memory, bytes as u32).offset(offset).build()
        } else {
            opcode::Read::new(file, memory, bytes as u32).offset(offset).build()
        };
        // SAFETY: the caller vouches for the memory.
        let pushed = unsafe { self.ring.submission().push(&entry.user_data(nth as u64)) };
        pushed.map_err(|_| io::Error::other("the ring is full"))?;
        // At once, so that the device works meanwhile. What cannot go out now goes out with the next wait, which says why.
        let _ = self.ring.submit();
        Ok(())
    }

    /// Waits for the end of a transfer; returns its number and how many bytes were moved.
    pub(in crate::sort) fn wait(&mut self) -> io::Result<(usize, io::Result<usize>)> {
        loop {
            if let Some(entry) = self.ring.completion().next() {
                let answer = entry.result();
                let moved = usize::try_from(answer).map_err(|_| io::Error::from_raw_os_error(-answer));
                return Ok((entry.user_data() as usize, moved));
            }
            match self.ring.submit_and_wait(1) {
                Err(error) if !is_passing(&error) => {
                    return Err(sys::failure::in_context("io_uring_enter", error));
                }
                _ => {}
            }
        }
    }
}

fn is_passing(error: &io::Error) -> bool {
    [libc::EINTR, libc::EAGAIN, libc::EBUSY].iter().any(|&code| error.raw_os_error() == Some(code))
}
