//! Each piece is mapped and written, and all of them are flushed together.

use std::io;

use crate::contract::Technique;
use crate::disk::calls::in_phases;
use crate::disk::content::NewData;
use crate::disk::job::{DiskJob, Notes};
use crate::disk::mapped;
use crate::disk::pieces::Pieces;
use crate::disk::system;

pub(super) const MMAP: Technique<DiskJob> = Technique {
    name: "mmap",
    idea: "each piece mapped by itself, the file flushed once at the end",
    source: "mmap(2); Microsoft, File Mapping",
    calls: &["!read", "!pread64", "!write", "!pwrite64", "!msync"],
    calls_at: |workload| in_phases(workload, &["mmap file"], &["mmap file", "fdatasync"]),
    ..Technique::usual(|job| job.done_by_mapping(mapped::read, rewrite))
};

fn rewrite(job: &DiskJob, pieces: &mut Pieces<'_>, data: &mut NewData, _notes: &mut Notes) -> io::Result<()> {
    let file = system::open_to_map(&job.path)?;
    mapped::write_to(job, &file, pieces, data, system::hand_over_view)?;
    job.end(pieces, file)
}
