use crate::convert::output::Output;
use crate::convert::prelude::*;
use crate::convert::stream::{stream_by_pages, stream_on_stack};

pub(super) const READ_WRITE: Technique<ConvertJob> = Technique {
    name: "read_write",
    idea: "read into one page-aligned buffer, convert into another of twice the size, write that",
    source: "GNU coreutils, ioblksize.h",
    calls: &["read", "write"],
    parameters: &[buffer_bytes(&[64 << 10, 256 << 10, 1 << 20])],
    ..Technique::usual(|job| job.done_by(convert))
};

pub(super) const SMALL_BUFFER: Technique<ConvertJob> = Technique {
    name: "small_buffer",
    alias: &["atou"],
    idea: "read 256 bytes, convert them, write 512 bytes",
    source: "Hart, Windows System Programming, atou",
    calls: &["read", "write"],
    ..Technique::usual(|job| job.done_by(convert_plain::<256>))
};

pub(super) const HINTED_SMALL: Technique<ConvertJob> = Technique {
    name: "hinted_small",
    alias: &["atouSS"],
    idea: "as small_buffer, with the hint of sequential access on both files",
    source: "Hart, Windows System Programming, atouSS; posix_fadvise(2); Microsoft, FILE_FLAG_SEQUENTIAL_SCAN",
    calls: &["fadvise64 POSIX_FADV_SEQUENTIAL", "read", "write"],
    variant_of: Some("small_buffer"),
    ..Technique::usual(|job| job.done_by(convert_hinted::<256>))
};

pub(super) const LARGE_BUFFER_8K: Technique<ConvertJob> = Technique {
    name: "large_buffer_8k",
    alias: &["atouLB"],
    idea: "read 8,192 bytes, convert them, write 16,384 bytes",
    source: "Hart, Windows System Programming, atouLB",
    calls: &["read", "write"],
    ..Technique::usual(|job| job.done_by(convert_plain::<8_192>))
};

pub(super) const HINTED_8K: Technique<ConvertJob> = Technique {
    name: "hinted_8k",
    alias: &["atouLBSS"],
    idea: "as large_buffer_8k, with the hint of sequential access on both files",
    source: "Hart, Windows System Programming, atouLBSS; posix_fadvise(2); Microsoft, FILE_FLAG_SEQUENTIAL_SCAN",
    calls: &["fadvise64 POSIX_FADV_SEQUENTIAL", "read", "write"],
    variant_of: Some("large_buffer_8k"),
    ..Technique::usual(|job| job.done_by(convert_hinted::<8_192>))
};

fn convert(job: &ConvertJob, _notes: &mut Notes) -> io::Result<()> {
    let source = OpenFile::open(&job.source)?;
    let destination = job.create()?;
    let bytes = source.size_bytes()?;
    stream_by_pages(job, job.kernel(), &source, &destination, job.parameter("buffer_bytes")?, bytes)?;
    destination.finish(job.durable)
}

fn convert_plain<const BYTES: usize>(job: &ConvertJob, _notes: &mut Notes) -> io::Result<()> {
    convert_on_stack::<BYTES>(job, OpenFile::open(&job.source)?, job.create()?)
}

fn convert_hinted<const BYTES: usize>(job: &ConvertJob, _notes: &mut Notes) -> io::Result<()> {
    let source = OpenFile::open_sequential(&job.source)?;
    convert_on_stack::<BYTES>(job, source, job.output(OpenFile::create_sequential(&job.destination)?))
}

fn convert_on_stack<const BYTES: usize>(
    job: &ConvertJob, source: OpenFile, destination: Output,
) -> io::Result<()> {
    stream_on_stack::<BYTES>(job, &source, &destination)?;
    destination.finish(job.durable)
}
