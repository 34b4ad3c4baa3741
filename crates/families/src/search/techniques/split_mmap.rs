use std::ops::Range;

use memchr::memchr;

use super::mmap::mapped;
use crate::search::lines::matching_lines;
use crate::search::prelude::*;
use crate::search::threads::{ranges_of_files, search_in_turn};

pub(super) const SPLIT_MMAP: Technique<SearchJob> = Technique {
    name: "split_mmap",
    idea: "one thread a processor, each maps the next range of 1 MiB of a file, looked up in one call, and searches it",
    source: "mmap(2); madvise(2), MADV_POPULATE_READ; MapViewOfFile, PrefetchVirtualMemory",
    calls: &["clone3|clone", "mmap file", "!pread64"],
    ..Technique::usual(|job| job.done_by(search))
};

fn search(job: &SearchJob, notes: &mut Notes) -> io::Result<()> {
    let kernel = Best::of(&job.pattern)?;
    let files = job.files()?;
    let ranges = ranges_of_files(&files)?;
    let none = || Ok(None::<(&Path, Option<SourceMapping>)>);
    search_in_turn(job, ("ranges", &ranges), notes, none, |latest, (path, range), text| {
        // Given back range by range, a mapping would have the other processors look up their pages again.
        let mapping = match latest.take() {
            Some((of, mapping)) if of == *path => mapping,
            _ => mapped(path, SourceMapping::of_source)?,
        };
        if let Some(mapping) = &mapping {
            search_range(&kernel, path, mapping, range, text);
        }
        *latest = Some((*path, mapping));
        Ok(())
    })
}

fn search_range(
    kernel: &Best<'_>, path: &Path, mapping: &SourceMapping, range: &Range<u64>, text: &mut Vec<u8>,
) {
    let bytes = mapping.len();
    let place = |offset: u64| usize::try_from(offset).unwrap_or(bytes).min(bytes);
    let range = place(range.start)..place(range.end);
    if !range.is_empty() {
        mapping.populate(range.clone());
        matching_lines(kernel, &mapping[lines_of(mapping, range)], &prefix_of(path), text);
    }
}

/// Returns the lines of a range: those behind a newline in it, and the first of the file if the range begins there.
fn lines_of(text: &[u8], range: Range<usize>) -> Range<usize> {
    let start = match memchr(b'\n', &text[range.clone()]) {
        _ if range.start == 0 => 0,
        Some(newline) => range.start + newline + 1,
        None => return 0..0,
    };
    let behind = memchr(b'\n', &text[range.end..]).map_or(text.len(), |newline| range.end + newline + 1);
    start..if range.end == text.len() { text.len() } else { behind }
}
