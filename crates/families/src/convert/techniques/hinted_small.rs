use crate::convert::prelude::*;
use crate::convert::stream::stream;

pub(super) const HINTED_SMALL: Technique<ConvertJob> = Technique {
    name: "hinted_small",
    alias: &["atouSS"],
    idea: "as small_buffer, with the hint of sequential access on both files",
    source: "Hart, Windows System Programming, atouSS; posix_fadvise(2); Microsoft, FILE_FLAG_SEQUENTIAL_SCAN",
    calls: &["fadvise64 POSIX_FADV_SEQUENTIAL", "read", "write"],
    variant_of: Some("small_buffer"),
    ..Technique::usual(|job| job.done_by(convert))
};

fn convert(job: &ConvertJob, _notes: &mut Notes) -> io::Result<()> {
    let source = OpenFile::open_sequential(&job.source)?;
    let destination = job.output(OpenFile::create_sequential(&job.destination)?);
    let (mut from, mut to) = ([MaybeUninit::uninit(); 256], [MaybeUninit::uninit(); 256]);
    stream(job, job.kernel(), &source, &destination, &mut from, &mut to)?;
    destination.finish(job.durable)
}
