//! Several threads, each with its own range and its own handles of both files.

use std::io;
use std::ops::Range;
use std::thread;

use model::Class;

use crate::contract::Technique;
use crate::copy::job::{CopyJob, Notes, always};
use crate::files::{Mapping, OpenFile, Use};

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

/// Ranges begin at multiples of this, so that no page belongs to two threads.
const GRAIN_BYTES: u64 = 1 << 20;
const BUFFER_BYTES: usize = 256 << 10;

fn copy(job: &CopyJob, _notes: &mut Notes) -> io::Result<()> {
    let bytes = OpenFile::open(&job.source)?.size_bytes()?;
    let destination = OpenFile::create(&job.destination)?;
    destination.set_length(bytes)?;
    copy_in_parallel(job, ranges(bytes, job.processors()))?;
    destination.finish(job.durable)
}

/// Equal ranges, as many as there are threads, or fewer where the file is short.
fn ranges(bytes: u64, threads: usize) -> Vec<Range<u64>> {
    let length = bytes.div_ceil(threads.max(1) as u64).next_multiple_of(GRAIN_BYTES).max(GRAIN_BYTES);
    (0..bytes.div_ceil(length)).map(|nth| nth * length..bytes.min((nth + 1) * length)).collect()
}

/// The calling thread takes the last range itself.
fn copy_in_parallel(job: &CopyJob, mut ranges: Vec<Range<u64>>) -> io::Result<()> {
    let own = ranges.pop();
    thread::scope(|scope| {
        let mut others = Vec::new();
        for range in ranges {
            let named = thread::Builder::new().name(format!("range at {}", range.start));
            others.push(named.spawn_scoped(scope, move || copy_range(job, range))?);
        }
        let mut outcome = own.map_or(Ok(()), |range| copy_range(job, range));
        for other in others {
            let joined = other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            outcome = outcome.and(joined);
        }
        outcome
    })
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
