//! A larger buffer and a hint on both files, as in the historical program cpwFA.

use std::io;

use model::Class;
use rustix::fs::{Advice, fadvise};

use crate::contract::Technique;
use crate::copy::job::{CopyJob, Notes, always};
use crate::files::{OpenFile, pour};

pub(in crate::copy) const HINTED_8K: Technique<CopyJob> = Technique {
    name: "hinted_8k",
    alias: &["cpwFA"],
    idea: "read and write, 8,192 bytes at a time, with POSIX_FADV_SEQUENTIAL on both files",
    source: "Hart, Windows System Programming, cpwFA",
    class: Class::MovesBytes,
    ceiling: false,
    parameter: None,
    probe: always,
    prepare: |job| job.done_by(copy),
};

fn copy(job: &CopyJob, _notes: &mut Notes) -> io::Result<()> {
    let source = OpenFile::open(&job.source)?;
    let destination = OpenFile::create(&job.destination)?;
    for file in [&source, &destination] {
        // No length: OpenZFS takes an explicit one as an order to read that much now.
        fadvise(file, 0, None, Advice::Sequential).map_err(file.at("posix_fadvise"))?;
    }
    pour(&source, &destination, &mut [0; 8_192])?;
    destination.finish(job.durable)
}
