use crate::convert::prelude::*;
use crate::convert::stream::stream;

pub(super) const LARGE_BUFFER_8K: Technique<ConvertJob> = Technique {
    name: "large_buffer_8k",
    alias: &["atouLB"],
    idea: "read 8,192 bytes, convert them, write 16,384 bytes",
    source: "Hart, Windows System Programming, atouLB",
    calls: &["read", "write"],
    ..Technique::usual(|job| job.done_by(convert))
};

fn convert(job: &ConvertJob, _notes: &mut Notes) -> io::Result<()> {
    let source = OpenFile::open(&job.source)?;
    let destination = job.create()?;
    let (mut from, mut to) = ([MaybeUninit::uninit(); 8_192], [MaybeUninit::uninit(); 8_192]);
    stream(job, job.kernel(), &source, &destination, &mut from, &mut to)?;
    destination.finish(job.durable)
}
