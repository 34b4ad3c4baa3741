//! What the techniques that pass the file cache share: files opened without it, and blocks of whole sectors.

use std::io;

use super::job::CopyJob;
use crate::files::{Mapping, OpenFile, direct_alignment};

/// A multiple of every alignment in use.
pub(super) const BLOCK_BYTES: usize = 1 << 20;

/// Both files, open past the cache.
pub(super) struct PastCache<'job> {
    pub(super) source: OpenFile<'job>,
    pub(super) destination: OpenFile<'job>,
    /// Size of the source.
    pub(super) bytes: u64,
    /// What offsets, lengths and memory must be multiples of.
    alignment: usize,
}

impl<'job> PastCache<'job> {
    /// Opens both files; every write waits for the device when it goes `through` as well.
    pub(super) fn open(job: &'job CopyJob, through: bool) -> io::Result<Self> {
        let source = OpenFile::open_direct(&job.source)?;
        let destination = OpenFile::create_direct(&job.destination, through)?;
        let alignment =
            direct_alignment(&source, BLOCK_BYTES)?.max(direct_alignment(&destination, BLOCK_BYTES)?);
        let bytes = source.size_bytes()?;
        Ok(Self { source, destination, bytes, alignment })
    }

    /// Memory for one block, no larger than the file needs it.
    pub(super) fn block(&self) -> io::Result<Mapping> {
        let needed = self.bytes.min(BLOCK_BYTES as u64) as usize;
        Mapping::buffer(needed.max(1).next_multiple_of(self.alignment))
    }

    /// Reads the block at `offset`; only the last one of a file may have a length that is not aligned.
    pub(super) fn read(&self, block: &mut [u8], offset: u64) -> io::Result<usize> {
        let count = self.source.read_at(block, offset)?;
        let is_last = offset + count as u64 >= self.bytes;
        match if is_last { count } else { count / self.alignment * self.alignment } {
            0 => Err(self.source.at("read past the cache")(io::Error::from(io::ErrorKind::UnexpectedEof))),
            usable => Ok(usable),
        }
    }

    /// Writes `count` bytes of the block. A tail is padded to the alignment; [`PastCache::finish`] cuts it off.
    pub(super) fn write(&self, block: &mut [u8], count: usize, offset: u64) -> io::Result<()> {
        let padded = count.next_multiple_of(self.alignment);
        block[count..padded].fill(0);
        self.destination.write_all_at(&block[..padded], offset)
    }

    /// Takes away what the last block was padded with, and closes the destination.
    pub(super) fn finish(self, durable: bool) -> io::Result<()> {
        if !self.bytes.is_multiple_of(self.alignment as u64) {
            self.destination.set_length(self.bytes)?;
        }
        self.destination.finish(durable)
    }
}

/// Copies block by block, one call after the other.
pub(super) fn copy_in_turn(job: &CopyJob, through: bool) -> io::Result<()> {
    let files = PastCache::open(job, through)?;
    let mut block = files.block()?;
    let mut offset = 0;
    while offset < files.bytes {
        let count = files.read(&mut block, offset)?;
        files.write(&mut block, count, offset)?;
        offset += count as u64;
    }
    drop(block);
    files.finish(job.durable)
}
