//! Reads a mapped file that was cut off after it was mapped, as a program does whose input shrinks under it.

use std::fs::{self, OpenOptions};
use std::io;

use crate::contract::Technique;
use crate::control::job::{ControlJob, control};
use crate::files::{OpenFile, SourceMapping, at};

pub(super) const SHRINKING_FILE: Technique<ControlJob> =
    control("shrinking_file", "reads a mapped file that was cut off after it was mapped", |job| {
        job.done_by(read_beyond_the_end)
    });

const BYTES: usize = 1 << 20;

fn read_beyond_the_end(job: &ControlJob) -> io::Result<()> {
    let path = job.false_answer.with_file_name("control.mapped");
    fs::write(&path, vec![b'b'; BYTES]).map_err(at("write", &path))?;
    let file = OpenFile::open(&path)?;
    let mapping = SourceMapping::of_source(&file, BYTES)?;
    // Windows refuses this as long as the mapping lives.
    OpenOptions::new().write(true).open(&path).and_then(|file| file.set_len(0)).map_err(at("cut", &path))?;
    // SAFETY: the byte lies inside the mapping; the page is gone, so the system ends the process at this volatile read.
    let byte = unsafe { mapping.address_of(0).read_volatile() };
    Err(io::Error::other(format!("the lost page still reads as {byte}")))
}
