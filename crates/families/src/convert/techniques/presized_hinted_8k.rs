use crate::convert::prelude::*;
use crate::convert::stream::{stream, stream_into_presized};

pub(super) const PRESIZED_HINTED_8K: Technique<ConvertJob> = Technique {
    name: "presized_hinted_8k",
    alias: &["atouLSFP"],
    idea: "as large_buffer_8k, with hints on both files, and the output at its full length before the first byte",
    source: "Hart, Windows System Programming, atouLSFP",
    calls: &["fallocate", "fadvise64 POSIX_FADV_SEQUENTIAL", "read", "write"],
    ..Technique::usual(|job| job.done_by(convert))
};

fn convert(job: &ConvertJob, notes: &mut Notes) -> io::Result<()> {
    let source = OpenFile::open_sequential(&job.source)?;
    let destination = job.output(OpenFile::create_sequential(&job.destination)?);
    let (mut from, mut to) = ([MaybeUninit::uninit(); 8_192], [MaybeUninit::uninit(); 8_192]);
    stream_into_presized(job, &source, destination, notes, |source, destination, _| {
        stream(job, job.kernel(), source, destination, &mut from, &mut to)
    })
}
