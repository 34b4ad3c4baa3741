//! Whole blocks of both files at given offsets, one after the other or with a thread that reads ahead.

use std::io;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::Builder;

use sys::thread_scope::scope;

use super::pieces::Change;
use crate::files::{Mapping, OpenFile, fill, no_thread};

pub(crate) struct Blocks<'job> {
    pub(crate) source: &'job OpenFile<'job>,
    pub(crate) destination: &'job OpenFile<'job>,
    pub(crate) bytes: u64,
    pub(crate) block_bytes: usize,
    /// The alignment of offsets, lengths and memory; 1 where the file cache takes anything.
    pub(crate) alignment: usize,
    pub(crate) change: Option<Change<'job>>,
}

struct Filled {
    block: Mapping,
    offset: u64,
}

impl Blocks<'_> {
    pub(crate) fn in_turn(&self) -> io::Result<()> {
        let mut block = self.input()?;
        let mut output = self.output()?;
        for offset in (0..self.bytes).step_by(self.block_bytes) {
            self.read(&mut block, offset)?;
            self.write(&mut block, output.as_deref_mut(), offset)?;
        }
        Ok(())
    }

    /// Has a second thread read ahead where there is more than one block.
    pub(crate) fn double_buffered(&self, notes: &mut Vec<String>) -> io::Result<()> {
        if self.bytes <= self.block_bytes as u64 {
            let block = model::format_bytes(self.block_bytes as u64);
            notes.push(format!("fell back: one thread, since the source is one block of up to {block}"));
            return self.in_turn();
        }
        scope(|scope| {
            let (give_back, empty) = channel();
            let (hand_over, filled) = channel();
            for _ in 0..self.bytes.div_ceil(self.block_bytes as u64).min(2) {
                // The receiver lives in this scope: a block can always be sent.
                let _ = give_back.send(self.input()?);
            }
            let reading =
                scope.spawn(Builder::new(), move || self.read_all(&empty, &hand_over)).map_err(no_thread)?;
            let written = self.write_all(&filled, &give_back);
            // The reader ends when its blocks are not taken and none comes back.
            drop((filled, give_back));
            let read = reading.join();
            written.and(read)
        })
    }

    fn read_all(&self, empty: &Receiver<Mapping>, hand_over: &Sender<Filled>) -> io::Result<()> {
        for offset in (0..self.bytes).step_by(self.block_bytes) {
            // The other end is gone when changing or writing failed: that error is the one to report.
            let Ok(mut block) = empty.recv() else { return Ok(()) };
            self.read(&mut block, offset)?;
            if hand_over.send(Filled { block, offset }).is_err() {
                return Ok(());
            }
        }
        Ok(())
    }

    fn write_all(&self, filled: &Receiver<Filled>, give_back: &Sender<Mapping>) -> io::Result<()> {
        let mut output = self.output()?;
        for Filled { mut block, offset } in filled {
            self.write(&mut block, output.as_deref_mut(), offset)?;
            // The reader has ended when it takes no block back.
            let _ = give_back.send(block);
        }
        Ok(())
    }

    fn input(&self) -> io::Result<Mapping> {
        Mapping::buffer(self.padded(self.length_at(0)))
    }

    fn output(&self) -> io::Result<Option<Mapping>> {
        self.change.is_some().then(|| Mapping::buffer(self.padded(2 * self.length_at(0)))).transpose()
    }

    fn read(&self, block: &mut [u8], offset: u64) -> io::Result<()> {
        fill(self.source, block, self.length_at(offset), offset)
    }

    /// Changes and writes a block. The last one of a file is padded to the alignment.
    fn write(&self, block: &mut [u8], output: Option<&mut [u8]>, offset: u64) -> io::Result<()> {
        let length = self.length_at(offset);
        let (growth, output) = match (&self.change, output) {
            (Some(change), Some(output)) => {
                change(offset, &block[..length], &mut output[..2 * length])?;
                (2, output)
            }
            _ => (1, block),
        };
        let padded = self.padded(growth * length);
        output[growth * length..padded].fill(0);
        self.destination.write_all_at(&output[..padded], growth as u64 * offset)
    }

    fn length_at(&self, offset: u64) -> usize {
        (self.bytes - offset).min(self.block_bytes as u64) as usize
    }

    fn padded(&self, bytes: usize) -> usize {
        bytes.next_multiple_of(self.alignment)
    }
}
