//! The straightforward loop of system calls, as in the historical program cpW.

use std::io;

use crate::contract::Technique;
use crate::copy::job::{CopyJob, Notes};
use crate::files::{OpenFile, pour_on_stack};

pub(super) const SMALL_BUFFER: Technique<CopyJob> = Technique {
    name: "small_buffer",
    alias: &["cpW"],
    idea: "the system's read and write calls, 256 bytes at a time",
    source: "Hart, Windows System Programming, cpW",
    calls: &["read", "write"],
    ..Technique::usual(|job| job.done_by(copy))
};

fn copy(job: &CopyJob, _notes: &mut Notes) -> io::Result<()> {
    job.each(|file| {
        let source = OpenFile::open(file.source)?;
        let destination = OpenFile::create(file.destination)?;
        pour_on_stack::<256>(&source, &destination)?;
        file.finish(destination)
    })
}
