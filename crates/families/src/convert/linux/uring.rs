//! The way between the blocks of a conversion and io_uring.

use std::io;

use io_uring::types::Fixed;
use io_uring::{IoUring, opcode};
use rustix::process::{Resource, getrlimit};

use crate::convert::job::Notes;
use crate::files::{is_passing, moved_by, ring_of_files};
use crate::in_flight::pieces::{Pieces, Transfer};

const SOURCE: Fixed = Fixed(0);
const DESTINATION: Fixed = Fixed(1);

/// `IORING_ENTER_GETEVENTS` of `linux/io_uring.h`: with deferred work the kernel completes nothing without it.
const GET_EVENTS: u32 = 1;

/// A ring that knows both files and, where the kernel allows it, the memory of all blocks.
pub(in crate::convert) struct Uring {
    ring: IoUring,
    /// Blocks whose buffers are registered, from the first on.
    registered: usize,
    in_flight: usize,
}

impl Uring {
    /// Sets the ring up for these pieces, which must stay while anything is in flight.
    pub(in crate::convert) fn new(pieces: &Pieces, notes: &mut Notes) -> io::Result<Self> {
        let ring = ring_of_files(pieces.blocks() as u32, pieces.files(), notes)?;
        let memory = (0..pieces.blocks()).flat_map(|nth| pieces.memory(nth));
        let buffers: Vec<libc::iovec> =
            memory.map(|(start, length)| libc::iovec { iov_base: start.cast(), iov_len: length }).collect();
        // SAFETY: every user of this type drops the pieces when nothing is in flight, or never.
        let registered = unsafe { register(&ring, &buffers, notes) };
        Ok(Self { ring, registered, in_flight: 0 })
    }

    pub(in crate::convert) fn in_flight(&self) -> usize {
        self.in_flight
    }

    /// Starts a transfer of block `nth`, with the next [`Uring::wait`].
    pub(in crate::convert) fn start(&mut self, nth: usize, transfer: Transfer) {
        let Transfer { is_write, memory, bytes, offset } = transfer;
        let buffer = (2 * nth + usize::from(is_write)) as u16;
        let entry = match (is_write, usize::from(buffer) < self.registered) {
            (false, true) => opcode::ReadFixed::new(SOURCE, memory, bytes, buffer).offset(offset).build(),
            (false, false) => opcode::Read::new(SOURCE, memory, bytes).offset(offset).build(),
            (true, true) => {
                opcode::WriteFixed::new(DESTINATION, memory, bytes, buffer).offset(offset).build()
            }
            (true, false) => opcode::Write::new(DESTINATION, memory, bytes).offset(offset).build(),
        };
        // SAFETY: the transfer's memory belongs to the kernel until its end is booked.
        let pushed = unsafe { self.ring.submission().push(&entry.user_data(nth as u64)) };
        pushed.expect("the ring has an entry for every block, and a block has one transfer at a time");
        self.in_flight += 1;
    }

    /// Waits for ends, at least one unless it is interrupted. After an error the kernel may still work in the memory, which must
    /// not be freed.
    pub(in crate::convert) fn wait(&mut self, ended: &mut Vec<(usize, io::Result<usize>)>) -> io::Result<()> {
        self.enter(1, ended)
    }

    /// As [`Uring::wait`], without waiting: it may find none.
    pub(in crate::convert) fn poll(&mut self, ended: &mut Vec<(usize, io::Result<usize>)>) -> io::Result<()> {
        self.enter(0, ended)
    }

    fn enter(&mut self, least: u32, ended: &mut Vec<(usize, io::Result<usize>)>) -> io::Result<()> {
        ended.clear();
        let handed_over = self.ring.submission().len() as u32;
        // SAFETY: no set of signals is handed over, and the memory of each transfer stays until its end is booked.
        let entered =
            unsafe { self.ring.submitter().enter::<libc::sigset_t>(handed_over, least, GET_EVENTS, None) };
        if let Err(error) = entered
            && !is_passing(&error)
        {
            return Err(sys::failure::in_context("io_uring_enter", error));
        }
        let answers =
            self.ring.completion().map(|entry| (entry.user_data() as usize, moved_by(entry.result())));
        ended.extend(answers);
        self.in_flight -= ended.len();
        Ok(())
    }
}

/// Registers the buffers, or as many of them as this user may lock in memory; gives how many. The others do with the
/// plain operations.
///
/// # Safety
/// The memory must not be freed while anything is in flight.
unsafe fn register(ring: &IoUring, buffers: &[libc::iovec], notes: &mut Notes) -> usize {
    // SAFETY: the caller vouches for the memory.
    let register = |buffers: &[libc::iovec]| unsafe { ring.submitter().register_buffers(buffers) };
    let Err(refused) = register(buffers) else { return buffers.len() };
    if refused.raw_os_error() == Some(libc::ENOMEM) {
        let limit = getrlimit(Resource::Memlock).current.unwrap_or(u64::MAX);
        let fitting = fitting(buffers, limit);
        // Other programs of this user may have locked memory as well.
        if (1..buffers.len()).contains(&fitting) && register(&buffers[..fitting]).is_ok() {
            let all = buffers.len();
            notes.push(format!("fell back: {fitting} of {all} buffers are registered (RLIMIT_MEMLOCK)"));
            return fitting;
        }
    }
    notes.push(format!("fell back: io_uring without registered buffers ({refused})"));
    0
}

/// Returns how many buffers, from the first on, fit into a limit of locked memory, which counts whole pages.
fn fitting(buffers: &[libc::iovec], limit_bytes: u64) -> usize {
    let page_bytes = rustix::param::page_size();
    let locked = buffers.iter().scan(0, |sum: &mut u64, buffer| {
        *sum += buffer.iov_len.next_multiple_of(page_bytes) as u64;
        Some(*sum)
    });
    locked.take_while(|sum| *sum <= limit_bytes).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_many_buffers_are_registered_as_may_be_locked() {
        let page = rustix::param::page_size();
        let lengths = [page, page + 1, 1];
        let buffers = lengths.map(|iov_len| libc::iovec { iov_base: std::ptr::null_mut(), iov_len });
        for (pages, expected) in [(0, 0), (1, 1), (2, 1), (3, 2), (4, 3), (5, 3)] {
            assert_eq!(fitting(&buffers, (pages * page) as u64), expected, "{pages} pages");
        }
    }
}
