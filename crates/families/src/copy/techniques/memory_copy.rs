use std::io;
use std::path::PathBuf;

use model::Proof;

use crate::contract::Repeat;
use crate::copy::prelude::*;
use crate::files::{BufferPair, RunningProof, digest_of, fill_from};

pub(super) const MEMORY_COPY: Technique<CopyJob> = Technique {
    name: "memory_copy",
    idea: "as many bytes copied from one buffer to another, both present before the clock: a copy without files",
    source: "memcpy(3)",
    calls: &["!read", "!write"],
    ceiling: true,
    ..Technique::usual(|job| {
        let buffers = BufferPair::new("a second buffer", job.bytes, 0xff)?;
        Ok(Box::new(MemoryCopy { job, buffers }))
    })
};

struct MemoryCopy<'job> {
    job: &'job CopyJob,
    buffers: BufferPair<u8>,
}

impl MemoryCopy<'_> {
    fn proof_of_copy(&self, paths: &[&PathBuf], lengths: &[usize]) -> Proof {
        let mut proof = RunningProof::default();
        let mut left = &self.buffers.to[..];
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
}

impl Repeat for MemoryCopy<'_> {
    fn repeat(&mut self, times: u64) -> io::Result<()> {
        for _ in 0..times {
            self.buffers.copy();
        }
        Ok(())
    }

    /// Checks the timed copy, then sends the files' bytes the same way.
    fn proof(&mut self) -> io::Result<Proof> {
        if !self.buffers.is_copied() {
            return Ok(Proof { bytes: self.job.bytes, digest: digest_of(&self.buffers.to) });
        }
        let alone = [&self.job.source];
        let files = self.job.files().iter().map(|file| &file.source);
        let paths: Vec<&PathBuf> = if self.job.many.is_some() { files.collect() } else { alone.to_vec() };
        let mut lengths = Vec::with_capacity(paths.len());
        let mut left = &mut self.buffers.from[..];
        for path in &paths {
            let bytes = path.metadata().map_err(at("look at", path))?.len();
            let (own, others) = left.split_at_mut(left.len().min(bytes as usize));
            fill_from(path, own)?;
            lengths.push(own.len());
            left = others;
        }
        self.buffers.copy();
        let proof = self.proof_of_copy(&paths, &lengths);
        self.buffers.reset();
        Ok(proof)
    }
}
