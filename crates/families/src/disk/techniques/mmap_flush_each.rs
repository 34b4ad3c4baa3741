use model::Class;

use super::{DiskJob, Technique, in_phases};
use crate::disk::workload::with_rewriting_only;
use crate::disk::{mapped, system};

pub(super) const MMAP_FLUSH_EACH: Technique<DiskJob> = Technique {
    name: "mmap_flush_each",
    idea: "maps each piece by itself, as published, and flushes it (msync with MS_SYNC, FlushViewOfFile with FlushFileBuffers) \
           after it was written",
    source: "the published disk tests: memory-mapped files",
    class: Class::FlushesEachPiece,
    calls: &["!read", "!pread64", "!write", "!pwrite64", "!fdatasync"],
    calls_at: |workload| in_phases(workload, &["mmap file"], &["mmap file", "msync MS_SYNC"]),
    suits: with_rewriting_only,
    ..Technique::usual(|job| {
        job.done_by_mapping(mapped::read, |job, pieces, data, _notes| {
            let file = system::open_to_map(&job.path)?;
            mapped::write_to(job, &file, pieces, data, system::flush_view)
        })
    })
};
