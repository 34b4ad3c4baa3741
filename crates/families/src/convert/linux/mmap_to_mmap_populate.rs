//! Both files are mapped, and their pages are looked up before they are touched.

use model::Class;

use super::system::{look_up, look_up_for_writing};
use crate::contract::Technique;
use crate::convert::job::{ConvertJob, always};
use crate::convert::mmap_to_mmap::convert_mapped;

pub(in crate::convert) const MMAP_TO_MMAP_POPULATE: Technique<ConvertJob> = Technique {
    name: "mmap_to_mmap_populate",
    alias: &[],
    idea: "as mmap_to_mmap, and for every 1 MiB of input: MADV_POPULATE_READ there, MADV_POPULATE_WRITE in the output",
    source: "madvise(2)",
    class: Class::MovesBytes,
    ceiling: false,
    parameter: None,
    probe: always,
    prepare: |job| {
        job.done_by(|job, notes| {
            convert_mapped(job, job.kernel(), notes, |piece, units| {
                look_up(piece);
                look_up_for_writing(units);
            })
        })
    },
};
