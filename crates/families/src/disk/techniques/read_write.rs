use super::{DiskJob, Technique, buffered, flushing_each, in_phases};
use crate::disk::{in_turn, system};

pub(super) const READ_WRITE: Technique<DiskJob> = Technique {
    name: "read_write",
    idea: "the system's read and write calls, one a piece, flushed once at the end",
    source: "the published disk tests: system calls without synchronisation",
    calls: &["!open O_DIRECT|openat O_DIRECT"],
    calls_at: |workload| in_phases(workload, &["pread64"], &["pwrite64", "fdatasync"]),
    ..buffered(|job| {
        job.done_by(in_turn::read, |job, pieces, data, _notes| {
            let file = system::open_to_write(&job.path)?;
            in_turn::write_to(&file, pieces, data, || Ok(()))?;
            job.end(pieces, file)
        })
    })
};

pub(super) const FLUSH_EACH: Technique<DiskJob> = Technique {
    name: "flush_each",
    idea: "one write call a piece, and one flush of the data (fdatasync, FlushFileBuffers) behind each",
    source: "fdatasync(2); Microsoft, FlushFileBuffers",
    calls_at: |workload| in_phases(workload, &["pread64"], &["fdatasync *pwrite64", "pwrite64"]),
    ..flushing_each(|job| {
        job.done_by(in_turn::read, |job, pieces, data, _notes| {
            let file = system::open_to_write(&job.path)?;
            in_turn::write_to(&file, pieces, data, || system::flush(&file))
        })
    })
};

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
