//! Past the file cache, one piece after the other.

use std::io;

use crate::contract::Technique;
use crate::disk::calls::in_phases;
use crate::disk::content::{NewData, Sum};
use crate::disk::in_turn;
use crate::disk::job::{DiskJob, Notes};
use crate::disk::past_cache::{open_direct, open_direct_to_write, probe_direct};
use crate::disk::pieces::Pieces;
use crate::disk::techniques::buffered;
use crate::files::Buffer;

pub(super) const DIRECT: Technique<DiskJob> = Technique {
    name: "direct",
    idea: "past the file cache (O_DIRECT, FILE_FLAG_NO_BUFFERING), one call a piece, flushed once at the end",
    source: "open(2); Microsoft, File Buffering",
    calls_at: |workload| {
        in_phases(
            workload,
            &["open O_DIRECT|openat O_DIRECT", "pread64"],
            &["open O_DIRECT|openat O_DIRECT", "pwrite64", "fdatasync"],
        )
    },
    needs: "a file system that reads and writes past the file cache",
    probe: |_host, setting| probe_direct(setting),
    ..buffered(|job| job.done_past_cache(read, rewrite))
};

/// As all techniques past the cache that work on one piece after the other.
pub(super) fn read(
    job: &DiskJob,
    pieces: &mut Pieces<'_>,
    memory: &mut Buffer,
    _notes: &mut Notes,
) -> io::Result<Sum> {
    in_turn::read_into(job, memory, &open_direct(job)?, pieces)
}

fn rewrite(job: &DiskJob, pieces: &mut Pieces<'_>, data: &mut NewData, _notes: &mut Notes) -> io::Result<()> {
    let file = open_direct_to_write(job, false)?;
    in_turn::write_to(&file, pieces, data, || Ok(()))?;
    job.end(pieces, file)
}
