use std::fs::File;
use std::hint::black_box;
use std::io::{self, Read};
use std::path::PathBuf;

use model::Proof;

use crate::contract::Repeat;
use crate::copy::prelude::*;
use crate::files::{RunningProof, digest_of, filled};

pub(super) const MEMORY_COPY: Technique<CopyJob> = Technique {
    name: "memory_copy",
    idea: "as many bytes copied from one buffer to another, both present before the clock: a copy without files",
    source: "memcpy(3)",
    calls: &["!read", "!write"],
    ceiling: true,
    ..Technique::usual(|job| Ok(Box::new(MemoryCopy::new(job)?)))
};

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
        let [from, to] = [BEFORE, 0xff].map(|value| filled("a second buffer", bytes, value));
        Ok(Self { job, from: from?, to: to? })
    }

    fn proof_of_copy(&self, paths: &[&PathBuf], lengths: &[usize]) -> Proof {
        let mut proof = RunningProof::default();
        let mut left = &self.to[..];
        for (path, &length) in paths.iter().zip(lengths) {
            let (own, others) = left.split_at(length);
            if self.job.many.is_some() {
                proof.begin_file(path.file_name().unwrap_or_default(), Some(length as u64));
            }
            proof.add(own);
            left = others;
        }
        proof.end()
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

    /// Checks the timed copy, then sends the file's bytes the same way: read before, they would warm a cold cache.
    fn proof(&mut self) -> io::Result<Proof> {
        if self.to.iter().any(|&byte| byte != BEFORE) {
            return Ok(Proof { bytes: self.job.bytes, digest: digest_of(&self.to) });
        }
        let alone = [&self.job.source];
        let files = self.job.files().iter().map(|file| &file.source);
        let paths: Vec<&PathBuf> = if self.job.many.is_some() { files.collect() } else { alone.to_vec() };
        let mut lengths = Vec::with_capacity(paths.len());
        let mut left = &mut self.from[..];
        for path in &paths {
            let mut file = File::open(path).map_err(at("open", path))?;
            let bytes = file.metadata().map_err(at("look at", path))?.len();
            let (own, others) = left.split_at_mut(left.len().min(bytes as usize));
            file.read_exact(own).map_err(at("read", path))?;
            lengths.push(own.len());
            left = others;
        }
        self.copy();
        let proof = self.proof_of_copy(&paths, &lengths);
        self.from.fill(BEFORE);
        self.to.fill(0xff);
        Ok(proof)
    }
}
