use super::{DiskJob, Technique, buffered, in_phases};
use crate::disk::stream::{LIBRARY_BUFFER, read, rewrite};

pub(super) const C_STDIO: Technique<DiskJob> = Technique {
    name: "c_stdio",
    idea: "fread and fwrite, the stream's buffer left at its default, flushed once",
    source: "the published disk tests: C library with buffering",
    calls: &["!pread64", "!pwrite64"],
    calls_at: |workload| in_phases(workload, &["read"], &["write", "fdatasync"]),
    ..buffered(|job| job.done_by(read::<LIBRARY_BUFFER>, rewrite::<LIBRARY_BUFFER>))
};
