//! Several threads, each with its own range of both files.

use std::io;
use std::ops::Range;
use std::thread;

use model::Class;
use rustix::fs::copy_file_range;
use rustix::io::retry_on_intr;

use super::one_call::is_refusal;
use crate::contract::Technique;
use crate::copy::job::{CopyJob, Notes, always};
use crate::files::{Mapping, OpenFile};

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

/// Ranges begin at multiples of this, so that no page or large folio belongs to two threads.
const GRAIN_BYTES: u64 = 1 << 20;
const CALL_BYTES: u64 = 1 << 30;

fn copy(job: &CopyJob, notes: &mut Notes) -> io::Result<()> {
    let source = &OpenFile::open(&job.source)?;
    let destination = OpenFile::create(&job.destination)?;
    let bytes = source.size_bytes()?;
    destination.set_length(bytes)?;
    let fallen_back = copy_in_parallel(source, &destination, ranges(bytes, job.processors()))?;
    notes.extend(fallen_back);
    destination.finish(job.durable)
}

/// Equal ranges, as many as there are threads, or fewer where the file is short.
fn ranges(bytes: u64, threads: usize) -> Vec<Range<u64>> {
    let length = bytes.div_ceil(threads.max(1) as u64).next_multiple_of(GRAIN_BYTES).max(GRAIN_BYTES);
    (0..bytes.div_ceil(length)).map(|nth| nth * length..bytes.min((nth + 1) * length)).collect()
}

fn copy_in_parallel(
    source: &OpenFile,
    destination: &OpenFile,
    mut ranges: Vec<Range<u64>>,
) -> io::Result<Option<String>> {
    let own = ranges.pop();
    thread::scope(|scope| {
        let mut others = Vec::new();
        for range in ranges {
            let named = thread::Builder::new().name(format!("range at {}", range.start));
            others.push(named.spawn_scoped(scope, move || copy_range(source, destination, range))?);
        }
        let mut outcome = own.map_or(Ok(None), |range| copy_range(source, destination, range));
        for other in others {
            let joined = other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            outcome = match (outcome, joined) {
                (Ok(first), Ok(second)) => Ok(first.or(second)),
                (Err(error), _) | (_, Err(error)) => Err(error),
            };
        }
        outcome
    })
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
