use crate::convert::prelude::*;
use crate::convert::stream::stream_by_pages;

pub(super) const READ_WRITE: Technique<ConvertJob> = Technique {
    name: "read_write",
    idea: "read into one page-aligned buffer, convert into another of twice the size, write that",
    source: "GNU coreutils, ioblksize.h",
    calls: &["read", "write"],
    parameters: &[buffer_bytes(&[64 << 10, 256 << 10, 1 << 20])],
    ..Technique::usual(|job| job.done_by(convert))
};

fn convert(job: &ConvertJob, _notes: &mut Notes) -> io::Result<()> {
    let source = OpenFile::open(&job.source)?;
    let destination = job.create()?;
    let bytes = source.size_bytes()?;
    stream_by_pages(job, job.kernel(), &source, &destination, job.parameter("buffer_bytes")?, bytes)?;
    destination.finish(job.durable)
}
