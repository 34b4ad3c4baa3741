use rustix::fs::OFlags;

use crate::disk::in_turn;
use crate::disk::techniques::{DiskJob, Technique, flushing_each, in_phases};
use crate::files::OpenFile;

pub(in crate::disk) const SYNCHRONOUS: Technique<DiskJob> = Technique {
    name: "synchronous",
    idea: "a file opened with O_SYNC: each write waits for its data and for all that is kept about the file",
    source: "the published disk tests: system calls with O_SYNC",
    calls: &["!fdatasync"],
    calls_at: |workload| in_phases(workload, &["pread64"], &["open O_SYNC|openat O_SYNC", "pwrite64"]),
    ..flushing_each(|job| {
        job.done_by(in_turn::read, |job, pieces, data, _notes| {
            let file = OpenFile::open_with(&job.path, OFlags::WRONLY | OFlags::SYNC)?;
            in_turn::write_to(&file, pieces, data, || Ok(()))
        })
    })
};
