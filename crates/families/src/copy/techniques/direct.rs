use crate::copy::past_cache::copy_direct;
use crate::copy::prelude::*;

pub(super) const DIRECT: Technique<CopyJob> = Technique {
    name: "direct",
    idea: "both files past the file cache (O_DIRECT, FILE_FLAG_NO_BUFFERING), 1 MiB at a time, one after the other",
    source: "open(2), O_DIRECT; statx(2), STATX_DIOALIGN; Microsoft, File Buffering",
    calls: &["open O_DIRECT|openat O_DIRECT", "pread64", "pwrite64"],
    needs: "a file system that reads and writes past the file cache",
    probe: |_, setting| probe_direct(setting, 1, copy),
    suits: |workload| one_file_only(workload, "past the cache, every small one would wait for the device"),
    ..Technique::usual(|job| job.done_by(copy))
};

fn copy(job: &CopyJob, _notes: &mut Notes) -> io::Result<()> {
    copy_direct(job, false, |blocks| blocks.in_turn())
}
