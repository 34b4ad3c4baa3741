//! A process for every file, but no more at a time than there are processors.

use std::io;

use model::Class;

use super::children::search_in_children;
use crate::contract::Technique;
use crate::search::job::{Notes, SearchJob, always};

pub(in crate::search) const PROCESS_PER_PROCESSOR: Technique<SearchJob> = Technique {
    name: "process_per_processor",
    alias: &[],
    idea: "one process a file, as many at a time as there are processors; the next starts when one has ended",
    source: "xargs -P",
    class: Class::MovesBytes,
    ceiling: false,
    parameter: None,
    probe: always,
    prepare: |job| job.done_by(search),
};

fn search(job: &SearchJob, _notes: &mut Notes) -> io::Result<()> {
    search_in_children(job, job.processors()).map(|_| ())
}
