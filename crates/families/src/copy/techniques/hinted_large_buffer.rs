//! The hints of cpwFA with a buffer as today's programs use it.

use std::io;

use crate::contract::Technique;
use crate::copy::job::{Buffer, CopyJob, Notes};
use crate::files::{OpenFile, pour};

pub(super) const HINTED_LARGE_BUFFER: Technique<CopyJob> = Technique {
    name: "hinted_large_buffer",
    idea: "read and write, 256 KiB at a time, with the hint on both files that access is sequential",
    source: "GNU coreutils, copy.c; Microsoft, FILE_FLAG_SEQUENTIAL_SCAN",
    calls: &["fadvise64 POSIX_FADV_SEQUENTIAL", "read", "write"],
    variant_of: Some("read_write"),
    ..Technique::usual(|job| job.done_by(copy))
};

const BUFFER_BYTES: usize = 256 << 10;

fn copy(job: &CopyJob, _notes: &mut Notes) -> io::Result<()> {
    let mut buffer = Buffer::of_at_most(BUFFER_BYTES);
    job.each(|file| {
        let source = OpenFile::open_sequential(file.source)?;
        let destination = OpenFile::create_sequential(file.destination)?;
        pour(&source, &destination, buffer.for_file(&source)?)?;
        file.finish(destination)
    })
}
