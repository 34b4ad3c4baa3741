use crate::copy::prelude::*;

pub(super) const WRITE_THROUGH: Technique<CopyJob> = Technique {
    name: "write_through",
    idea: "presize, then read and write, 4 MiB at a time; every write goes through the cache to the device",
    source: "open(2), O_DSYNC; Microsoft, FILE_FLAG_WRITE_THROUGH",
    calls: &["fallocate", "open O_DSYNC|openat O_DSYNC", "read", "write"],
    ..Technique::usual(|job| job.done_by(copy))
};

/// Large: every write costs a flush of the device.
const BUFFER_BYTES: usize = 4 << 20;

fn copy(job: &CopyJob, notes: &mut Notes) -> io::Result<()> {
    let mut buffer = Buffer::of_at_most(BUFFER_BYTES);
    job.each_opened(OpenFile::open, OpenFile::create_write_through, |source, destination| {
        let bytes = source.size_bytes()?;
        presize(destination, bytes, notes)?;
        let poured = pour(source, destination, buffer.for_bytes(bytes)?)?;
        cut_unfilled(destination, poured, bytes)
    })
}
