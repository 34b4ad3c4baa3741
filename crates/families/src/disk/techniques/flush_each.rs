use super::{DiskJob, Technique, flushing_each, in_phases};
use crate::disk::{in_turn, system};

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
