//! A flush behind every piece.

use std::io;

use model::Class;

use crate::contract::Technique;
use crate::disk::calls::in_phases;
use crate::disk::content::NewData;
use crate::disk::in_turn;
use crate::disk::job::{DiskJob, Notes};
use crate::disk::pieces::Pieces;
use crate::disk::system;
use crate::disk::techniques::buffered;
use crate::disk::workload::with_rewriting_only;

pub(super) const FLUSH_EACH: Technique<DiskJob> = Technique {
    name: "flush_each",
    idea: "one write call a piece, and one flush of the data (fdatasync, FlushFileBuffers) behind each",
    source: "fdatasync(2); Microsoft, FlushFileBuffers",
    class: Class::FlushesEachPiece,
    calls_at: |workload| in_phases(workload, &["pread64"], &["fdatasync *pwrite64", "pwrite64"]),
    suits: with_rewriting_only,
    ..buffered(|job| job.done_by(in_turn::read, rewrite))
};

fn rewrite(job: &DiskJob, pieces: &mut Pieces<'_>, data: &mut NewData, _notes: &mut Notes) -> io::Result<()> {
    let file = system::open_to_write(&job.path)?;
    in_turn::write_to(&file, pieces, data, || system::flush(&file))
}
