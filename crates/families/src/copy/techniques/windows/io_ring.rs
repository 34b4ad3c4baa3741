//! Many reads and writes in flight through a ring of submissions and completions.

use std::io;

use windows_sys::Win32::Storage::FileSystem::FILE_FLAG_OVERLAPPED;

use crate::contract::Technique;
use crate::copy::job::{CopyJob, Notes};
use crate::copy::workload::one_file_only;
use crate::files::{Mapping, OpenFile, Piece, Ring, Use, tried_once};

pub(in crate::copy) const IO_RING: Technique<CopyJob> = Technique {
    name: "io_ring",
    idea: "IoRing: 16 blocks of 256 KiB in flight, each read and then written, many of them handed over in one call",
    source: "Microsoft, ioringapi.h; Yarden Shafir, One Year to I/O Ring",
    needs: "Windows 11 22H2 or later, for IoRing",
    probe: |_, setting| tried_once(setting, "IoRing cannot be used", 1, copy),
    suits: |workload| one_file_only(workload, "no two blocks of a small one are in flight"),
    ..Technique::usual(|job| job.done_by(copy))
};

const DEPTH: usize = 16;
const BLOCK_BYTES: usize = 256 << 10;

fn copy(job: &CopyJob, _notes: &mut Notes) -> io::Result<()> {
    // Without this flag the system would wait for each piece of work before it takes the next.
    let source = OpenFile::open_with(&job.source, Use::Read, FILE_FLAG_OVERLAPPED)?;
    let destination = OpenFile::open_with(&job.destination, Use::Create, FILE_FLAG_OVERLAPPED)?;
    let bytes = source.size_bytes()?;
    if bytes > 0 {
        destination.set_length(bytes)?;
        let count = bytes.div_ceil(BLOCK_BYTES as u64).min(DEPTH as u64) as usize;
        let buffer = Mapping::buffer(count * BLOCK_BYTES)?;
        let ring = Ring::new(DEPTH as u32).map_err(source.at("copy through a ring"))?;
        let blocks = vec![Block::default(); count];
        Transfer { ring, buffer, source: &source, destination: &destination, blocks, bytes, next: 0 }
            .run()?;
    }
    destination.finish(job.durable)
}

#[derive(Debug, Clone, Copy, Default)]
struct Block {
    offset: u64,
    wanted: u32,
    writing: bool,
}

/// The ring stands first: it is dropped, and with it everything in flight has ended, before its memory.
struct Transfer<'files> {
    ring: Ring,
    buffer: Mapping,
    source: &'files OpenFile<'files>,
    destination: &'files OpenFile<'files>,
    blocks: Vec<Block>,
    bytes: u64,
    next: u64,
}

impl Transfer<'_> {
    fn run(&mut self) -> io::Result<()> {
        for index in 0..self.blocks.len() {
            self.read_next(index)?;
        }
        while self.ring.in_flight() > 0 {
            let ended = self.ring.wait().map_err(self.destination.at("copy through a ring to"))?;
            let Block { wanted, writing, .. } = self.blocks[ended.mark];
            if ended.moved != wanted as usize {
                return Err(self.source.at("a short piece of")(io::Error::from(
                    io::ErrorKind::UnexpectedEof,
                )));
            }
            if writing { self.read_next(ended.mark)? } else { self.start(ended.mark, true)? }
        }
        Ok(())
    }

    fn read_next(&mut self, index: usize) -> io::Result<()> {
        if self.next >= self.bytes {
            return Ok(());
        }
        let wanted = (self.bytes - self.next).min(BLOCK_BYTES as u64) as u32;
        self.blocks[index] = Block { offset: self.next, wanted, writing: false };
        self.next += u64::from(wanted);
        self.start(index, false)
    }

    fn start(&mut self, index: usize, writing: bool) -> io::Result<()> {
        let block = &mut self.blocks[index];
        block.writing = writing;
        let file = if writing { self.destination } else { self.source };
        let piece = Piece {
            file: file.handle(),
            memory: self.buffer.address_of(index * BLOCK_BYTES),
            bytes: block.wanted,
            offset: block.offset,
            mark: index,
        };
        // SAFETY: the files outlive the ring, which is dropped before the buffer; a block's part of the buffer is
        // used by one piece of work at a time.
        let started = unsafe { if writing { self.ring.write(&piece) } else { self.ring.read(&piece) } };
        started.map_err(file.at("copy through a ring"))
    }
}
