//! Each file is mapped with all of its pages, by one call in place of faults.

use std::io;

use model::Class;

use super::mmap::search_mappings;
use crate::contract::Technique;
use crate::search::job::{Notes, SearchJob, always};

pub(in crate::search) const MMAP_POPULATE: Technique<SearchJob> = Technique {
    name: "mmap_populate",
    alias: &[],
    idea: "as mmap, with MAP_POPULATE: all pages are looked up in one call",
    source: "mmap(2), MAP_POPULATE",
    class: Class::MovesBytes,
    ceiling: false,
    parameter: None,
    probe: always,
    prepare: |job| job.done_by(search),
};

fn search(job: &SearchJob, _notes: &mut Notes) -> io::Result<()> {
    search_mappings(job, true)
}
