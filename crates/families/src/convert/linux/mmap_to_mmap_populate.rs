//! Both files are mapped, and their pages are looked up before they are touched.

use model::Class;

use super::mmap_to_mmap::{PIECE_BYTES, convert_mapped};
use crate::contract::Technique;
use crate::convert::job::{ConvertJob, always};
use crate::files::Mapping;

pub(in crate::convert) const MMAP_TO_MMAP_POPULATE: Technique<ConvertJob> = Technique {
    name: "mmap_to_mmap_populate",
    alias: &[],
    idea: "as mmap_to_mmap, and for every 1 MiB of input: MADV_POPULATE_READ there, MADV_POPULATE_WRITE in the output",
    source: "madvise(2)",
    class: Class::MovesBytes,
    ceiling: false,
    parameter: None,
    probe: always,
    prepare: |job| job.done_by(|job, notes| convert_mapped(job, notes, populate)),
};

/// The pages of the piece that begins at `start`, and of what it becomes.
pub(super) fn populate(from: &Mapping, to: &Mapping, start: usize) {
    let end = from.len().min(start + PIECE_BYTES);
    from.populate(start..end);
    to.populate_for_writing(2 * start..2 * end);
}
