use model::Class;

use super::{DiskJob, Technique, in_phases};
use crate::disk::workload::{phases, with_rewriting_only};
use crate::disk::{mapped, system};

pub(super) const MMAP: Technique<DiskJob> = Technique {
    name: "mmap",
    idea: "maps each piece by itself, as published, and flushes the file once at the end; mmap_once maps the file once",
    source: "mmap(2); Microsoft, File Mapping",
    calls: &["!read", "!pread64", "!write", "!pwrite64", "!msync"],
    calls_at: |workload| in_phases(workload, &["mmap file"], &["mmap file", "fdatasync"]),
    ..Technique::usual(|job| {
        job.done_by_mapping(mapped::read, |job, pieces, data, _notes| {
            let file = system::open_to_map(&job.path)?;
            mapped::write_to(job, &file, pieces, data, |file, view| view.hand_over(file))?;
            job.end(pieces, file)
        })
    })
};

pub(super) const MMAP_ONCE: Technique<DiskJob> = Technique {
    name: "mmap_once",
    idea: "maps the whole file once a phase, works on the pieces in that one mapping, and flushes the file once at the end; \
           mmap maps each piece by itself",
    source: "mmap(2); Microsoft, File Mapping; what programs usually do with a file that fits into the address space",
    calls: &["!read", "!pread64", "!write", "!pwrite64", "!msync"],
    calls_at: |workload| {
        let mut expected = in_phases(workload, &["mmap file"], &["mmap file", "fdatasync"]);
        expected.push(format!("!mmap file *{}", 1 + phases(workload).unwrap_or_default().len()));
        expected
    },
    ..Technique::usual(|job| {
        job.done_by_mapping(mapped::read_once, |job, pieces, data, _notes| {
            let file = system::open_to_map(&job.path)?;
            mapped::write_once(job, &file, pieces, data)?;
            job.end(pieces, file)
        })
    })
};

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
