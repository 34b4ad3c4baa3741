//! The source is mapped with all its pages at once and written from there.

use std::io;

use model::Class;

use super::mmap_write::write_from_mapping;
use crate::contract::Technique;
use crate::copy::job::{CopyJob, Notes, always};

pub(in crate::copy) const MMAP_WRITE_POPULATE: Technique<CopyJob> = Technique {
    name: "mmap_write_populate",
    alias: &[],
    idea: "map the source with MAP_POPULATE, write from the mapping 1 MiB at a time",
    source: "mmap(2)",
    class: Class::MovesBytes,
    ceiling: false,
    parameter: None,
    probe: always,
    prepare: |job| job.done_by(copy),
};

fn copy(job: &CopyJob, _notes: &mut Notes) -> io::Result<()> {
    write_from_mapping(job, true)
}
