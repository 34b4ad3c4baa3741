//! Blocks read and written by a thread next to the merge, through the file cache.

use std::io;
use std::ops::Range;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

use sys::thread_scope::scope;

use super::layout::Layout;
use super::merge::{Done, Order, Transfers, blocks_for, merge_runs};
use super::room::{Room, bytes_of_threads, ensure_room};
use super::source::read_exactly;
use crate::files::{OpenFile, no_thread};

const STACK_BYTES: usize = 256 << 10;

/// Merges sorted runs, each a range of bytes in `from`, into `to`, while another thread reads and writes.
pub(super) fn merge_beside_thread(
    from: &OpenFile,
    runs: &[Range<u64>],
    to: &OpenFile,
    layout: Layout,
    block_bytes: usize,
) -> io::Result<()> {
    let blocks = blocks_for(runs.len());
    let mut memory = Room::<u8>::new(blocks * block_bytes)?;
    ensure_room("a thread", bytes_of_threads(1, STACK_BYTES))?;
    // There are never more messages under way than there are blocks: no thread waits to send.
    let (ask, asked) = sync_channel(blocks);
    let (tell, told) = sync_channel(blocks);
    scope(|scope| {
        let named = thread::Builder::new().name("read and write".to_owned()).stack_size(STACK_BYTES);
        let other = scope.spawn(named, move || read_and_write(from, to, &asked, &tell)).map_err(no_thread)?;
        let merged = merge_runs(runs, layout, &mut memory, block_bytes, &mut Beside { ask, told });
        // What went wrong over there is the reason for what went wrong here.
        other.join()?;
        merged
    })
}

/// The way to the other thread and back. Dropping it lets that thread end.
struct Beside<'memory> {
    ask: SyncSender<Order<'memory>>,
    told: Receiver<Done<'memory>>,
}

impl<'memory> Transfers<'memory> for Beside<'memory> {
    fn start(&mut self, order: Order<'memory>) -> io::Result<()> {
        self.ask.send(order).map_err(|_| stopped())
    }

    fn wait(&mut self) -> io::Result<Done<'memory>> {
        self.told.recv().map_err(|_| stopped())
    }
}

/// Replaced by the reason that the other thread gives.
fn stopped() -> io::Error {
    io::Error::other("the thread that reads and writes has stopped")
}

fn read_and_write<'memory>(
    from: &OpenFile,
    to: &OpenFile,
    asked: &Receiver<Order<'memory>>,
    tell: &SyncSender<Done<'memory>>,
) -> io::Result<()> {
    for order in asked {
        let done = match order {
            Order::Read { run, offset, length, block } => {
                read_exactly(from, &mut block[..length], offset)?;
                Done::Read { run, offset, length, block }
            }
            Order::Write { offset, length, block } => {
                to.write_all_at(&block[..length], offset)?;
                Done::Written { block }
            }
        };
        // A merge that has failed listens no more.
        let _ = tell.send(done);
    }
    Ok(())
}
