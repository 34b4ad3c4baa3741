use std::fs::File;
use std::hint::black_box;
use std::io::{self, Read};

use model::Proof;

use crate::contract::Repeat;
use crate::convert::kernel::{Kernel, Unit, bytes_of};
use crate::convert::prelude::*;
use crate::files::{at, digest_of, filled};

pub(super) const MEMORY_CONVERT: Technique<ConvertJob> = Technique {
    name: "memory_convert",
    idea: "as many bytes converted from one buffer into another, both present before the clock: no files at all",
    source: "a loop over memory",
    calls: &["!read", "!write"],
    ceiling: true,
    ..Technique::usual(|job| Ok(Box::new(MemoryConvert::new(job)?)))
};

struct MemoryConvert<'job> {
    job: &'job ConvertJob,
    kernel: Kernel,
    from: Vec<u8>,
    to: Vec<Unit>,
}

/// Bytes before the clock: no zeros, of which the system might keep one page for all.
const BEFORE: u8 = b'b';
const UNTOUCHED: Unit = Unit::new(u16::MAX);

impl<'job> MemoryConvert<'job> {
    fn new(job: &'job ConvertJob) -> io::Result<Self> {
        let units = usize::try_from(job.bytes).unwrap_or(usize::MAX);
        let (from, to) = (filled("a buffer", units, BEFORE)?, filled("a buffer", units, UNTOUCHED)?);
        Ok(Self { job, kernel: job.kernel(), from, to })
    }

    fn convert(&mut self) -> io::Result<()> {
        self.job.convert(self.kernel, 0, black_box(&self.from), black_box(&mut self.to)).map(|_| ())
    }
}

impl Repeat for MemoryConvert<'_> {
    fn repeat(&mut self, times: u64) -> io::Result<()> {
        for _ in 0..times {
            self.convert()?;
        }
        Ok(())
    }

    /// Checks the timed conversion, then sends the file's bytes the same way: read before, they would warm a cold cache.
    fn proof(&mut self) -> io::Result<Proof> {
        // SAFETY: all units were written before the clock.
        let units = unsafe { bytes_of(&self.to) }.chunks_exact(2);
        if units.into_iter().all(|unit| unit == [BEFORE, 0]) {
            let path = &self.job.source;
            let mut file = File::open(path).map_err(at("open", path))?;
            file.read_exact(&mut self.from).map_err(at("read", path))?;
            self.convert()?;
        }
        // SAFETY: all units were written, before the clock or in it.
        let bytes = unsafe { bytes_of(&self.to) };
        let proof = Proof { bytes: bytes.len() as u64, digest: digest_of(bytes) };
        self.from.fill(BEFORE);
        self.to.fill(UNTOUCHED);
        Ok(proof)
    }
}
