use std::ops::Range;

use crate::copy::prelude::*;
use crate::files::ranges;

pub(in crate::copy) const PARALLEL_RANGES: Technique<CopyJob> = Technique {
    name: "parallel_ranges",
    idea: "one thread a processor, each with its own range and handles: ReadFile and WriteFile at an offset",
    source: "xcp, driver parblock",
    suits: |workload| one_file_only(workload, "parallel_files shares small ones out whole"),
    ..Technique::usual(|job| job.done_by(copy))
};

fn copy(job: &CopyJob, notes: &mut Notes) -> io::Result<()> {
    job.each_opened(OpenFile::open, OpenFile::create, |source, destination| {
        let bytes = source.size_bytes()?;
        destination.set_length(bytes)?;
        let ranges = ranges(bytes, job.processors(), notes);
        in_parallel(ranges, |range| copy_range(source, destination, range)).map(drop)
    })
}

fn copy_range(source: &OpenFile, destination: &OpenFile, range: Range<u64>) -> io::Result<()> {
    let mut buffer = buffer_of(range.end - range.start, 256 << 10)?;
    pour_range(&source.for_thread_to_read()?, &destination.for_thread_to_write()?, range, &mut buffer)
}
