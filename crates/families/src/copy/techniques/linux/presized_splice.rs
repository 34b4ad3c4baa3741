use super::splice::pipe_for;
use crate::copy::prelude::*;

pub(in crate::copy) const PRESIZED_SPLICE: Technique<CopyJob> = Technique {
    name: "presized_splice",
    idea: "fallocate the destination at its full length, then splice through a pipe of 1 MiB",
    source: "fallocate(2), splice(2)",
    calls: &["fallocate", "splice", "!read", "!write"],
    variant_of: Some("presized"),
    ..Technique::usual(|job| job.done_by(copy))
};

fn copy(job: &CopyJob, notes: &mut Notes) -> io::Result<()> {
    let mut pipe = None;
    job.each_opened(OpenFile::open, OpenFile::create, |source, destination| {
        let bytes = source.size_bytes()?;
        presize(destination, bytes, notes)?;
        let passed = pipe_for(&mut pipe, source, notes)?.pass(source, destination)?;
        cut_unfilled(destination, passed, bytes)
    })
}
