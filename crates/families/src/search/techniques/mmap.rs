//! Each file is mapped and searched where it lies in the file cache.

use std::io;
use std::path::Path;

use crate::contract::Technique;
use crate::files::SourceMapping;
use crate::search::job::{Notes, SearchJob, prefix_of};
use crate::search::kernel::Best;
use crate::search::output::Answer;
use crate::search::system::mapped::{advise_sequential, mapped};

pub(super) const MMAP: Technique<SearchJob> = Technique {
    name: "mmap",
    idea: "one file after the other: map it, advise MADV_SEQUENTIAL where the system takes that, search the mapping, unmap it",
    source: "ripgrep, crates/searcher/src/searcher/mmap.rs; mmap(2); CreateFileMapping, MapViewOfFile",
    calls: &["mmap file", "!read"],
    ..Technique::usual(|job| job.done_by(search))
};

fn search(job: &SearchJob, _notes: &mut Notes) -> io::Result<()> {
    search_mappings(job, mapped)
}

/// Searches mappings of whole files, which are made by `map`; it gives none for an empty file.
pub(super) fn search_mappings(
    job: &SearchJob,
    map: impl Fn(&Path) -> io::Result<Option<SourceMapping>>,
) -> io::Result<()> {
    let kernel = Best::of(&job.pattern)?;
    let mut answer = Answer::create(&job.answer)?;
    for path in job.files()? {
        if let Some(mapping) = map(&path)? {
            advise_sequential(&mapping)?;
            answer.add_matching(&kernel, &mapping, &prefix_of(&path))?;
        }
    }
    answer.finish(job.durable)
}
