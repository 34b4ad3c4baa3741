//! Many pieces in flight: what is read to slots of memory and written from them.

use std::io;
use std::slice;

use super::content::{NewData, Sum};
use super::job::{DiskJob, Notes};
use super::pieces::Pieces;
use super::queue::Queue;
use crate::files::{Buffer, OpenFile};

/// Reads with this many pieces in flight as the job asks for. Where the memory has a slot more, the next transfer begins before the
/// piece that has come is looked at.
pub(super) fn read<'file>(
    job: &DiskJob, file: &'file OpenFile<'file>, pieces: &mut Pieces<'_>, memory: &Buffer, notes: &mut Notes,
) -> io::Result<Sum> {
    let slots = memory.len() / job.piece_bytes;
    let mut transfers = Queue::open(file, memory, slots, false, notes)?;
    let (depth, mut sum) = (job.slots()?, job.sum_of_moved());
    let mut free: Vec<usize> = (0..slots).rev().collect();
    let mut ended = Vec::with_capacity(slots);
    let mut begin_next = |free: &mut Vec<usize>, transfers: &mut Queue<'_>| {
        while transfers.in_flight < depth
            && let Some(&slot) = free.last()
            && let Some(piece) = pieces.next()
        {
            free.pop();
            transfers.begin(slot, piece, slot * job.piece_bytes)?;
        }
        Ok::<(), io::Error>(())
    };
    loop {
        begin_next(&mut free, &mut transfers)?;
        if transfers.in_flight == 0 {
            return Ok(sum);
        }
        transfers.add_ended(&mut ended)?;
        for (slot, piece) in ended.drain(..) {
            begin_next(&mut free, &mut transfers)?;
            let start = memory.address_of(slot * job.piece_bytes);
            // SAFETY: the piece lies inside the memory, and its end has come: nothing writes to it any more.
            sum.add(piece, unsafe { slice::from_raw_parts(start, piece.bytes) });
            free.push(slot);
        }
    }
}

/// Writes with this many pieces in flight as the job asks for. Flushing is left to the caller.
pub(super) fn write<'file>(
    job: &DiskJob, file: &'file OpenFile<'file>, pieces: &mut Pieces<'_>, data: &mut NewData,
    notes: &mut Notes,
) -> io::Result<()> {
    let depth = job.slots()?;
    let mut transfers = Queue::open(file, &data.memory, depth, true, notes)?;
    let mut ended = Vec::with_capacity(depth);
    let mut begin_next = |slot: usize, transfers: &mut Queue<'_>| match pieces.next() {
        Some(piece) => transfers.begin(slot, piece, data.stamped(slot, piece).0),
        None => Ok(()),
    };
    (0..depth).try_for_each(|slot| begin_next(slot, &mut transfers))?;
    while transfers.in_flight > 0 {
        transfers.add_ended(&mut ended)?;
        ended.drain(..).try_for_each(|(slot, _)| begin_next(slot, &mut transfers))?;
    }
    Ok(())
}
