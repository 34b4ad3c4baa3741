//! A larger buffer and a hint on both files, as in the historical program cpwFA.

use std::io;

use model::Class;
use windows_sys::Win32::Storage::FileSystem::FILE_FLAG_SEQUENTIAL_SCAN;

use crate::contract::Technique;
use crate::copy::job::{CopyJob, Notes, always};
use crate::files::{OpenFile, Use, pour};

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
    let source = OpenFile::open_with(&job.source, Use::Read, FILE_FLAG_SEQUENTIAL_SCAN)?;
    let destination = OpenFile::open_with(&job.destination, Use::Create, FILE_FLAG_SEQUENTIAL_SCAN)?;
    pour(&source, &destination, &mut [0; 8_192])?;
    destination.finish(job.durable)
}
