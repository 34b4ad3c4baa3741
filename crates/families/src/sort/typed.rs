//! Records as values of a type: what the sorts of the standard library need to move them.

use std::io;

use super::job::{Account, SortJob, Sorted};
use super::layout::Layout;
use super::ordered::deliver_moved;
use super::source::{Room, no_room, read_whole};

/// A sort of values, for records of any length that is known at compile time.
pub(super) trait SortValues {
    fn sort<const BYTES: usize>(&self, records: &mut [[u8; BYTES]], layout: Layout) -> io::Result<()>;
}

/// Reads all records, sorts them as values of a type, and writes them.
pub(super) fn sort_values(
    job: &SortJob, account: &mut Account, sorter: &impl SortValues,
) -> io::Result<Sorted> {
    let mut records = account.phase("read", || read_whole(job))?;
    let sorted = account.phase("sort", || sort_typed(&mut records, job.layout, sorter))?;
    if !sorted {
        let length = job.layout.record_bytes();
        account.note(format!(
            "fell back: records of {length} bytes are no type of this program, so their positions were sorted first"
        ));
        records = account.phase("sort", || sort_untyped(&records, job.layout))?;
    }
    deliver_moved(job, records, false, account)
}

/// Sorts records of the lengths that are known as types; returns whether it did.
fn sort_typed(records: &mut [u8], layout: Layout, sorter: &impl SortValues) -> io::Result<bool> {
    match layout.record_bytes() {
        8 => sorter.sort(records.as_chunks_mut::<8>().0, layout)?,
        16 => sorter.sort(records.as_chunks_mut::<16>().0, layout)?,
        32 => sorter.sort(records.as_chunks_mut::<32>().0, layout)?,
        64 => sorter.sort(records.as_chunks_mut::<64>().0, layout)?,
        100 => sorter.sort(records.as_chunks_mut::<100>().0, layout)?,
        128 => sorter.sort(records.as_chunks_mut::<128>().0, layout)?,
        256 => sorter.sort(records.as_chunks_mut::<256>().0, layout)?,
        _ => return Ok(false),
    }
    Ok(true)
}

/// Sorts the positions of records of any other length, then moves each record once.
fn sort_untyped(records: &[u8], layout: Layout) -> io::Result<Room<u8>> {
    let count = records.len() / layout.record_bytes();
    let mut positions = Vec::new();
    let room = positions.try_reserve_exact(count);
    room.map_err(|_| no_room("the positions of the records", count * size_of::<u32>()))?;
    positions.extend(0..count as u32);
    let key = |position: &u32| layout.key(layout.record(records, *position as usize));
    positions.sort_unstable_by(|a, b| key(a).cmp(key(b)));
    let mut moved = Room::new(records.len())?;
    for (place, &position) in moved.chunks_exact_mut(layout.record_bytes()).zip(&positions) {
        place.copy_from_slice(layout.record(records, position as usize));
    }
    Ok(moved)
}
