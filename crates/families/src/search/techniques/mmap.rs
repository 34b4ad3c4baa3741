use crate::files::OpenFile;
use crate::search::output::Answer;
use crate::search::prelude::*;

pub(super) const MMAP: Technique<SearchJob> = Technique {
    name: "mmap",
    idea: "one file after the other: map it, advise MADV_SEQUENTIAL where the system takes that, search the mapping, unmap it",
    source: "ripgrep, crates/searcher/src/searcher/mmap.rs; mmap(2); CreateFileMapping, MapViewOfFile",
    calls: &["mmap file", "!read"],
    ..Technique::usual(|job| job.done_by(|job, _notes| search_mappings(job, SourceMapping::sequential)))
};

pub(super) const MMAP_POPULATE: Technique<SearchJob> = Technique {
    name: "mmap_populate",
    idea: "as mmap, all pages asked for in one call instead of the advice: MAP_POPULATE, or PrefetchVirtualMemory",
    source: "mmap(2), MAP_POPULATE; PrefetchVirtualMemory",
    calls: &["mmap MAP_POPULATE", "!read"],
    variant_of: Some("mmap"),
    ..Technique::usual(|job| job.done_by(|job, _notes| search_mappings(job, SourceMapping::at_once)))
};

type Map = fn(&OpenFile, u64) -> io::Result<SourceMapping>;

/// Maps a whole file; `None` for an empty one, which no mapping can be.
pub(super) fn mapped(path: &Path, map: Map) -> io::Result<Option<SourceMapping>> {
    let file = OpenFile::open(path)?;
    match file.size_bytes()? {
        0 => Ok(None),
        bytes => map(&file, bytes).map(Some),
    }
}

fn search_mappings(job: &SearchJob, map: Map) -> io::Result<()> {
    let kernel = Best::of(&job.pattern)?;
    let mut answer = Answer::create(&job.answer)?;
    for path in job.files()? {
        if let Some(mapping) = mapped(&path, map)? {
            answer.add_matching(&kernel, &mapping, &prefix_of(&path))?;
        }
    }
    answer.finish(job.durable)
}
