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
        let buffers = ("a second buffer", job.bytes);
        in_memory(buffers, 0xff, copy, is_copied, |room| fill(job, room), |copied| proof_of(job, copied))
    })
};

/// Returns the files with the bytes of each.
fn files_of(job: &CopyJob) -> io::Result<Vec<(&PathBuf, usize)>> {
    let paths: Vec<&PathBuf> = match &job.many {
        Some(files) => files.iter().map(|file| &file.source).collect(),
        None => vec![&job.source],
    };
    let mut files = Vec::new();
    for path in paths {
        files.push((path, path.metadata().map_err(at("look at", path))?.len() as usize));
    }
    Ok(files)
}

fn fill(job: &CopyJob, mut room: &mut [u8]) -> io::Result<()> {
    for (path, bytes) in files_of(job)? {
        let (own, others) = room.split_at_mut(bytes.min(room.len()));
        fill_from(path, own)?;
        room = others;
    }
    Ok(())
}

fn proof_of(job: &CopyJob, mut copied: &[u8]) -> io::Result<Proof> {
    let mut proof = RunningProof::default();
    for (path, bytes) in files_of(job)? {
        let (own, others) = copied.split_at(bytes.min(copied.len()));
        if job.many.is_some() {
            proof.begin_file(path.file_name().unwrap_or_default(), Some(own.len() as u64));
        }
        proof.add(own);
        copied = others;
    }
    Ok(proof.end())
}
