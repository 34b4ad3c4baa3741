use crate::copy::prelude::*;

pub(super) const HINTED_LARGE_BUFFER: Technique<CopyJob> = Technique {
    name: "hinted_large_buffer",
    idea: "read and write, 256 KiB at a time, with the hint on both files that access is sequential",
    source: "GNU coreutils, copy.c; Microsoft, FILE_FLAG_SEQUENTIAL_SCAN",
    calls: &["fadvise64 POSIX_FADV_SEQUENTIAL", "read", "write"],
    variant_of: Some("read_write"),
    ..Technique::usual(|job| job.done_by(copy))
};

fn copy(job: &CopyJob, _notes: &mut Notes) -> io::Result<()> {
    let mut buffer = Buffer::of_at_most(256 << 10);
    job.each_opened(OpenFile::open_sequential, OpenFile::create_sequential, |source, destination| {
        pour(source, destination, buffer.for_file(source)?).map(drop)
    })
}
