//! Whole blocks of both files at given offsets, one after the other or with a thread that reads ahead.

use std::io;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use sys::thread_scope::scope;

use super::job::ConvertJob;
use super::kernel::{Kernel, units_of};
use super::stream::fill;
use crate::files::{Mapping, Notes, OpenFile, direct_alignment, no_thread, presize};

/// Input of one block, whose output is 1 MiB: a multiple of every alignment in use.
const BLOCK_BYTES: usize = 512 << 10;

/// Both files, and how they want to be read and written.
pub(super) struct Blocks<'job> {
    pub(super) job: &'job ConvertJob,
    pub(super) kernel: Kernel,
    pub(super) source: &'job OpenFile<'job>,
    pub(super) destination: &'job OpenFile<'job>,
    /// Size of the source, which must not be 0.
    pub(super) bytes: u64,
    /// What offsets, lengths and memory must be multiples of; 1 where the file cache takes anything.
    pub(super) alignment: usize,
}

/// A block with the offset in the source where it was read.
struct Filled {
    block: Mapping,
    offset: u64,
}

impl Blocks<'_> {
    /// Reads, converts and writes one block after the other.
    pub(super) fn in_turn(&self) -> io::Result<()> {
        let mut from = self.input()?;
        let mut to = self.output()?;
        let mut offset = 0;
        while offset < self.bytes {
            self.read(&mut from, offset)?;
            self.write(&from, &mut to, offset)?;
            offset += BLOCK_BYTES as u64;
        }
        Ok(())
    }

    /// Has a second thread read a block while this one converts and writes the block before.
    pub(super) fn double_buffered(&self, notes: &mut Notes) -> io::Result<()> {
        if self.bytes <= BLOCK_BYTES as u64 {
            notes.push("fell back: one thread, since the source is one block of up to 512 KiB".into());
            return self.in_turn();
        }
        scope(|scope| {
            let (give_back, empty) = channel();
            let (hand_over, filled) = channel();
            for _ in 0..2 {
                // The receiver lives in this scope: a block can always be sent.
                let _ = give_back.send(self.input()?);
            }
            let named = thread::Builder::new().name("reader".into());
            let reading = scope.spawn(named, move || self.read_all(&empty, &hand_over)).map_err(no_thread)?;
            let written = self.write_all(&filled, &give_back);
            // The reader ends when its blocks are not taken and none comes back.
            drop((filled, give_back));
            let read = reading.join();
            written.and(read)
        })
    }

    fn read_all(&self, empty: &Receiver<Mapping>, hand_over: &Sender<Filled>) -> io::Result<()> {
        for offset in (0..self.bytes).step_by(BLOCK_BYTES) {
            // The other end is gone when converting or writing failed: that error is the one to report.
            let Ok(mut block) = empty.recv() else { return Ok(()) };
            self.read(&mut block, offset)?;
            if hand_over.send(Filled { block, offset }).is_err() {
                return Ok(());
            }
        }
        Ok(())
    }

    fn write_all(&self, filled: &Receiver<Filled>, give_back: &Sender<Mapping>) -> io::Result<()> {
        let mut to = self.output()?;
        for Filled { block, offset } in filled {
            self.write(&block, &mut to, offset)?;
            // The reader has ended when it takes no block back.
            let _ = give_back.send(block);
        }
        Ok(())
    }

    /// Room for the input of a block, or for all of a short source.
    fn input(&self) -> io::Result<Mapping> {
        Mapping::buffer(self.padded(self.length_at(0)))
    }

    /// Room for the output of a block.
    fn output(&self) -> io::Result<Mapping> {
        Mapping::buffer(self.padded(2 * self.length_at(0)))
    }

    fn read(&self, block: &mut [u8], offset: u64) -> io::Result<()> {
        fill(self.source, block, self.length_at(offset), offset)
    }

    /// Converts and writes a block. The last one of a file is padded to the alignment.
    fn write(&self, from: &[u8], to: &mut [u8], offset: u64) -> io::Result<()> {
        let length = self.length_at(offset);
        let padded = self.padded(2 * length);
        self.job.convert(self.kernel, offset, &from[..length], units_of(&mut to[..2 * length]))?;
        to[2 * length..padded].fill(0);
        self.destination.write_all_at(&to[..padded], 2 * offset)
    }

    fn length_at(&self, offset: u64) -> usize {
        (self.bytes - offset).min(BLOCK_BYTES as u64) as usize
    }

    fn padded(&self, bytes: usize) -> usize {
        bytes.next_multiple_of(self.alignment)
    }
}

/// Converts past the file cache: both files are opened so, and `convert_blocks` is one of the ways above. With
/// `write_through`, a write ends when its data is on the device.
pub(super) fn convert_direct(
    job: &ConvertJob,
    write_through: bool,
    notes: &mut Notes,
    convert_blocks: impl FnOnce(&Blocks, &mut Notes) -> io::Result<()>,
) -> io::Result<()> {
    let source = OpenFile::open_direct(&job.source)?;
    let destination = job.output(OpenFile::create_direct(&job.destination, write_through)?);
    let alignment = direct_alignment(&source, BLOCK_BYTES)?.max(direct_alignment(&destination, BLOCK_BYTES)?);
    let bytes = source.size_bytes()?;
    if bytes > 0 {
        let padded = (2 * bytes).next_multiple_of(alignment as u64);
        presize(&destination, padded, notes)?;
        let kernel = job.kernel();
        let (source, destination) = (&source, &*destination);
        convert_blocks(&Blocks { job, kernel, source, destination, bytes, alignment }, notes)?;
        // Takes away what the last block was padded with.
        if padded > 2 * bytes {
            destination.set_length(2 * bytes)?;
        }
    }
    destination.finish(job.durable)
}
