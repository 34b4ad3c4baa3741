use super::{DiskJob, Technique, in_phases};
use crate::disk::workload::phases;
use crate::disk::{mapped, system};

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
