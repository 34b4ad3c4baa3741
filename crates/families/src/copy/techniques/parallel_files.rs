use std::sync::atomic::{AtomicUsize, Ordering};

use crate::copy::prelude::*;

pub(super) const PARALLEL_FILES: Technique<CopyJob> = Technique {
    name: "parallel_files",
    idea: "one thread a processor with a buffer of its own: each takes the next file, reads it and writes it",
    source: "xcp, driver parfile",
    calls: &["clone3|clone", "read", "write"],
    suits: many_files_only,
    ..Technique::usual(|job| job.done_by(copy))
};

fn copy(job: &CopyJob, notes: &mut Notes) -> io::Result<()> {
    let processors = job.processors();
    let threads = processors.min(job.files().len());
    notes.extend(fewer_threads(threads, processors, "there are no more files"));
    let next = AtomicUsize::new(0);
    job.in_new_folder(|| in_parallel(vec![(); threads], |()| copy_in_turn(job, &next)).map(drop))
}

fn copy_in_turn(job: &CopyJob, next: &AtomicUsize) -> io::Result<()> {
    let mut buffer = Buffer::of_at_most(256 << 10);
    while let Some(file) = job.files().get(next.fetch_add(1, Ordering::Relaxed)) {
        let copied = copy_one(job.one_of(file), &mut buffer);
        if copied.is_err() {
            // The other threads end with the file at hand.
            next.store(job.files().len(), Ordering::Relaxed);
            return copied;
        }
    }
    Ok(())
}

fn copy_one(file: FileToCopy<'_>, buffer: &mut Buffer) -> io::Result<()> {
    let source = OpenFile::open(file.source)?;
    let destination = OpenFile::create(file.destination)?;
    pour(&source, &destination, buffer.for_file(&source)?)?;
    file.finish(destination)
}
