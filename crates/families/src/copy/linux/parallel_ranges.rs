//! Several threads, each with its own range of both files.

use std::io;
use std::ops::Range;

use model::Class;
use rustix::fs::copy_file_range;
use rustix::io::retry_on_intr;

use super::one_call::is_refusal;
use crate::contract::Technique;
use crate::copy::job::{CopyJob, Notes, always};
use crate::files::{Mapping, OpenFile, in_parallel, ranges};

pub(in crate::copy) const PARALLEL_RANGES: Technique<CopyJob> = Technique {
    name: "parallel_ranges",
    alias: &[],
    idea: "one thread a processor, each with its own range: copy_file_range, else pread and pwrite",
    source: "xcp, driver parblock",
    class: Class::MovesBytes,
    ceiling: false,
    parameter: None,
    probe: always,
    prepare: |job| job.left_to_the_system(copy),
};

const CALL_BYTES: u64 = 1 << 30;

fn copy(job: &CopyJob, notes: &mut Notes) -> io::Result<()> {
    let source = &OpenFile::open(&job.source)?;
    let destination = OpenFile::create(&job.destination)?;
    let bytes = source.size_bytes()?;
    destination.set_length(bytes)?;
    let copy_one = |range| copy_range(source, &destination, range);
    let fallen_back = in_parallel(ranges(bytes, job.processors()), copy_one)?;
    notes.extend(fallen_back.into_iter().flatten().next());
    destination.finish(job.durable)
}

/// Copies one range; gives the sentence when the kernel refused to do it alone.
fn copy_range(source: &OpenFile, destination: &OpenFile, range: Range<u64>) -> io::Result<Option<String>> {
    let (mut from, mut to) = (range.start, range.start);
    while from < range.end {
        let wanted = (range.end - from).min(CALL_BYTES) as usize;
        let call = || copy_file_range(source, Some(&mut from), destination, Some(&mut to), wanted);
        let refusal = match retry_on_intr(call) {
            Ok(0) => "it saw the end of the file".to_owned(),
            Ok(_) => continue,
            Err(error) if is_refusal(error) => error.to_string(),
            Err(error) => return Err(destination.at("copy_file_range")(error)),
        };
        read_and_write(source, destination, from..range.end)?;
        return Ok(Some(format!(
            "fell back: copy_file_range was refused ({refusal}), pread and pwrite took over"
        )));
    }
    Ok(None)
}

fn read_and_write(source: &OpenFile, destination: &OpenFile, range: Range<u64>) -> io::Result<()> {
    let mut buffer = Mapping::buffer(256 << 10)?;
    let mut offset = range.start;
    while offset < range.end {
        let wanted = buffer.len().min((range.end - offset) as usize);
        let count = source.read_at(&mut buffer[..wanted], offset)?;
        if count == 0 {
            return Err(source.at("pread")(io::Error::from(io::ErrorKind::UnexpectedEof)));
        }
        destination.write_all_at(&buffer[..count], offset)?;
        offset += count as u64;
    }
    Ok(())
}
