use super::{DiskJob, Technique, buffered, in_phases};
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
