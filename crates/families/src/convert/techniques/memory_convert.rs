use std::hint::black_box;
use std::io;

use model::Proof;

use crate::contract::Repeat;
use crate::convert::kernel::{Kernel, Unit, bytes_of};
use crate::convert::prelude::*;
use crate::files::{BEFORE, BufferPair, digest_of, fill_from};

pub(super) const MEMORY_CONVERT: Technique<ConvertJob> = Technique {
    name: "memory_convert",
    idea: "as many bytes converted from one buffer into another, both present before the clock: no files at all",
    source: "a loop over memory",
    calls: &["!read", "!write"],
    ceiling: true,
    ..Technique::usual(|job| {
        let buffers = BufferPair::new("a buffer", job.bytes, Unit::new(u16::MAX))?;
        Ok(Box::new(MemoryConvert { job, kernel: job.kernel(), buffers }))
    })
};

struct MemoryConvert<'job> {
    job: &'job ConvertJob,
    kernel: Kernel,
    buffers: BufferPair<Unit>,
}

impl MemoryConvert<'_> {
    fn convert(&mut self) -> io::Result<()> {
        let BufferPair { from, to, .. } = &mut self.buffers;
        self.job.convert(self.kernel, 0, black_box(&*from), black_box(to)).map(|_| ())
    }
}

impl Repeat for MemoryConvert<'_> {
    fn repeat(&mut self, times: u64) -> io::Result<()> {
        for _ in 0..times {
            self.convert()?;
        }
        Ok(())
    }

    /// Checks the timed conversion, then sends the file's bytes the same way.
    fn proof(&mut self) -> io::Result<Proof> {
        // SAFETY: all units were written before the clock.
        let units = unsafe { bytes_of(&self.buffers.to) }.chunks_exact(2);
        if units.into_iter().all(|unit| unit == [BEFORE, 0]) {
            fill_from(&self.job.source, &mut self.buffers.from)?;
            self.convert()?;
        }
        // SAFETY: all units were written, before the clock or in it.
        let bytes = unsafe { bytes_of(&self.buffers.to) };
        let proof = Proof { bytes: bytes.len() as u64, digest: digest_of(bytes) };
        self.buffers.reset();
        Ok(proof)
    }
}
