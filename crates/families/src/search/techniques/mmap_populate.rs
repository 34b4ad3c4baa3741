use super::mmap::search_mappings;
use crate::search::prelude::*;

pub(super) const MMAP_POPULATE: Technique<SearchJob> = Technique {
    name: "mmap_populate",
    idea: "as mmap, all pages asked for in one call: MAP_POPULATE, or PrefetchVirtualMemory",
    source: "mmap(2), MAP_POPULATE; PrefetchVirtualMemory",
    calls: &["mmap MAP_POPULATE", "!read"],
    variant_of: Some("mmap"),
    ..Technique::usual(|job| job.done_by(|job, _notes| search_mappings(job, SourceMapping::at_once)))
};
