use crate::copy::past_cache::copy_direct;
use crate::copy::prelude::*;

pub(super) const DIRECT: Technique<CopyJob> = Technique {
    name: "direct",
    idea: "both files past the file cache (O_DIRECT, FILE_FLAG_NO_BUFFERING), 1 MiB at a time, one after the other",
    source: "open(2), O_DIRECT; statx(2), STATX_DIOALIGN; Microsoft, File Buffering",
    calls: &["open O_DIRECT|openat O_DIRECT", "pread64", "pwrite64"],
    needs: "a file system that reads and writes past the file cache",
    probe: |_, setting| probe_direct(setting, 1, copy_in_turn),
    suits: |workload| one_file_only(workload, "past the cache, every small one would wait for the device"),
    ..Technique::usual(|job| job.done_by(copy_in_turn))
};

pub(super) const DIRECT_DOUBLE_BUFFERED: Technique<CopyJob> = Technique {
    name: "direct_double_buffered",
    idea: "as direct, with a reading and a writing thread and two blocks of 1 MiB between them",
    source: "double buffering; open(2), O_DIRECT; Microsoft, File Buffering",
    calls: &["open O_DIRECT|openat O_DIRECT", "clone3|clone", "pread64", "pwrite64"],
    probe: |_, setting| probe_direct(setting, 1, copy_double_buffered),
    prepare: |job| job.done_by(copy_double_buffered),
    ..DIRECT
};

pub(super) const DIRECT_WRITE_THROUGH: Technique<CopyJob> = Technique {
    name: "direct_write_through",
    idea: "as direct, and each write waits for the device's own cache (O_DSYNC, FILE_FLAG_WRITE_THROUGH)",
    source: "open(2), O_DIRECT and O_DSYNC; Microsoft, File Buffering",
    calls: &["open O_DIRECT|openat O_DIRECT", "open O_DSYNC|openat O_DSYNC", "pread64", "pwrite64"],
    variant_of: Some("direct"),
    probe: |_, setting| probe_direct(setting, 1, copy_write_through),
    prepare: |job| job.done_by(copy_write_through),
    ..DIRECT
};

fn copy_in_turn(job: &CopyJob, _notes: &mut Notes) -> io::Result<()> {
    copy_direct(job, false, |blocks| blocks.in_turn())
}

fn copy_double_buffered(job: &CopyJob, notes: &mut Notes) -> io::Result<()> {
    copy_direct(job, false, |blocks| blocks.double_buffered(notes))
}

fn copy_write_through(job: &CopyJob, _notes: &mut Notes) -> io::Result<()> {
    copy_direct(job, true, |blocks| blocks.in_turn())
}
