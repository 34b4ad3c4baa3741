use crate::copy::prelude::*;

pub(super) const PRESIZED: Technique<CopyJob> = Technique {
    name: "presized",
    idea: "give the destination its full length (fallocate, SetEndOfFile), then read and write",
    source: "fallocate(2); Microsoft, SetEndOfFile",
    calls: &["fallocate", "read", "write"],
    parameters: &[buffer_bytes(&[128 << 10, 256 << 10, 512 << 10, 1 << 20])],
    ..Technique::usual(|job| job.done_by(copy))
};

fn copy(job: &CopyJob, notes: &mut Notes) -> io::Result<()> {
    copy_into_room(job, job.parameter("buffer_bytes")?, |destination, bytes| {
        presize(destination, bytes, notes)
    })
}

/// Lets `make_room` prepare the destination for its number of bytes, then reads and writes in turn.
pub(super) fn copy_into_room(
    job: &CopyJob,
    buffer_bytes: usize,
    mut make_room: impl FnMut(&OpenFile, u64) -> io::Result<()>,
) -> io::Result<()> {
    let mut buffer = Buffer::of_at_most(buffer_bytes);
    job.each_opened(OpenFile::open, OpenFile::create, |source, destination| {
        let bytes = source.size_bytes()?;
        make_room(destination, bytes)?;
        let poured = pour(source, destination, buffer.for_bytes(bytes)?)?;
        cut_unfilled(destination, poured, bytes)
    })
}
