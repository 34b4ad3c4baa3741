use crate::convert::prelude::*;
use crate::convert::techniques::mmap_to_mmap::convert_mapped;

pub(in crate::convert) const MMAP_TO_MMAP_POPULATE: Technique<ConvertJob> = Technique {
    name: "mmap_to_mmap_populate",
    idea: "as mmap_to_mmap, and for every 1 MiB of input: MADV_POPULATE_READ there, MADV_POPULATE_WRITE in the output",
    source: "madvise(2)",
    calls: &[
        "fallocate",
        "mmap MAP_SHARED",
        "madvise MADV_POPULATE_READ",
        "madvise MADV_POPULATE_WRITE",
        "!read",
        "!write",
    ],
    variant_of: Some("mmap_to_mmap"),
    ..Technique::usual(|job| {
        job.done_by(|job, notes| {
            convert_mapped(job, job.kernel(), notes, |piece, units| {
                look_up(piece);
                look_up_for_writing(units);
            })
        })
    })
};
