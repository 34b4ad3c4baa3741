use crate::copy::prelude::*;

pub(super) const READ_WRITE: Technique<CopyJob> = Technique {
    name: "read_write",
    idea: "the system's read and write calls through one page-aligned buffer",
    source: "GNU coreutils, ioblksize.h: 128 KiB since 9.1, 256 KiB since 9.5",
    calls: &["read", "write"],
    parameters: &[buffer_bytes(&[64 << 10, 128 << 10, 256 << 10, 512 << 10, 1 << 20])],
    ..Technique::usual(|job| job.done_by(copy))
};

fn copy(job: &CopyJob, _notes: &mut Notes) -> io::Result<()> {
    let mut buffer = Buffer::of_at_most(job.parameter("buffer_bytes")?);
    job.each_opened(OpenFile::open, OpenFile::create, |source, destination| {
        pour(source, destination, buffer.for_file(source)?).map(drop)
    })
}
