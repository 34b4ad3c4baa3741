use crate::copy::prelude::*;
use crate::files::pour_on_stack;

pub(super) const HINTED_8K: Technique<CopyJob> = Technique {
    name: "hinted_8k",
    alias: &["cpwFA"],
    idea: "read and write, 8,192 bytes at a time, with the hint on both files that access is sequential",
    source: "Hart, Windows System Programming, cpwFA; POSIX_FADV_SEQUENTIAL, FILE_FLAG_SEQUENTIAL_SCAN",
    calls: &["fadvise64 POSIX_FADV_SEQUENTIAL", "read", "write"],
    ..Technique::usual(|job| job.done_by(copy))
};

fn copy(job: &CopyJob, _notes: &mut Notes) -> io::Result<()> {
    job.each_opened(OpenFile::open_sequential, OpenFile::create_sequential, |source, destination| {
        pour_on_stack::<8_192>(source, destination).map(drop)
    })
}
