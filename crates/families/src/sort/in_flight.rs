//! Blocks read and written by the system itself next to the merge, past the file cache.

use std::io;
use std::ops::Range;

use super::direct::Queue;
use super::layout::{Layout, PAGE_BYTES};
use super::merge::{Done, Order, Transfers, blocks_for, merge_runs};
use super::room::Room;
use crate::files::OpenFile;

/// A read or write that the system does while the program does something else.
#[derive(Debug, Clone, Copy)]
pub(super) struct Transfer {
    /// Whether it goes to the output; otherwise it comes from the runs.
    pub(super) is_write: bool,
    pub(super) memory: *mut u8,
    pub(super) bytes: usize,
    pub(super) offset: u64,
}

/// Merges sorted runs, each a range of bytes in `from`, into `to`, with all reads and writes in flight. Both files were
/// opened for the queue, and blocks and runs begin and end with pages; the last run may end anywhere, and then the output
/// is padded to a whole page.
pub(super) fn merge_in_flight(
    from: &OpenFile,
    runs: &[Range<u64>],
    to: &OpenFile,
    layout: Layout,
    block_bytes: usize,
    notes: &mut Vec<String>,
) -> io::Result<()> {
    let blocks = blocks_for(runs.len());
    let mut memory = Room::<u8>::new(blocks * block_bytes)?;
    let queue = Queue::new(blocks, from, to, notes)?;
    let slots = (0..blocks).map(|_| None).collect();
    let mut in_flight = InFlight { queue, files: [from, to], slots, count: 0 };
    merge_runs(runs, layout, &mut memory, block_bytes, &mut in_flight)
}

/// What the system is doing. Dropping it waits for all of it: until then the memory belongs to the system.
struct InFlight<'file, 'memory> {
    queue: Queue<'file>,
    files: [&'file OpenFile<'file>; 2],
    /// One for each block: an order is in the slot of which the queue tells the end.
    slots: Vec<Option<Slot<'memory>>>,
    count: usize,
}

struct Slot<'memory> {
    order: Order<'memory>,
    moved: usize,
}

impl<'memory> Slot<'memory> {
    fn transfer(&mut self) -> Transfer {
        let (is_write, offset, length, block) = match &mut self.order {
            Order::Read { offset, length, block, .. } => (false, *offset, *length, block),
            Order::Write { offset, length, block } => (true, *offset, *length, block),
        };
        // Whole pages only; a block has room for them.
        let padded = length.next_multiple_of(PAGE_BYTES);
        if is_write {
            block[length..padded].fill(0);
        }
        let memory = block[self.moved..padded].as_mut_ptr();
        Transfer { is_write, memory, bytes: padded - self.moved, offset: offset + self.moved as u64 }
    }

    /// Books what was moved; tells whether the order is done.
    fn has_moved(&mut self, count: usize) -> io::Result<bool> {
        let (length, nothing) = match self.order {
            Order::Read { length, .. } => (length, io::ErrorKind::UnexpectedEof),
            Order::Write { length, .. } => (length, io::ErrorKind::WriteZero),
        };
        if self.moved + count >= length {
            return Ok(true);
        }
        // What is left must begin with a page again.
        let whole = (self.moved + count) / PAGE_BYTES * PAGE_BYTES;
        if whole == self.moved {
            return Err(io::Error::from(nothing));
        }
        self.moved = whole;
        Ok(false)
    }

    fn done(self) -> Done<'memory> {
        match self.order {
            Order::Read { run, offset, length, block } => Done::Read { run, offset, length, block },
            Order::Write { block, .. } => Done::Written { block },
        }
    }

    fn is_write(&self) -> bool {
        matches!(self.order, Order::Write { .. })
    }
}

impl<'file, 'memory> InFlight<'file, 'memory> {
    fn submit(&mut self, nth: usize, mut slot: Slot<'memory>) -> io::Result<()> {
        let transfer = slot.transfer();
        let named = self.named(&slot);
        self.slots[nth] = Some(slot);
        // SAFETY: the block is in its slot, where it is not touched until its end is told or this value is dropped,
        // which waits for that; blocks begin with pages.
        unsafe { self.queue.start(nth, transfer) }.map_err(named)?;
        self.count += 1;
        Ok(())
    }

    fn named(&self, slot: &Slot) -> impl FnOnce(io::Error) -> io::Error + use<'file, 'memory> {
        let (nth, step) = if slot.is_write() { (1, "write") } else { (0, "read") };
        let file = self.files[nth];
        move |error| file.at(step)(error)
    }
}

impl<'memory> Transfers<'memory> for InFlight<'_, 'memory> {
    fn start(&mut self, order: Order<'memory>) -> io::Result<()> {
        let free = self.slots.iter().position(Option::is_none);
        let nth = free.ok_or_else(|| io::Error::other("more blocks are in flight than there are"))?;
        self.submit(nth, Slot { order, moved: 0 })
    }

    fn wait(&mut self) -> io::Result<Done<'memory>> {
        loop {
            let (nth, answer) = self.queue.wait()?;
            self.count -= 1;
            let taken = self.slots.get_mut(nth).and_then(Option::take);
            let mut slot = taken.ok_or_else(|| io::Error::other("an end of what was not begun"))?;
            let named = self.named(&slot);
            match answer.and_then(|count| slot.has_moved(count)).map_err(named)? {
                true => return Ok(slot.done()),
                false => self.submit(nth, slot)?,
            }
        }
    }
}

impl Drop for InFlight<'_, '_> {
    fn drop(&mut self) {
        while self.count > 0 {
            match self.queue.wait() {
                Ok(_) => self.count -= 1,
                // The system may still write to memory that is given back next.
                Err(_) => std::process::abort(),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LENGTH: usize = 2 * PAGE_BYTES + 100;

    fn reading(block: &mut [u8]) -> Slot<'_> {
        Slot { order: Order::Read { run: 0, offset: 8_192, length: LENGTH, block }, moved: 0 }
    }

    #[test]
    fn a_transfer_is_whole_pages_and_a_written_tail_is_padded_with_zeros() {
        let mut block = vec![7; 4 * PAGE_BYTES];
        let mut slot =
            Slot { order: Order::Write { offset: 0, length: LENGTH, block: &mut block }, moved: 0 };
        assert_eq!(slot.transfer().bytes, 3 * PAGE_BYTES);
        assert!(block[..LENGTH].iter().all(|&byte| byte == 7));
        assert!(block[LENGTH..3 * PAGE_BYTES].iter().all(|&byte| byte == 0));
        assert!(block[3 * PAGE_BYTES..].iter().all(|&byte| byte == 7));
    }

    #[test]
    fn what_a_short_transfer_left_begins_with_a_page_again() {
        let mut block = vec![0; 4 * PAGE_BYTES];
        let mut slot = reading(&mut block);
        let first = slot.transfer();
        assert!(!slot.has_moved(PAGE_BYTES + 1).expect("a short read is no error"));
        let rest = slot.transfer();
        assert_eq!((rest.bytes, rest.offset), (2 * PAGE_BYTES, first.offset + PAGE_BYTES as u64));
        assert_eq!(rest.memory.addr(), first.memory.addr() + PAGE_BYTES);
        // The file ends inside of the last page.
        assert!(slot.has_moved(PAGE_BYTES + 100).expect("all is there"));
    }

    #[test]
    fn a_transfer_that_moves_nothing_is_an_error() {
        let mut block = vec![0; 4 * PAGE_BYTES];
        for count in [0, 99] {
            let refused = reading(&mut block).has_moved(count).expect_err("an end");
            assert_eq!(refused.kind(), io::ErrorKind::UnexpectedEof);
        }
    }
}
