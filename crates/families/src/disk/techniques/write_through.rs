use super::{DiskJob, Technique, flushing_each, in_phases};
use crate::disk::{in_turn, system};

pub(super) const WRITE_THROUGH: Technique<DiskJob> = Technique {
    name: "write_through",
    alias: system::ALIASES_OF_WRITE_THROUGH,
    idea: "a file opened so that each write waits for its data (O_DSYNC, FILE_FLAG_WRITE_THROUGH)",
    source: "open(2); Microsoft, File Buffering",
    calls: &["!open O_SYNC|openat O_SYNC", "!fdatasync"],
    calls_at: |workload| in_phases(workload, &["pread64"], &["open O_DSYNC|openat O_DSYNC", "pwrite64"]),
    ..flushing_each(|job| {
        job.done_by(in_turn::read, |job, pieces, data, _notes| {
            let file = system::open_write_through(&job.path)?;
            in_turn::write_to(&file, pieces, data, || Ok(()))
        })
    })
};
