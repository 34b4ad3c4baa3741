//! A larger buffer and a hint on both files, as in the historical program cpwFA.

use std::io;

use crate::contract::Technique;
use crate::copy::job::{CopyJob, Notes};
use crate::files::{OpenFile, pour_on_stack};

pub(super) const HINTED_8K: Technique<CopyJob> = Technique {
    name: "hinted_8k",
    alias: &["cpwFA"],
    idea: "read and write, 8,192 bytes at a time, with the hint on both files that access is sequential",
    source: "Hart, Windows System Programming, cpwFA; POSIX_FADV_SEQUENTIAL, FILE_FLAG_SEQUENTIAL_SCAN",
    calls: &["fadvise64 POSIX_FADV_SEQUENTIAL", "read", "write"],
    ..Technique::usual(|job| job.done_by(copy))
};

fn copy(job: &CopyJob, _notes: &mut Notes) -> io::Result<()> {
    job.each(|file| {
        let source = OpenFile::open_sequential(file.source)?;
        let destination = OpenFile::create_sequential(file.destination)?;
        pour_on_stack::<8_192>(&source, &destination)?;
        file.finish(destination)
    })
}
