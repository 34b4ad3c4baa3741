//! Files that are open past the file cache.

use std::io;

use model::{Availability, Setting};

use super::content::Sum;
use super::job::{DiskJob, Notes};
use super::pieces::Pieces;
use super::{in_turn, system};
use crate::files::{Buffer, Mapping, OpenFile, direct_alignment, tried_out};

/// Opens the file for reading; its pieces must be aligned.
pub(super) fn open_direct(job: &DiskJob) -> io::Result<OpenFile<'_>> {
    aligned(job, OpenFile::open_direct(&job.path)?)
}

/// Opens the file for writing in place; its pieces must be aligned.
pub(super) fn open_direct_to_write(job: &DiskJob, through: bool) -> io::Result<OpenFile<'_>> {
    aligned(job, system::open_direct_to_write(&job.path, through)?)
}

pub(super) fn read_direct(
    job: &DiskJob, pieces: &mut Pieces<'_>, memory: &mut Buffer, _notes: &mut Notes,
) -> io::Result<Sum> {
    let file = open_direct(job)?;
    in_turn::read_by(job, memory, &file, pieces, |buffer, offset| file.read_at(buffer, offset))
}

/// Refuses pieces that the device does not take.
pub(super) fn aligned<'job>(job: &DiskJob, file: OpenFile<'job>) -> io::Result<OpenFile<'job>> {
    direct_alignment(&file, job.piece_bytes)?;
    Ok(file)
}

/// Reads and writes a page past the cache in the setting's directory.
pub(super) fn probe_direct(setting: &Setting) -> Availability {
    const BYTES: usize = 4_096;
    tried_out(setting, BYTES, "access past the file cache is refused in this directory", |file| {
        let mut page = Mapping::buffer(BYTES)?;
        let source = OpenFile::open_direct(file.path())?;
        // Some file systems take the flag and go through the cache all the same; they report no alignment.
        direct_alignment(&source, BYTES)?;
        source.read_at(&mut page, 0)?;
        system::open_direct_to_write(file.path(), false)?.write_all_at(&page, 0)
    })
}
