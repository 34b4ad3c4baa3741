//! One call of the system a piece.

use std::io;

use crate::contract::Technique;
use crate::disk::calls::in_phases;
use crate::disk::content::NewData;
use crate::disk::in_turn;
use crate::disk::job::{DiskJob, Notes};
use crate::disk::pieces::Pieces;
use crate::disk::system;
use crate::disk::techniques::buffered;

pub(super) const READ_WRITE: Technique<DiskJob> = Technique {
    name: "read_write",
    idea: "the system's read and write calls, one a piece, flushed once at the end",
    source: "the published disk tests: system calls without synchronisation",
    calls: &["!open O_DIRECT|openat O_DIRECT"],
    calls_at: |workload| in_phases(workload, &["pread64"], &["pwrite64", "fdatasync"]),
    ..buffered(|job| job.done_by(in_turn::read, rewrite))
};

fn rewrite(job: &DiskJob, pieces: &mut Pieces<'_>, data: &mut NewData, _notes: &mut Notes) -> io::Result<()> {
    let file = system::open_to_write(&job.path)?;
    in_turn::write_to(&file, pieces, data, || Ok(()))?;
    job.end(pieces, file)
}
