//! Blocks read and written while the merge goes on: by a thread through the file cache, or past it by the system itself.

use std::io;
use std::ops::Range;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::Builder;

use sys::thread_scope::scope;

use super::direct::Queue;
use super::layout::{Layout, PAGE_BYTES};
use super::merge::{Order, Transfers, blocks_for, merge_runs};
use super::source::{Room, bytes_of_threads, ensure_room, read_exactly};
use crate::files::{OpenFile, no_thread};

#[derive(Debug, Clone, Copy)]
pub(super) struct Transfer {
    /// True where it goes to the output, not from the runs.
    pub(super) is_write: bool,
    pub(super) memory: *mut u8,
    pub(super) bytes: usize,
    pub(super) offset: u64,
}

/// Merges sorted runs, all transfers in flight, into a file padded to a page. Both are open for a queue; blocks are pages.
pub(super) fn merge_in_flight(
    from: &OpenFile, runs: &[Range<u64>], to: &OpenFile, layout: Layout, block_bytes: usize,
    notes: &mut Vec<String>,
) -> io::Result<()> {
    let blocks = blocks_for(runs.len());
    let mut memory = Room::<u8>::new(blocks * block_bytes)?;
    let queue = Queue::new(blocks, from, to, notes)?;
    let slots = (0..blocks).map(|_| None).collect();
    let mut in_flight = InFlight { queue, files: [from, to], slots, count: 0 };
    merge_runs(runs, layout, &mut memory, block_bytes, &mut in_flight)
}

/// The transfers in flight. Dropping it waits for all: until then the memory belongs to the system.
struct InFlight<'file, 'memory> {
    queue: Queue<'file>,
    files: [&'file OpenFile<'file>; 2],
    slots: Vec<Option<Slot<'memory>>>,
    count: usize,
}

struct Slot<'memory> {
    order: Order<'memory>,
    moved: usize,
}

impl<'memory> Slot<'memory> {
    fn transfer(&mut self) -> Transfer {
        let Order { run, offset, length, ref mut block } = self.order;
        let is_write = run.is_none();
        // Whole pages only; a block has room for them.
        let padded = length.next_multiple_of(PAGE_BYTES);
        if is_write {
            block[length..padded].fill(0);
        }
        let memory = block[self.moved..padded].as_mut_ptr();
        Transfer { is_write, memory, bytes: padded - self.moved, offset: offset + self.moved as u64 }
    }

    /// Books the moved bytes; returns whether the order is done.
    fn has_moved(&mut self, count: usize) -> io::Result<bool> {
        if self.moved + count >= self.order.length {
            return Ok(true);
        }
        // What is left must begin with a page again.
        let whole = (self.moved + count) / PAGE_BYTES * PAGE_BYTES;
        if whole == self.moved {
            return Err(io::Error::from(match self.order.run {
                Some(_) => io::ErrorKind::UnexpectedEof,
                None => io::ErrorKind::WriteZero,
            }));
        }
        self.moved = whole;
        Ok(false)
    }
}

impl<'file, 'memory> InFlight<'file, 'memory> {
    fn submit(&mut self, nth: usize, mut slot: Slot<'memory>) -> io::Result<()> {
        let transfer = slot.transfer();
        let named = self.named(&slot);
        self.slots[nth] = Some(slot);
        // SAFETY: nothing touches the block in its slot until its end is reported or waited for by `drop`; it begins with a page.
        unsafe { self.queue.start(nth, transfer) }.map_err(named)?;
        self.count += 1;
        Ok(())
    }

    fn named(&self, slot: &Slot) -> impl FnOnce(io::Error) -> io::Error + use<'file, 'memory> {
        let (nth, step) = if slot.order.run.is_none() { (1, "write") } else { (0, "read") };
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

    fn wait(&mut self) -> io::Result<Order<'memory>> {
        loop {
            let (nth, answer) = self.queue.wait()?;
            self.count -= 1;
            let taken = self.slots.get_mut(nth).and_then(Option::take);
            let mut slot = taken.ok_or_else(|| io::Error::other("an end of what was not begun"))?;
            let named = self.named(&slot);
            if answer.and_then(|count| slot.has_moved(count)).map_err(named)? {
                return Ok(slot.order);
            } else {
                self.submit(nth, slot)?
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

const STACK_BYTES: usize = 256 << 10;

/// Merges sorted runs, each a range of bytes in `from`, into `to`, while another thread reads and writes.
pub(super) fn merge_with_io_thread(
    from: &OpenFile, runs: &[Range<u64>], to: &OpenFile, layout: Layout, block_bytes: usize,
) -> io::Result<()> {
    let blocks = blocks_for(runs.len());
    let mut memory = Room::<u8>::new(blocks * block_bytes)?;
    ensure_room("a thread", bytes_of_threads(1, STACK_BYTES))?;
    // There are never more messages under way than there are blocks: no thread waits to send.
    let (ask, asked) = sync_channel(blocks);
    let (reply, done) = sync_channel(blocks);
    scope(|scope| {
        let work = move || read_and_write(from, to, &asked, &reply);
        let other = scope.spawn(Builder::new().stack_size(STACK_BYTES), work).map_err(no_thread)?;
        let merged = merge_runs(runs, layout, &mut memory, block_bytes, &mut IoThread { ask, done });
        // What went wrong over there is the reason for what went wrong here.
        other.join()?;
        merged
    })
}

struct IoThread<'memory> {
    ask: SyncSender<Order<'memory>>,
    done: Receiver<Order<'memory>>,
}

impl<'memory> Transfers<'memory> for IoThread<'memory> {
    fn start(&mut self, order: Order<'memory>) -> io::Result<()> {
        self.ask.send(order).map_err(|_| stopped())
    }

    fn wait(&mut self) -> io::Result<Order<'memory>> {
        self.done.recv().map_err(|_| stopped())
    }
}

/// Returns an error that is replaced by the other thread's reason.
fn stopped() -> io::Error {
    io::Error::other("the thread that reads and writes has stopped")
}

fn read_and_write<'memory>(
    from: &OpenFile, to: &OpenFile, asked: &Receiver<Order<'memory>>, reply: &SyncSender<Order<'memory>>,
) -> io::Result<()> {
    for order in asked {
        match order.run {
            Some(_) => read_exactly(from, &mut order.block[..order.length], order.offset)?,
            None => to.write_all_at(&order.block[..order.length], order.offset)?,
        }
        // A merge that has failed listens no more.
        let _ = reply.send(order);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const LENGTH: usize = 2 * PAGE_BYTES + 100;

    fn reading(block: &mut [u8]) -> Slot<'_> {
        Slot { order: Order { run: Some(0), offset: 8_192, length: LENGTH, block }, moved: 0 }
    }

    #[test]
    fn a_transfer_is_whole_pages_and_zeros_pad_a_written_tail() {
        let mut block = vec![7; 4 * PAGE_BYTES];
        let mut slot = reading(&mut block);
        slot.order.run = None;
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
