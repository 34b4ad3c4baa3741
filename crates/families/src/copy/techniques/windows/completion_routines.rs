use windows_sys::Win32::Storage::FileSystem::FILE_FLAG_OVERLAPPED;

use crate::copy::prelude::*;
use crate::files::Use;
use crate::in_flight::pieces::Pieces;
use crate::in_flight::windows::routines::run;

pub(in crate::copy) const COMPLETION_ROUTINES: Technique<CopyJob> = Technique {
    name: "completion_routines",
    idea: "ReadFileEx and WriteFileEx with 4 buffers of 256 KiB; their routines run in SleepEx and start the next",
    source: "Microsoft, Alertable I/O",
    suits: |workload| one_file_only(workload, "no two blocks of a small one are in flight"),
    ..Technique::usual(|job| job.done_by(copy))
};

const BLOCKS: usize = 4;
const BLOCK_BYTES: usize = 256 << 10;

fn copy(job: &CopyJob, notes: &mut Notes) -> io::Result<()> {
    let steps = ["ReadFileEx", "WriteFileEx"];
    copy_overlapped(job, (BLOCKS, BLOCK_BYTES), steps, |pieces| run(pieces, notes))
}

/// Opens both files for calls that do not wait, and hands the pieces of a source that is not empty to `run`.
pub(super) fn copy_overlapped(
    job: &CopyJob, blocks: (usize, usize), steps: [&'static str; 2],
    run: impl FnOnce(Pieces) -> io::Result<()>,
) -> io::Result<()> {
    let source = OpenFile::open_with(&job.source, Use::Read, FILE_FLAG_OVERLAPPED)?;
    let destination = OpenFile::open_with(&job.destination, Use::Create, FILE_FLAG_OVERLAPPED)?;
    let bytes = source.size_bytes()?;
    if bytes > 0 {
        // A write that extends the file is done before its call returns; the length in advance avoids some of that.
        destination.set_length(bytes)?;
        run(Pieces::new([&source, &destination], steps, bytes, blocks, None)?)?;
    }
    destination.finish(job.durable)
}
