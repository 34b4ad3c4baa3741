//! Files past the cache, and io_uring to read and write them.

use std::io;
use std::marker::PhantomData;
use std::path::Path;

use io_uring::types::Fixed;
use io_uring::{IoUring, opcode};

use crate::files::{OpenFile, is_passing, moved_by, ring_of_files};
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
        entries: usize, from: &'file OpenFile<'file>, to: &'file OpenFile<'file>, notes: &mut Vec<String>,
    ) -> io::Result<Self> {
        Ok(Self { ring: ring_of_files(entries as u32, [from, to], notes)?, files: PhantomData })
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
                return Ok((entry.user_data() as usize, moved_by(entry.result())));
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
