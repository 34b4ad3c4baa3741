use crate::convert::kernel::Kernel;
use crate::convert::prelude::*;
use crate::convert::stream::{stream_by_pages, stream_into_presized};

pub(super) const PRESIZED: Technique<ConvertJob> = Technique {
    name: "presized",
    idea: "as read_write, with the output at its full length before the first byte (fallocate; SetEndOfFile)",
    source: "fallocate(2); Microsoft, SetEndOfFile",
    calls: &["fallocate", "read", "write"],
    parameters: &[buffer_bytes(&[64 << 10, 256 << 10])],
    ..Technique::usual(|job| job.done_by(convert))
};

fn convert(job: &ConvertJob, notes: &mut Notes) -> io::Result<()> {
    convert_through(job, job.kernel(), job.parameter("buffer_bytes")?, notes)
}

pub(super) fn convert_through(
    job: &ConvertJob,
    kernel: Kernel,
    piece_bytes: usize,
    notes: &mut Notes,
) -> io::Result<()> {
    let source = OpenFile::open(&job.source)?;
    stream_into_presized(job, &source, job.create()?, notes, |source, destination, bytes| {
        stream_by_pages(job, kernel, source, destination, piece_bytes, bytes)
    })
}
