use crate::convert::kernel::Kernel;
use crate::convert::prelude::*;
use crate::convert::stream::{stream_by_pages, stream_into_presized, stream_on_stack};

pub(super) const PRESIZED: Technique<ConvertJob> = Technique {
    name: "presized",
    idea: "as read_write, with the output at its full length before the first byte (fallocate; SetEndOfFile)",
    source: "fallocate(2); Microsoft, SetEndOfFile",
    calls: &["fallocate", "read", "write"],
    parameters: &[buffer_bytes(&[64 << 10, 256 << 10])],
    ..Technique::usual(|job| job.done_by(convert))
};

pub(super) const PRESIZED_HINTED: Technique<ConvertJob> = Technique {
    name: "presized_hinted",
    idea: "as presized, with the hint of sequential access on both files",
    source: "posix_fadvise(2); Microsoft, FILE_FLAG_SEQUENTIAL_SCAN",
    calls: &["fallocate", "fadvise64 POSIX_FADV_SEQUENTIAL", "read", "write"],
    variant_of: Some("presized"),
    parameters: &[buffer_bytes(&[64 << 10, 256 << 10])],
    ..Technique::usual(|job| job.done_by(convert_hinted))
};

pub(super) const PRESIZED_HINTED_8K: Technique<ConvertJob> = Technique {
    name: "presized_hinted_8k",
    alias: &["atouLSFP"],
    idea: "as hinted_8k, with the output at its full length before the first byte",
    source: "Hart, Windows System Programming, atouLSFP",
    calls: &["fallocate", "fadvise64 POSIX_FADV_SEQUENTIAL", "read", "write"],
    ..Technique::usual(|job| job.done_by(convert_hinted_8k))
};

fn convert(job: &ConvertJob, notes: &mut Notes) -> io::Result<()> {
    convert_through(job, job.kernel(), job.parameter("buffer_bytes")?, notes)
}

fn convert_hinted(job: &ConvertJob, notes: &mut Notes) -> io::Result<()> {
    let source = OpenFile::open_sequential(&job.source)?;
    let destination = job.output(OpenFile::create_sequential(&job.destination)?);
    let piece_bytes = job.parameter("buffer_bytes")?;
    stream_into_presized(job, &source, destination, notes, |source, destination, bytes| {
        stream_by_pages(job, job.kernel(), source, destination, piece_bytes, bytes)
    })
}

fn convert_hinted_8k(job: &ConvertJob, notes: &mut Notes) -> io::Result<()> {
    let source = OpenFile::open_sequential(&job.source)?;
    let destination = job.output(OpenFile::create_sequential(&job.destination)?);
    stream_into_presized(job, &source, destination, notes, |source, destination, _| {
        stream_on_stack::<8_192>(job, source, destination)
    })
}

pub(super) fn convert_through(
    job: &ConvertJob, kernel: Kernel, piece_bytes: usize, notes: &mut Notes,
) -> io::Result<()> {
    let source = OpenFile::open(&job.source)?;
    stream_into_presized(job, &source, job.create()?, notes, |source, destination, bytes| {
        stream_by_pages(job, kernel, source, destination, piece_bytes, bytes)
    })
}
