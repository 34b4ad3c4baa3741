//! Several threads, each with its own range and its own handles of both files.

use std::io;
use std::ops::Range;

use model::Class;

use crate::contract::Technique;
use crate::copy::job::{CopyJob, Notes, always};
use crate::files::{Mapping, OpenFile, Use, in_parallel, ranges};

pub(in crate::copy) const PARALLEL_RANGES: Technique<CopyJob> = Technique {
    name: "parallel_ranges",
    alias: &[],
    idea: "one thread a processor, each with its own range and handles: ReadFile and WriteFile at an offset",
    source: "xcp, driver parblock",
    class: Class::MovesBytes,
    ceiling: false,
    parameter: None,
    probe: always,
    prepare: |job| job.done_by(copy),
};

const BUFFER_BYTES: usize = 256 << 10;

fn copy(job: &CopyJob, _notes: &mut Notes) -> io::Result<()> {
    let bytes = OpenFile::open(&job.source)?.size_bytes()?;
    let destination = OpenFile::create(&job.destination)?;
    destination.set_length(bytes)?;
    in_parallel(ranges(bytes, job.processors()), |range| copy_range(job, range))?;
    destination.finish(job.durable)
}

/// A handle that waits does one thing at a time, so threads that share one wait for each other.
fn copy_range(job: &CopyJob, range: Range<u64>) -> io::Result<()> {
    let source = OpenFile::open(&job.source)?;
    let destination = OpenFile::open_with(&job.destination, Use::Change, 0)?;
    let mut buffer = Mapping::buffer(BUFFER_BYTES)?;
    let mut offset = range.start;
    while offset < range.end {
        let wanted = buffer.len().min((range.end - offset) as usize);
        let count = source.read_at(&mut buffer[..wanted], offset)?;
        if count == 0 {
            return Err(source.at("ReadFile")(io::Error::from(io::ErrorKind::UnexpectedEof)));
        }
        destination.write_all_at(&buffer[..count], offset)?;
        offset += count as u64;
    }
    Ok(())
}
