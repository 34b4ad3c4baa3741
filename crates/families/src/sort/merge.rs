//! One merge of all sorted runs: a tree of losers here, and a thread beside it that reads and writes large blocks.

use std::collections::VecDeque;
use std::io;
use std::ops::Range;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

use super::layout::Layout;
use super::loser_tree::LoserTree;
use super::room::{Room, bytes_of_threads, ensure_room};
use super::source::read_exactly;
use crate::files::OpenFile;

/// One is filled, one is written, and one waits for either.
pub(super) const OUTPUT_BLOCKS: usize = 3;

const STACK_BYTES: usize = 256 << 10;

/// What the other thread is asked to do.
enum Order<'memory> {
    Read { run: usize, offset: u64, block: &'memory mut [u8] },
    Write { offset: u64, block: &'memory mut [u8] },
}

/// What it has done.
enum Done<'memory> {
    Read { run: usize, block: &'memory mut [u8] },
    Written { block: &'memory mut [u8] },
}

/// Merges sorted runs, each a range of bytes in `from`, into `to`. Two blocks a run are read in turn: one is merged
/// while the other is filled.
///
/// # Errors
/// Whatever the operating system reports.
pub(super) fn merge(
    from: &OpenFile,
    runs: &[Range<u64>],
    to: &OpenFile,
    layout: Layout,
    block_bytes: usize,
) -> io::Result<()> {
    let blocks = 2 * runs.len() + OUTPUT_BLOCKS;
    let mut memory = Room::<u8>::new(blocks * block_bytes)?;
    let mut free: VecDeque<&mut [u8]> = memory.chunks_exact_mut(block_bytes).collect();
    ensure_room("a thread", bytes_of_threads(1, STACK_BYTES))?;
    // There are never more messages under way than there are blocks: nobody waits to send.
    let (ask, asked) = sync_channel(blocks);
    let (tell, told) = sync_channel(blocks);
    thread::scope(|scope| {
        let named = thread::Builder::new().name("read and write".to_owned()).stack_size(STACK_BYTES);
        let other = named
            .spawn_scoped(scope, move || read_and_write(from, to, &asked, &tell))
            .map_err(|error| io::Error::new(error.kind(), format!("start a thread: {error}")))?;
        let merged = merge_blocks(runs, layout, &mut free, ask, &told);
        // What went wrong over there is the reason for what went wrong here.
        other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
        merged
    })
}

fn read_and_write<'memory>(
    from: &OpenFile,
    to: &OpenFile,
    asked: &Receiver<Order<'memory>>,
    tell: &SyncSender<Done<'memory>>,
) -> io::Result<()> {
    for order in asked {
        let done = match order {
            Order::Read { run, offset, block } => {
                read_exactly(from, block, offset)?;
                Done::Read { run, block }
            }
            Order::Write { offset, block } => {
                to.write_all_at(block, offset)?;
                Done::Written { block }
            }
        };
        // Who needs nothing more has gone.
        let _ = tell.send(done);
    }
    Ok(())
}

fn merge_blocks<'memory>(
    runs: &[Range<u64>],
    layout: Layout,
    free: &mut VecDeque<&'memory mut [u8]>,
    ask: SyncSender<Order<'memory>>,
    told: &Receiver<Done<'memory>>,
) -> io::Result<()> {
    let mut merger = Merger {
        layout,
        cursors: Vec::with_capacity(runs.len()),
        output: Output { block: &mut [], filled: 0, offset: 0 },
        spare: Vec::with_capacity(OUTPUT_BLOCKS),
        ask,
        told,
    };
    for run in runs {
        merger.cursors.push(Cursor { block: &mut [], at: 0, ahead: None, awaited: 0, rest: run.clone() });
    }
    // First of every run its first block: the game can begin when all of these are there.
    for _ in 0..2 {
        for run in 0..runs.len() {
            let block = free.pop_front().unwrap_or_default();
            merger.request(run, block)?;
        }
    }
    merger.spare.extend(free.drain(..));
    merger.output.block = merger.spare.pop().unwrap_or_default();
    match layout.has_rest() {
        false => merger.merge_by_prefix()?,
        true => merger.merge_by_key()?,
    }
    merger.write_out()
}

/// Where a run has come to.
struct Cursor<'memory> {
    block: &'memory mut [u8],
    at: usize,
    /// The next block, when it has been read.
    ahead: Option<&'memory mut [u8]>,
    /// Blocks that are being read.
    awaited: usize,
    /// What nobody was asked to read yet.
    rest: Range<u64>,
}

struct Output<'memory> {
    block: &'memory mut [u8],
    filled: usize,
    offset: u64,
}

struct Merger<'told, 'memory> {
    layout: Layout,
    cursors: Vec<Cursor<'memory>>,
    output: Output<'memory>,
    spare: Vec<&'memory mut [u8]>,
    ask: SyncSender<Order<'memory>>,
    told: &'told Receiver<Done<'memory>>,
}

/// A run that is at its end, behind all others.
const ENDED: u128 = u128::MAX;

impl<'memory> Merger<'_, 'memory> {
    /// Keys that their prefixes decide: a head is a prefix with the number of its run, compared as one number.
    fn merge_by_prefix(&mut self) -> io::Result<()> {
        let before = |a: &u128, b: &u128| a < b;
        let runs = self.cursors.len();
        let heads = (0..runs).map(|run| self.first_head(run)).collect::<io::Result<Vec<_>>>()?;
        let mut tree = LoserTree::new(&heads, before);
        while tree.winner() != ENDED {
            let run = tree.winner() as u64 as usize;
            self.take(run)?;
            let next = if self.advance(run)? { self.head(run) } else { ENDED };
            tree.replace(run, next, before);
        }
        Ok(())
    }

    fn first_head(&mut self, run: usize) -> io::Result<u128> {
        Ok(if self.refill(run)? { self.head(run) } else { ENDED })
    }

    #[inline]
    fn head(&self, run: usize) -> u128 {
        u128::from(self.layout.prefix(self.record(run))) << 64 | run as u128
    }

    /// Longer keys: a head is a run, compared by the record that it has come to.
    fn merge_by_key(&mut self) -> io::Result<()> {
        let runs = self.cursors.len();
        let heads = (0..runs).map(|run| self.first_key(run)).collect::<io::Result<Vec<_>>>()?;
        let mut tree = LoserTree::new(&heads, |a, b| self.comes_before(a, b));
        while let (Some(_), run) = tree.winner() {
            self.take(run)?;
            let next = (self.advance(run)?.then(|| self.layout.prefix(self.record(run))), run);
            tree.replace(run, next, |a, b| self.comes_before(a, b));
        }
        Ok(())
    }

    fn first_key(&mut self, run: usize) -> io::Result<(Option<u64>, usize)> {
        Ok((self.refill(run)?.then(|| self.layout.prefix(self.record(run))), run))
    }

    fn comes_before(&self, a: &(Option<u64>, usize), b: &(Option<u64>, usize)) -> bool {
        let rest = |run: usize| self.layout.rest(self.record(run));
        match (a, b) {
            ((Some(one), a), (Some(other), b)) => {
                one.cmp(other).then_with(|| rest(*a).cmp(rest(*b))).then(a.cmp(b)).is_lt()
            }
            ((one, _), (other, _)) => one.is_some() && other.is_none(),
        }
    }

    #[inline]
    fn record(&self, run: usize) -> &[u8] {
        let cursor = &self.cursors[run];
        &cursor.block[cursor.at..][..self.layout.record_bytes()]
    }

    /// Copies the record that a run has come to into the output.
    #[inline]
    fn take(&mut self, run: usize) -> io::Result<()> {
        let record_bytes = self.layout.record_bytes();
        if self.output.filled == self.output.block.len() {
            self.write_out()?;
            self.output.block = self.next_spare()?;
        }
        let cursor = &self.cursors[run];
        let record = &cursor.block[cursor.at..][..record_bytes];
        let place = &mut self.output.block[self.output.filled..][..record_bytes];
        // A length known beforehand is a few moves; another is a call.
        match (place.first_chunk_mut::<64>(), record.first_chunk::<64>()) {
            (Some(place), Some(record)) if record_bytes == 64 => *place = *record,
            _ => place.copy_from_slice(record),
        }
        self.output.filled += record_bytes;
        Ok(())
    }

    /// Goes to the next record of a run; tells whether there is one.
    #[inline]
    fn advance(&mut self, run: usize) -> io::Result<bool> {
        let cursor = &mut self.cursors[run];
        cursor.at += self.layout.record_bytes();
        if cursor.at < cursor.block.len() { Ok(true) } else { self.refill(run) }
    }

    /// Goes on with the block that was read ahead, and has the emptied one filled; tells whether there is one.
    fn refill(&mut self, run: usize) -> io::Result<bool> {
        while self.cursors[run].ahead.is_none() && self.cursors[run].awaited > 0 {
            self.listen()?;
        }
        let cursor = &mut self.cursors[run];
        let Some(ahead) = cursor.ahead.take() else { return Ok(false) };
        let emptied = std::mem::replace(&mut cursor.block, ahead);
        cursor.at = 0;
        // At the start there is none: the second block of every run was asked for beside the first.
        if !emptied.is_empty() {
            self.request(run, emptied)?;
        }
        Ok(true)
    }

    /// Has a block filled with what comes next in a run; without anything next, the block is not needed any more.
    fn request(&mut self, run: usize, block: &'memory mut [u8]) -> io::Result<()> {
        let cursor = &mut self.cursors[run];
        let length = (block.len() as u64).min(cursor.rest.end - cursor.rest.start);
        if length == 0 {
            return Ok(());
        }
        let offset = cursor.rest.start;
        cursor.rest.start += length;
        cursor.awaited += 1;
        let block = &mut block[..length as usize];
        self.ask.send(Order::Read { run, offset, block }).map_err(|_| stopped())
    }

    /// Hears of one thing that is done.
    fn listen(&mut self) -> io::Result<()> {
        match self.told.recv().map_err(|_| stopped())? {
            Done::Written { block } => self.spare.push(block),
            Done::Read { run, block } => {
                let cursor = &mut self.cursors[run];
                cursor.awaited -= 1;
                cursor.ahead = Some(block);
            }
        }
        Ok(())
    }

    fn next_spare(&mut self) -> io::Result<&'memory mut [u8]> {
        loop {
            match self.spare.pop() {
                Some(block) => return Ok(block),
                None => self.listen()?,
            }
        }
    }

    /// Has the filled part of the output's block written.
    fn write_out(&mut self) -> io::Result<()> {
        let block = std::mem::take(&mut self.output.block);
        let filled = std::mem::take(&mut self.output.filled);
        let offset = self.output.offset;
        self.output.offset += filled as u64;
        self.ask.send(Order::Write { offset, block: &mut block[..filled] }).map_err(|_| stopped())
    }
}

/// Replaced by the reason that the other thread gives.
fn stopped() -> io::Error {
    io::Error::other("the thread that reads and writes has stopped")
}
