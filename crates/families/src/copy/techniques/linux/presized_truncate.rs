use rustix::fs::FallocateFlags;

use crate::copy::prelude::*;
use crate::copy::techniques::presized::copy_into_room;
use crate::files::allocate;

pub(in crate::copy) const PRESIZED_TRUNCATE: Technique<CopyJob> = Technique {
    name: "presized_truncate",
    idea: "ftruncate the destination to its full length, then read and write 256 KiB at a time",
    source: "ftruncate(2)",
    calls: &["ftruncate", "!fallocate", "read", "write"],
    variant_of: Some("presized"),
    ..Technique::usual(|job| job.done_by(copy_truncated))
};

pub(in crate::copy) const PRESIZED_KEEP_SIZE: Technique<CopyJob> = Technique {
    name: "presized_keep_size",
    idea: "fallocate with FALLOC_FL_KEEP_SIZE, then read and write 256 KiB at a time",
    source: "fallocate(2)",
    calls: &["fallocate FALLOC_FL_KEEP_SIZE", "read", "write"],
    variant_of: Some("presized"),
    ..Technique::usual(|job| job.done_by(copy_keeping_size))
};

fn copy_truncated(job: &CopyJob, _notes: &mut Notes) -> io::Result<()> {
    copy_into_room(job, 256 << 10, OpenFile::create, |destination, bytes| destination.set_length(bytes))
}

fn copy_keeping_size(job: &CopyJob, notes: &mut Notes) -> io::Result<()> {
    copy_into_room(job, 256 << 10, OpenFile::create, |destination, bytes| {
        allocate(destination, FallocateFlags::KEEP_SIZE, bytes, notes)
    })
}
