//! Each file is mapped and searched where it lies in the file cache.

use std::io;

use model::Class;

use crate::contract::Technique;
use crate::files::{Mapping, OpenFile};
use crate::search::job::{Notes, SearchJob, always, prefix_of};
use crate::search::kernel::Best;
use crate::search::output::Answer;

pub(in crate::search) const MMAP: Technique<SearchJob> = Technique {
    name: "mmap",
    alias: &[],
    idea: "one file after the other: map it, search the view, unmap it",
    source: "ripgrep, crates/searcher/src/searcher/mmap.rs; CreateFileMapping, MapViewOfFile",
    class: Class::MovesBytes,
    ceiling: false,
    parameter: None,
    probe: always,
    prepare: |job| job.done_by(search),
};

fn search(job: &SearchJob, _notes: &mut Notes) -> io::Result<()> {
    let kernel = Best::of(&job.pattern)?;
    let mut answer = Answer::create(&job.answer)?;
    for path in job.files()? {
        let file = OpenFile::open(&path)?;
        let bytes = file.size_bytes()? as usize;
        // No mapping can be empty.
        if bytes > 0 {
            let mapping = Mapping::of_source(&file, bytes)?;
            answer.add_matching(&kernel, &mapping, &prefix_of(&path))?;
        }
    }
    answer.finish(job.durable)
}
