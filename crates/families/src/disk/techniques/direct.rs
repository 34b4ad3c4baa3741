use super::{DiskJob, PAST_CACHE, Technique, buffered, flushing_each, in_phases};
use crate::disk::in_turn;
use crate::disk::past_cache::{open_direct_to_write, probe_direct, read_direct};

/// A call of a technique past the cache.
pub(super) const OPEN_DIRECT: &str = "open O_DIRECT|openat O_DIRECT";

pub(super) const DIRECT: Technique<DiskJob> = Technique {
    name: "direct",
    idea: "past the file cache (O_DIRECT, FILE_FLAG_NO_BUFFERING), one call a piece, flushed once at the end",
    source: "open(2); Microsoft, File Buffering",
    calls_at: |workload| {
        in_phases(workload, &[OPEN_DIRECT, "pread64"], &[OPEN_DIRECT, "pwrite64", "fdatasync"])
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

pub(super) const DIRECT_WRITE_THROUGH: Technique<DiskJob> = Technique {
    name: "direct_write_through",
    idea: "past the file cache, and each write waits for the device (O_DIRECT with O_DSYNC, \
           FILE_FLAG_NO_BUFFERING with FILE_FLAG_WRITE_THROUGH)",
    source: "open(2); Microsoft, File Buffering",
    calls_at: |workload| {
        let rewriting = [OPEN_DIRECT, "open O_DSYNC|openat O_DSYNC", "pwrite64", "!fdatasync"];
        in_phases(workload, &["pread64", OPEN_DIRECT], &rewriting)
    },
    needs: PAST_CACHE,
    probe: |_host, setting| probe_direct(setting),
    ..flushing_each(|job| {
        job.done_past_cache(read_direct, |job, pieces, data, _notes| {
            let file = open_direct_to_write(job, true)?;
            in_turn::write_to(&file, pieces, data, || Ok(()))
        })
    })
};
