use std::fs::File;
use std::hint::black_box;
use std::io::{self, Read};

use model::Proof;

use crate::contract::Repeat;
use crate::files::{at, filled};
use crate::sort::prelude::*;
use crate::sort::proof::proof_once_sorted_of;

pub(in crate::sort) const MEMORY_COPY: Technique<SortJob> = Technique {
    name: "memory_copy",
    idea: "as many bytes copied from one buffer to another, both present before the clock: every record is moved at \
           least once",
    source: "memcpy(3)",
    calls: &["only mmap|munmap|madvise|brk|mremap"],
    ceiling: true,
    ..Technique::usual(|job| Ok(Box::new(MemoryCopy::new(job)?)))
};

struct MemoryCopy<'job> {
    job: &'job SortJob,
    from: Vec<u8>,
    to: Vec<u8>,
}

/// Bytes before the clock: no zeros, of which the system might keep one page for all.
const BEFORE: u8 = b'b';

impl<'job> MemoryCopy<'job> {
    fn new(job: &'job SortJob) -> io::Result<Self> {
        let bytes = usize::try_from(job.bytes).unwrap_or(usize::MAX);
        let what = "a second buffer";
        Ok(Self { job, from: filled(what, bytes, BEFORE)?, to: filled(what, bytes, 0xff)? })
    }

    fn copy(&mut self) {
        black_box(&mut self.to).copy_from_slice(black_box(&self.from));
    }
}

impl Repeat for MemoryCopy<'_> {
    fn repeat(&mut self, times: u64) -> io::Result<()> {
        for _ in 0..times {
            self.copy();
        }
        Ok(())
    }

    /// Checks the timed copy, then sends the file's records the same way: read before, they would warm a cold cache.
    fn proof(&mut self) -> io::Result<Proof> {
        if self.to.iter().any(|&byte| byte != BEFORE) {
            return Ok(proof_once_sorted_of(&self.to, self.job.layout));
        }
        let path = &self.job.input;
        let mut file = File::open(path).map_err(at("open", path))?;
        file.read_exact(&mut self.from).map_err(at("read", path))?;
        self.copy();
        let proof = proof_once_sorted_of(&self.to, self.job.layout);
        self.from.fill(BEFORE);
        self.to.fill(0xff);
        Ok(proof)
    }
}
