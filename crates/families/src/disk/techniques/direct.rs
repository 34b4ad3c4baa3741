use super::{DiskJob, PAST_CACHE, Technique, buffered, in_phases};
use crate::disk::in_turn;
use crate::disk::past_cache::{open_direct_to_write, probe_direct, read_direct};

pub(super) const DIRECT: Technique<DiskJob> = Technique {
    name: "direct",
    idea: "past the file cache (O_DIRECT, FILE_FLAG_NO_BUFFERING), one call a piece, flushed once at the end",
    source: "open(2); Microsoft, File Buffering",
    calls_at: |workload| {
        in_phases(
            workload,
            &["open O_DIRECT|openat O_DIRECT", "pread64"],
            &["open O_DIRECT|openat O_DIRECT", "pwrite64", "fdatasync"],
        )
    },
    needs: PAST_CACHE,
    probe: |_host, setting| probe_direct(setting),
    ..buffered(|job| {
        job.done_past_cache(read_direct, |job, pieces, data, _notes| {
            let file = open_direct_to_write(job, false)?;
            in_turn::write_to(&file, pieces, data, || Ok(()))?;
            job.end(pieces, file)
        })
    })
};
