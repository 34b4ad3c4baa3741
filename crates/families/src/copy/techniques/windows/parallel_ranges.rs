//! Several threads, each with its own range and its own handles of both files.

use std::io;
use std::ops::Range;

use crate::contract::Technique;
use crate::copy::job::{CopyJob, Notes, buffer_of, fewer_threads};
use crate::copy::workload::one_file_only;
use crate::files::{OpenFile, in_parallel, pour_range, ranges};

pub(in crate::copy) const PARALLEL_RANGES: Technique<CopyJob> = Technique {
    name: "parallel_ranges",
    idea: "one thread a processor, each with its own range and handles: ReadFile and WriteFile at an offset",
    source: "xcp, driver parblock",
    suits: |workload| one_file_only(workload, "parallel_files shares small ones out whole"),
    ..Technique::usual(|job| job.done_by(copy))
};

const BUFFER_BYTES: usize = 256 << 10;

fn copy(job: &CopyJob, notes: &mut Notes) -> io::Result<()> {
    let source = OpenFile::open(&job.source)?;
    let destination = OpenFile::create(&job.destination)?;
    let bytes = source.size_bytes()?;
    destination.set_length(bytes)?;
    let processors = job.processors();
    let ranges = ranges(bytes, processors);
    notes.extend(fewer_threads(ranges.len(), processors, "a range has at least 1 MiB"));
    in_parallel(ranges, |range| copy_range(&source, &destination, range))?;
    destination.finish(job.durable)
}

fn copy_range(source: &OpenFile, destination: &OpenFile, range: Range<u64>) -> io::Result<()> {
    let mut buffer = buffer_of(range.end - range.start, BUFFER_BYTES)?;
    pour_range(&source.for_thread_to_read()?, &destination.for_thread_to_write()?, range, &mut buffer)
}
