use std::io;
use std::path::PathBuf;

use model::Proof;

use crate::copy::prelude::*;
use crate::files::{RunningProof, fill_from, in_memory, is_copied};

pub(super) const MEMORY_COPY: Technique<CopyJob> = Technique {
    name: "memory_copy",
    idea: "as many bytes copied from one buffer to another, both present before the clock: a copy without files",
    source: "memcpy(3)",
    calls: &["!read", "!write"],
    ceiling: true,
    ..Technique::usual(|job| {
        let copy = |from: &[u8], to: &mut [u8]| {
            to.copy_from_slice(from);
            Ok(())
        };
        let prove = |copied: &[u8]| Ok(proof_of(job, copied));
        in_memory(job.bytes, 0xff, copy, is_copied, |room| fill(job, room), prove)
    })
};

/// Returns the files, and the bytes of each: all have as many.
fn files_of(job: &CopyJob) -> (Vec<&PathBuf>, usize) {
    let paths: Vec<&PathBuf> = match &job.many {
        Some(files) => files.iter().map(|file| &file.source).collect(),
        None => vec![&job.source],
    };
    let each = job.bytes as usize / paths.len().max(1);
    (paths, each)
}

fn fill(job: &CopyJob, room: &mut [u8]) -> io::Result<()> {
    let (paths, each) = files_of(job);
    paths.iter().enumerate().try_for_each(|(nth, path)| fill_from(path, &mut room[nth * each..][..each]))
}

fn proof_of(job: &CopyJob, copied: &[u8]) -> Proof {
    let (paths, each) = files_of(job);
    let mut proof = RunningProof::default();
    for (nth, path) in paths.into_iter().enumerate() {
        if job.many.is_some() {
            proof.begin_file(path.file_name().unwrap_or_default(), Some(each as u64));
        }
        proof.add(&copied[nth * each..][..each]);
    }
    proof.end()
}
