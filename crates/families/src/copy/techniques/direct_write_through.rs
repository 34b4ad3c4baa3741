use crate::copy::past_cache::copy_direct;
use crate::copy::prelude::*;

pub(super) const DIRECT_WRITE_THROUGH: Technique<CopyJob> = Technique {
    name: "direct_write_through",
    idea: "as direct, and each write waits for the device's own cache (O_DSYNC, FILE_FLAG_WRITE_THROUGH)",
    source: "open(2), O_DIRECT and O_DSYNC; Microsoft, File Buffering",
    calls: &["open O_DIRECT|openat O_DIRECT", "open O_DSYNC|openat O_DSYNC", "pread64", "pwrite64"],
    variant_of: Some("direct"),
    needs: "a file system that reads and writes past the file cache",
    probe: |_, setting| probe_direct(setting, 1, copy),
    suits: |workload| one_file_only(workload, "past the cache, every small one would wait for the device"),
    ..Technique::usual(|job| job.done_by(copy))
};

fn copy(job: &CopyJob, _notes: &mut Notes) -> io::Result<()> {
    copy_direct(job, true, |blocks| blocks.in_turn())
}
