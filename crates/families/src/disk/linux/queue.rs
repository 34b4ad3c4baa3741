//! Many pieces in flight, over io_uring with the file and the buffers registered.

use std::io;

use io_uring::types::Fixed;
use io_uring::{IoUring, opcode, squeue};

use crate::disk::buffer_room::MOST_IN_FLIGHT;
use crate::disk::job::Notes;
use crate::disk::pieces::Piece;
use crate::files::{Buffer, OpenFile, is_passing, moved_by, register_buffers, ring_of_files};

/// A transfer of this many bytes takes many times as long as a call: each is handed over by itself, since the device would else have
/// less to do until what has come together was looked at. Smaller ones are handed over together.
const LARGE_BYTES: usize = 256 << 10;

/// The file, as the ring knows it.
const FILE: Fixed = Fixed(0);

#[derive(Clone, Copy)]
struct Transfer {
    piece: Piece,
    /// Where its memory begins among the buffers.
    start: usize,
    moved: usize,
}

pub(in crate::disk) struct Queue<'file> {
    ring: IoUring,
    file: &'file OpenFile<'file>,
    /// Address of the first byte of the buffers. The kernel reads and writes through it while the program holds no reference to
    /// the bytes in flight.
    memory: *mut u8,
    is_write: bool,
    /// Whether the memory is registered, as one buffer.
    is_registered: bool,
    slots: Vec<Option<Transfer>>,
    pub(in crate::disk) in_flight: usize,
}

impl Queue<'_> {
    fn push(&mut self, slot: usize, transfer: Transfer) -> io::Result<()> {
        self.slots[slot] = Some(transfer);
        let Transfer { piece, start, moved } = transfer;
        // SAFETY: the piece lies inside the buffers, behind what was moved.
        let address = unsafe { self.memory.add(start + moved) };
        let offset = piece.offset + moved as u64;
        // An entry has 32 bits for its length: what is left goes on when this has ended.
        let bytes = (piece.bytes - moved).min(1 << 30) as u32;
        let entry = self.entry(address, bytes, offset).user_data(slot as u64);
        // SAFETY: the memory of a slot is not touched before its end has come, and outlives the queue.
        let pushed = unsafe { self.ring.submission().push(&entry) };
        pushed.map_err(|_| io::Error::other("the ring is full"))?;
        self.in_flight += 1;
        Ok(())
    }

    fn entry(&self, address: *mut u8, bytes: u32, offset: u64) -> squeue::Entry {
        match (self.is_write, self.is_registered) {
            (false, true) => opcode::ReadFixed::new(FILE, address, bytes, 0).offset(offset).build(),
            (false, false) => opcode::Read::new(FILE, address, bytes).offset(offset).build(),
            (true, true) => opcode::WriteFixed::new(FILE, address, bytes, 0).offset(offset).build(),
            (true, false) => opcode::Write::new(FILE, address, bytes).offset(offset).build(),
        }
    }

    /// Hands over what was begun and waits for this many ends. Without any, what the kernel cannot take now is left for the next time.
    fn hand_over(&mut self, ends: usize) -> io::Result<()> {
        loop {
            match self.ring.submit_and_wait(ends) {
                Err(error) if is_passing(&error) && ends == 0 => return Ok(()),
                Err(error) if is_passing(&error) => {}
                Err(error) => return Err(self.file.at("io_uring_enter for")(error)),
                Ok(_) => return Ok(()),
            }
        }
    }

    /// The next piece that was moved whole; `None` when no further end has come. What was moved in part goes on.
    fn next_done(&mut self) -> io::Result<Option<(usize, Piece)>> {
        loop {
            let Some(ended) = self.ring.completion().next() else { return Ok(None) };
            self.in_flight -= 1;
            let slot = ended.user_data() as usize;
            let step = if self.is_write { "write with io_uring" } else { "read with io_uring" };
            let moved = match moved_by(ended.result()) {
                Ok(0) => return Err(self.file.at(step)(io::Error::from(io::ErrorKind::UnexpectedEof))),
                moved => moved.map_err(self.file.at(step))?,
            };
            let lost = || io::Error::other("io_uring reported the end of what was never begun");
            let mut transfer = self.slots.get_mut(slot).and_then(Option::take).ok_or_else(lost)?;
            transfer.moved += moved;
            if transfer.moved >= transfer.piece.bytes {
                return Ok(Some((slot, transfer.piece)));
            }
            self.push(slot, transfer)?;
        }
    }
}

impl<'file> Queue<'file> {
    /// Opens a queue of reads or of writes of pieces that lie in this many slots of the memory.
    pub(in crate::disk) fn open(
        file: &'file OpenFile<'file>, memory: &Buffer, slots: usize, is_write: bool, notes: &mut Notes,
    ) -> io::Result<Self> {
        // With a spare slot there are more slots than pieces in flight.
        let entries = (slots.next_power_of_two() as u64).min(MOST_IN_FLIGHT);
        let ring = ring_of_files(entries as u32, [file], notes)?;
        let address = memory.address_of(0);
        let whole = libc::iovec { iov_base: address.cast(), iov_len: memory.len() };
        // SAFETY: the memory outlives the queue in both callers, and `drop` waits for all that is in flight.
        let is_registered = unsafe { register_buffers(&ring, &[whole], notes) };
        let slots = vec![None; slots];
        Ok(Self { ring, file, memory: address, is_write, is_registered, slots, in_flight: 0 })
    }

    /// Begins the transfer of a piece, whose memory begins at `start` among the buffers.
    pub(in crate::disk) fn begin(&mut self, slot: usize, piece: Piece, start: usize) -> io::Result<()> {
        self.push(slot, Transfer { piece, start, moved: 0 })?;
        if piece.bytes >= LARGE_BYTES { self.hand_over(0) } else { Ok(()) }
    }

    /// Waits for at least one end, and adds the slots and pieces that were moved whole.
    pub(in crate::disk) fn add_ended(&mut self, ended: &mut Vec<(usize, Piece)>) -> io::Result<()> {
        self.hand_over(1)?;
        while let Some(done) = self.next_done()? {
            ended.push(done);
        }
        Ok(())
    }
}

impl Drop for Queue<'_> {
    /// After an error others may still be in flight: their memory must outlive them. The kernel takes a ring apart some time after
    /// it was closed, and what is registered until then takes room next to the memory of the next phase.
    fn drop(&mut self) {
        while self.in_flight > 0 && self.hand_over(1).is_ok() {
            while self.ring.completion().next().is_some() {
                self.in_flight -= 1;
            }
        }
        if self.is_registered {
            // One that cannot do it now does so later.
            let _ = self.ring.submitter().unregister_buffers();
        }
    }
}
