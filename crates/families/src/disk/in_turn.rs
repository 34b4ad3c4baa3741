//! One piece after the other: what most techniques share.

use std::io;

use super::content::{NewData, Sum};
use super::job::{DiskJob, Notes};
use super::pieces::{Piece, Pieces};
use super::system;
use crate::files::{Buffer, OpenFile};

/// Reads with one call a piece, as the plain technique does.
pub(super) fn read(
    job: &DiskJob, pieces: &mut Pieces<'_>, memory: &mut Buffer, _notes: &mut Notes,
) -> io::Result<Sum> {
    let file = OpenFile::open(&job.path)?;
    read_by(job, memory, &file, pieces, |buffer, offset| file.read_at(buffer, offset))
}

/// Reads from an open file by a call that gives what it can, into a buffer that is as long as a piece.
pub(super) fn read_by(
    job: &DiskJob, buffer: &mut [u8], file: &OpenFile, pieces: &mut Pieces<'_>,
    mut read_at: impl FnMut(&mut [u8], u64) -> io::Result<usize>,
) -> io::Result<Sum> {
    let mut sum = job.sum_of_moved();
    for piece in pieces {
        let Piece { offset, bytes } = piece;
        let mut filled = 0;
        while filled < bytes {
            match read_at(&mut buffer[filled..bytes], offset + filled as u64)? {
                0 => return Err(file.at("read")(io::Error::from(io::ErrorKind::UnexpectedEof))),
                count => filled += count,
            }
        }
        sum.add(piece, &buffer[..bytes]);
    }
    Ok(sum)
}

/// Writes with one call a piece; `after_each` comes behind every one of them.
pub(super) fn write_to(
    file: &OpenFile, pieces: &mut Pieces<'_>, data: &mut NewData,
    mut after_each: impl FnMut() -> io::Result<()>,
) -> io::Result<()> {
    for piece in pieces {
        file.write_all_at(data.stamped(0, piece).1, piece.offset)?;
        after_each()?;
    }
    Ok(())
}

/// Rewrites what a phase that was cut short has left. Nothing of it is timed.
pub(super) fn rewrite_rest(
    job: &DiskJob, rest: impl Iterator<Item = Piece>, data: &mut NewData,
) -> io::Result<()> {
    let file = system::open_to_write(&job.path)?;
    let most = data.most_bytes;
    for part in rest.flat_map(|piece| piece.parts(most)) {
        file.write_all_at(data.stamped(0, part).1, part.offset)?;
    }
    file.finish_one_of_many(job.is_durable)
}
