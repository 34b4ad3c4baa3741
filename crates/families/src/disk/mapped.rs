//! Pieces that lie in the mapped file: each mapped by itself, or all in one mapping of the whole file.

use std::io;

use super::content::{NewData, Sum};
use super::job::{DiskJob, Notes};
use super::pieces::{Piece, Pieces};
use super::system::VIEW_BYTES;
use crate::files::{Buffer, Mapping, OpenFile, Section, SourceMapping};

/// Maps each piece and adds up what stands in it.
pub(super) fn read(
    job: &DiskJob, pieces: &mut Pieces<'_>, _memory: &mut Buffer, _notes: &mut Notes,
) -> io::Result<Sum> {
    let file = OpenFile::open(&job.path)?;
    let section = Section::of_source(&file, job.order.bytes)?;
    let mut sum = Sum::of(job.piece_bytes, None);
    for piece in pieces {
        let (start, bytes, skipped) = view_of(piece);
        sum.add(piece, &section.view(start, bytes)?[skipped..]);
    }
    Ok(sum)
}

/// Maps each piece and copies the new data into it; `after_each` is what becomes of a view.
pub(super) fn write_to(
    job: &DiskJob, file: &OpenFile, pieces: &mut Pieces<'_>, data: &mut NewData,
    after_each: fn(&OpenFile, &mut Mapping) -> io::Result<()>,
) -> io::Result<()> {
    let section = Section::of_destination(file, job.order.bytes)?;
    for piece in pieces {
        let (start, bytes, skipped) = view_of(piece);
        let mut view: Mapping = section.view(start, bytes)?;
        fill(&mut view[skipped..], piece, data);
        after_each(file, &mut view)?;
    }
    Ok(())
}

/// Maps the whole file once, and adds up what stands in each piece.
pub(super) fn read_once(
    job: &DiskJob, pieces: &mut Pieces<'_>, _memory: &mut Buffer, _notes: &mut Notes,
) -> io::Result<Sum> {
    let file = OpenFile::open(&job.path)?;
    let whole = SourceMapping::of_source(&file, job.order.bytes)?;
    let mut sum = Sum::of(job.piece_bytes, None);
    for piece in pieces {
        sum.add(piece, &whole[piece.offset as usize..][..piece.bytes]);
    }
    Ok(sum)
}

/// Maps the whole file once, copies the new data into each piece, and hands all of it over at the end.
pub(super) fn write_once(
    job: &DiskJob, file: &OpenFile, pieces: &mut Pieces<'_>, data: &mut NewData,
) -> io::Result<()> {
    let mut whole = Mapping::of_destination(file, job.order.bytes as usize)?;
    for piece in pieces {
        fill(&mut whole[piece.offset as usize..][..piece.bytes], piece, data);
    }
    whole.hand_over(file)
}

/// Copies the new data of a piece to where it is mapped, in parts.
fn fill(mut rest: &mut [u8], piece: Piece, data: &mut NewData) {
    let most = data.most_bytes;
    for part in piece.parts(most) {
        let (into, behind) = rest.split_at_mut(part.bytes);
        into.copy_from_slice(data.stamped(0, part).1);
        rest = behind;
    }
}

/// Returns the offset of the view of a piece, its length, and the bytes of it before the piece.
fn view_of(piece: Piece) -> (u64, usize, usize) {
    let skipped = piece.offset % VIEW_BYTES;
    (piece.offset - skipped, skipped as usize + piece.bytes, skipped as usize)
}
