//! The limit: as many bytes from memory to memory, and no file at all.

use std::fs::File;
use std::hint::black_box;
use std::io::{self, Read};

use model::Proof;

use crate::contract::{Repeat, Technique};
use crate::copy::job::CopyJob;
use crate::files::{at, digest_of};

pub(super) const MEMORY_COPY: Technique<CopyJob> = Technique {
    name: "memory_copy",
    idea: "as many bytes copied from one buffer to another, both present before the clock: a copy without files",
    source: "memcpy(3)",
    ceiling: true,
    ..Technique::usual(|job| Ok(Box::new(MemoryCopy::new(job)?)))
};

/// Two buffers whose pages are all present. The clock sees one copy between them.
struct MemoryCopy<'job> {
    job: &'job CopyJob,
    from: Vec<u8>,
    to: Vec<u8>,
}

/// Bytes before the clock: no zeros, of which the system might keep one page for all.
const BEFORE: u8 = b'b';

impl<'job> MemoryCopy<'job> {
    fn new(job: &'job CopyJob) -> io::Result<Self> {
        let bytes = usize::try_from(job.bytes).unwrap_or(usize::MAX);
        Ok(Self { job, from: filled(bytes, BEFORE)?, to: filled(bytes, 0xff)? })
    }

    fn copy(&mut self) {
        black_box(&mut self.to).copy_from_slice(black_box(&self.from));
    }
}

fn filled(bytes: usize, value: u8) -> io::Result<Vec<u8>> {
    let mut buffer = Vec::new();
    buffer.try_reserve_exact(bytes).map_err(|_| {
        let size = model::format_bytes(bytes as u64);
        io::Error::new(io::ErrorKind::OutOfMemory, format!("no memory for a second buffer of {size}"))
    })?;
    buffer.resize(bytes, value);
    Ok(buffer)
}

impl Repeat for MemoryCopy<'_> {
    fn repeat(&mut self, times: u64) -> io::Result<()> {
        for _ in 0..times {
            self.copy();
        }
        Ok(())
    }

    /// Sees that the timed copy arrived, then sends the file's bytes the same way: reading the file before
    /// the clock would warm a cache that is to be cold.
    fn proof(&mut self) -> io::Result<Proof> {
        if self.to.iter().any(|&byte| byte != BEFORE) {
            return Ok(Proof { bytes: self.job.bytes, digest: digest_of(&self.to) });
        }
        let path = &self.job.source;
        let mut file = File::open(path).map_err(at("open", path))?;
        file.read_exact(&mut self.from).map_err(at("read", path))?;
        self.copy();
        let proof = Proof { bytes: self.to.len() as u64, digest: digest_of(&self.to) };
        self.from.fill(BEFORE);
        self.to.fill(0xff);
        Ok(proof)
    }
}
