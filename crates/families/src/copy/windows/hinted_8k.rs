//! A larger buffer and a hint on both files, as in the historical program cpwFA.

use std::io;

use model::Class;

use crate::contract::Technique;
use crate::copy::job::{CopyJob, Notes, always};
use crate::files::{OpenFile, pour};

pub(in crate::copy) const HINTED_8K: Technique<CopyJob> = Technique {
    name: "hinted_8k",
    alias: &["cpwFA"],
    idea: "ReadFile and WriteFile, 8,192 bytes at a time, with FILE_FLAG_SEQUENTIAL_SCAN on both files",
    source: "Hart, Windows System Programming, cpwFA",
    class: Class::MovesBytes,
    ceiling: false,
    parameter: None,
    probe: always,
    prepare: |job| job.done_by(copy),
};

fn copy(job: &CopyJob, _notes: &mut Notes) -> io::Result<()> {
    let source = OpenFile::open_sequential(&job.source)?;
    let destination = OpenFile::create_sequential(&job.destination)?;
    pour(&source, &destination, &mut [0; 8_192])?;
    destination.finish(job.durable)
}
