//! Many pieces in flight: what is read to slots of memory and written from them.

use std::io;
use std::slice;

use super::content::{NewData, Sum};
use super::job::DiskJob;
use super::pieces::{Piece, Pieces};
use crate::files::Buffer;

/// Transfers that the system does meanwhile, each to or from a slot of the memory.
pub(super) trait Transfers {
    /// Begins the transfer of a piece, whose memory begins at `start` among the buffers.
    ///
    /// # Errors
    /// Whatever the operating system reports.
    fn begin(&mut self, slot: usize, piece: Piece, start: usize) -> io::Result<()>;

    /// Waits for at least one end, and adds the slots and pieces that were moved whole.
    ///
    /// # Errors
    /// A piece could not be moved.
    fn add_ended(&mut self, ended: &mut Vec<(usize, Piece)>) -> io::Result<()>;

    /// How many transfers are under way.
    fn in_flight(&self) -> usize;
}

/// How many pieces the memory has room for.
pub(super) fn slots_of(memory: &Buffer, job: &DiskJob) -> usize {
    memory.len() / job.piece_bytes
}

/// Reads with this many pieces in flight as the job asks for. Where the memory has a slot more, the next transfer begins before the
/// piece that has come is looked at.
pub(super) fn read(
    job: &DiskJob,
    pieces: &mut Pieces<'_>,
    memory: &Buffer,
    transfers: &mut impl Transfers,
) -> io::Result<Sum> {
    let depth = job.slots()?;
    let mut sum = job.sum_of_moved();
    let mut free: Vec<usize> = (0..slots_of(memory, job)).rev().collect();
    let mut ended = Vec::with_capacity(free.len());
    let mut begin_next = |free: &mut Vec<usize>, transfers: &mut dyn Transfers| {
        while transfers.in_flight() < depth
            && let Some(&slot) = free.last()
            && let Some(piece) = pieces.next()
        {
            free.pop();
            transfers.begin(slot, piece, slot * job.piece_bytes)?;
        }
        Ok::<(), io::Error>(())
    };
    loop {
        begin_next(&mut free, transfers)?;
        if transfers.in_flight() == 0 {
            return Ok(sum);
        }
        transfers.add_ended(&mut ended)?;
        for (slot, piece) in ended.drain(..) {
            begin_next(&mut free, transfers)?;
            let start = memory.address_of(slot * job.piece_bytes);
            // SAFETY: the piece lies inside the memory, and its end has come: nothing writes to it any more.
            sum.add(piece, unsafe { slice::from_raw_parts(start, piece.bytes) });
            free.push(slot);
        }
    }
}

/// Writes with this many pieces in flight. Flushing is left to the caller.
pub(super) fn write(
    depth: usize,
    pieces: &mut Pieces<'_>,
    data: &mut NewData,
    transfers: &mut impl Transfers,
) -> io::Result<()> {
    let mut ended = Vec::with_capacity(depth);
    let mut begin_next = |slot: usize, transfers: &mut dyn Transfers| match pieces.next() {
        Some(piece) => transfers.begin(slot, piece, data.stamped(slot, piece).0),
        None => Ok(()),
    };
    (0..depth).try_for_each(|slot| begin_next(slot, transfers))?;
    while transfers.in_flight() > 0 {
        transfers.add_ended(&mut ended)?;
        ended.drain(..).try_for_each(|(slot, _)| begin_next(slot, transfers))?;
    }
    Ok(())
}
