use crate::convert::prelude::*;
use crate::convert::stream::{stream_by_pages, stream_into_presized};

pub(super) const PRESIZED_HINTED: Technique<ConvertJob> = Technique {
    name: "presized_hinted",
    idea: "as presized, with the hint of sequential access on both files",
    source: "posix_fadvise(2); Microsoft, FILE_FLAG_SEQUENTIAL_SCAN",
    calls: &["fallocate", "fadvise64 POSIX_FADV_SEQUENTIAL", "read", "write"],
    variant_of: Some("presized"),
    parameters: &[buffer_bytes(&[64 << 10, 256 << 10])],
    ..Technique::usual(|job| job.done_by(convert))
};

fn convert(job: &ConvertJob, notes: &mut Notes) -> io::Result<()> {
    let source = OpenFile::open_sequential(&job.source)?;
    let destination = job.output(OpenFile::create_sequential(&job.destination)?);
    let piece_bytes = job.parameter("buffer_bytes")?;
    stream_into_presized(job, &source, destination, notes, |source, destination, bytes| {
        stream_by_pages(job, job.kernel(), source, destination, piece_bytes, bytes)
    })
}
