use crate::copy::past_cache::copy_direct;
use crate::copy::prelude::*;

pub(super) const DIRECT_DOUBLE_BUFFERED: Technique<CopyJob> = Technique {
    name: "direct_double_buffered",
    idea: "as direct, with a reading and a writing thread and two blocks of 1 MiB between them",
    source: "double buffering; open(2), O_DIRECT; Microsoft, File Buffering",
    calls: &["open O_DIRECT|openat O_DIRECT", "clone3|clone", "pread64", "pwrite64"],
    needs: "a file system that reads and writes past the file cache",
    probe: |_, setting| probe_direct(setting, 1, copy),
    suits: |workload| one_file_only(workload, "past the cache, every small one would wait for the device"),
    ..Technique::usual(|job| job.done_by(copy))
};

fn copy(job: &CopyJob, _notes: &mut Notes) -> io::Result<()> {
    copy_direct(job, false, |blocks| blocks.double_buffered())
}
