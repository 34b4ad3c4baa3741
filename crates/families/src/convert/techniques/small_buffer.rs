use crate::convert::prelude::*;
use crate::convert::stream::stream;

pub(super) const SMALL_BUFFER: Technique<ConvertJob> = Technique {
    name: "small_buffer",
    alias: &["atou"],
    idea: "read 256 bytes, convert them, write 512 bytes",
    source: "Hart, Windows System Programming, atou",
    calls: &["read", "write"],
    ..Technique::usual(|job| job.done_by(convert))
};

fn convert(job: &ConvertJob, _notes: &mut Notes) -> io::Result<()> {
    let source = OpenFile::open(&job.source)?;
    let destination = job.create()?;
    let (mut from, mut to) = ([MaybeUninit::uninit(); 256], [MaybeUninit::uninit(); 256]);
    stream(job, job.kernel(), &source, &destination, &mut from, &mut to)?;
    destination.finish(job.durable)
}
