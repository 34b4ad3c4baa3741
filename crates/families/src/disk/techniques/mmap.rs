use super::{DiskJob, Technique, in_phases};
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
