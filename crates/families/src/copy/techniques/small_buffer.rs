use crate::copy::prelude::*;
use crate::files::pour_on_stack;

pub(super) const SMALL_BUFFER: Technique<CopyJob> = Technique {
    name: "small_buffer",
    alias: &["cpW"],
    idea: "the system's read and write calls, 256 bytes at a time",
    source: "Hart, Windows System Programming, cpW",
    calls: &["read", "write"],
    ..Technique::usual(|job| job.done_by(copy))
};

fn copy(job: &CopyJob, _notes: &mut Notes) -> io::Result<()> {
    job.each_opened(OpenFile::open, OpenFile::create, |source, destination| {
        pour_on_stack::<256>(source, destination).map(drop)
    })
}
