use std::io;

use model::Proof;

use crate::contract::Repeat;
use crate::files::{BufferPair, fill_from};
use crate::sort::prelude::*;
use crate::sort::proof::proof_once_sorted_of;

pub(in crate::sort) const MEMORY_COPY: Technique<SortJob> = Technique {
    name: "memory_copy",
    idea: "as many bytes copied from one buffer to another, both present before the clock: every record is moved at \
           least once",
    source: "memcpy(3)",
    calls: &["only mmap|munmap|madvise|brk|mremap"],
    ceiling: true,
    ..Technique::usual(|job| {
        let buffers = BufferPair::new("a second buffer", job.bytes, 0xff)?;
        Ok(Box::new(MemoryCopy { job, buffers }))
    })
};

struct MemoryCopy<'job> {
    job: &'job SortJob,
    buffers: BufferPair<u8>,
}

impl Repeat for MemoryCopy<'_> {
    fn repeat(&mut self, times: u64) -> io::Result<()> {
        for _ in 0..times {
            self.buffers.copy();
        }
        Ok(())
    }

    /// Checks the timed copy, then sends the file's records the same way.
    fn proof(&mut self) -> io::Result<Proof> {
        let Self { job, buffers } = self;
        if !buffers.is_copied() {
            return Ok(proof_once_sorted_of(&buffers.to, job.layout));
        }
        fill_from(&job.input, &mut buffers.from)?;
        buffers.copy();
        let proof = proof_once_sorted_of(&buffers.to, job.layout);
        buffers.reset();
        Ok(proof)
    }
}
