use super::{DiskJob, Technique, buffered, in_phases};
use crate::disk::stream::{UNBUFFERED, read, rewrite};

pub(super) const C_STDIO_UNBUFFERED: Technique<DiskJob> = Technique {
    name: "c_stdio_unbuffered",
    idea: "fread and fwrite, the stream without a buffer (_IONBF), flushed once",
    source: "the published disk tests: C library without buffering",
    calls: &["!pread64", "!pwrite64"],
    calls_at: |workload| in_phases(workload, &["read"], &["write", "fdatasync"]),
    ..buffered(|job| job.done_by(read::<UNBUFFERED>, rewrite::<UNBUFFERED>))
};
