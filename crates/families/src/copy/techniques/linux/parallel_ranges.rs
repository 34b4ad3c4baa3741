use std::ops::Range;

use rustix::fs::copy_file_range;
use rustix::io::retry_on_intr;

use super::one_call::is_refusal;
use crate::copy::prelude::*;
use crate::files::ranges;

pub(in crate::copy) const PARALLEL_RANGES: Technique<CopyJob> = Technique {
    name: "parallel_ranges",
    idea: "one thread a processor, each with its own range: copy_file_range, else pread and pwrite",
    source: "xcp, driver parblock",
    calls: &["clone3|clone", "copy_file_range|pread64"],
    suits: |workload| one_file_only(workload, "parallel_files shares small ones out whole"),
    ..Technique::usual(|job| job.left_to_the_system(copy))
};

const CALL_BYTES: u64 = 1 << 30;

fn copy(job: &CopyJob, notes: &mut Notes) -> io::Result<()> {
    job.each_opened(OpenFile::open, OpenFile::create, |source, destination| {
        let bytes = source.size_bytes()?;
        destination.set_length(bytes)?;
        let ranges = ranges(bytes, job.processors(), notes);
        let fallen_back = in_parallel(ranges, |range| copy_range(source, destination, range))?;
        notes.extend(fallen_back.into_iter().flatten().next());
        Ok(())
    })
}

/// Copies one range; returns a note when the kernel refused to do it alone.
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
        let mut buffer = buffer_of(range.end - from, 256 << 10)?;
        pour_range(source, destination, from..range.end, &mut buffer)?;
        return Ok(Some(format!(
            "fell back: copy_file_range was refused ({refusal}), pread and pwrite took over"
        )));
    }
    Ok(None)
}
