//! One merge of all sorted runs by a tree of losers. Large blocks are read and written meanwhile, as the caller chooses.

use std::collections::VecDeque;
use std::io;
use std::ops::Range;

use super::layout::Layout;
use super::loser_tree::LoserTree;

/// One is filled, one is written, and one waits for either.
pub(super) const OUTPUT_BLOCKS: usize = 3;

/// Work next to the merge; it comes back when it is done.
pub(super) struct Order<'memory> {
    /// The run to read; without one, the output is written.
    pub(super) run: Option<usize>,
    pub(super) offset: u64,
    pub(super) length: usize,
    pub(super) block: &'memory mut [u8],
}

/// Reads and writes blocks next to the merge. Orders may be done in any order.
pub(super) trait Transfers<'memory> {
    fn start(&mut self, order: Order<'memory>) -> io::Result<()>;

    fn wait(&mut self) -> io::Result<Order<'memory>>;
}

/// Returns the blocks for a merge of this many runs: of each run, one is merged while the other is filled.
pub(super) fn blocks_for(runs: usize) -> usize {
    2 * runs + OUTPUT_BLOCKS
}

/// Merges sorted runs, each a range of bytes, with the blocks of `memory`. In the end all is written.
pub(super) fn merge_runs<'memory>(
    runs: &[Range<u64>], layout: Layout, memory: &'memory mut [u8], block_bytes: usize,
    transfers: &mut impl Transfers<'memory>,
) -> io::Result<()> {
    let mut free: VecDeque<&mut [u8]> = memory.chunks_exact_mut(block_bytes).collect();
    let mut merger = Merger {
        layout,
        cursors: Vec::with_capacity(runs.len()),
        output: &mut [],
        filled: 0,
        written: 0,
        spare: Vec::with_capacity(OUTPUT_BLOCKS),
        writing: 0,
        transfers,
    };
    for run in runs {
        let ahead = Vec::with_capacity(2);
        merger.cursors.push(Cursor { ahead, next: run.start, rest: run.clone(), ..Cursor::default() });
    }
    // First of every run its first block: the game can begin when all of these are there.
    for _ in 0..2 {
        for run in 0..runs.len() {
            let block = free.pop_front().unwrap_or_default();
            merger.request(run, block)?;
        }
    }
    merger.spare.extend(free.drain(..));
    merger.output = merger.spare.pop().unwrap_or_default();
    if layout.has_rest() {
        merger.merge_by_key()?
    } else {
        merger.merge_by_prefix()?
    }
    merger.write_out()?;
    while merger.writing > 0 {
        merger.listen()?;
    }
    Ok(())
}

#[derive(Default)]
struct Cursor<'memory> {
    block: &'memory mut [u8],
    at: usize,
    /// The end of the read bytes in the block.
    end: usize,
    ahead: Vec<Order<'memory>>,
    next: u64,
    awaited: usize,
    rest: Range<u64>,
}

struct Merger<'transfers, 'memory, T> {
    layout: Layout,
    cursors: Vec<Cursor<'memory>>,
    output: &'memory mut [u8],
    filled: usize,
    written: u64,
    spare: Vec<&'memory mut [u8]>,
    writing: usize,
    transfers: &'transfers mut T,
}

/// A run that is at its end, behind all others.
const ENDED: u128 = u128::MAX;

impl<'memory, T: Transfers<'memory>> Merger<'_, 'memory, T> {
    /// Merges keys that their prefixes decide: a head is a prefix and the number of its run, compared as one number.
    fn merge_by_prefix(&mut self) -> io::Result<()> {
        let before = |a: &u128, b: &u128| a < b;
        let runs = self.cursors.len();
        let heads = (0..runs).map(|run| Ok(if self.refill(run)? { self.head(run) } else { ENDED }));
        let heads = heads.collect::<io::Result<Vec<_>>>()?;
        let mut tree = LoserTree::new(&heads, before);
        while tree.winner() != ENDED {
            let run = tree.winner() as u64 as usize;
            self.take(run)?;
            let next = if self.advance(run)? { self.head(run) } else { ENDED };
            tree.replace(run, next, before);
        }
        Ok(())
    }

    #[inline]
    fn head(&self, run: usize) -> u128 {
        u128::from(self.layout.prefix(self.record(run))) << 64 | run as u128
    }

    /// Merges longer keys: a head is a run, compared by its current record.
    fn merge_by_key(&mut self) -> io::Result<()> {
        let runs = self.cursors.len();
        let heads =
            (0..runs).map(|run| Ok((self.refill(run)?.then(|| self.layout.prefix(self.record(run))), run)));
        let heads = heads.collect::<io::Result<Vec<_>>>()?;
        let mut tree = LoserTree::new(&heads, |a, b| self.comes_before(a, b));
        while let (Some(_), run) = tree.winner() {
            self.take(run)?;
            let next = (self.advance(run)?.then(|| self.layout.prefix(self.record(run))), run);
            tree.replace(run, next, |a, b| self.comes_before(a, b));
        }
        Ok(())
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

    #[inline]
    fn take(&mut self, run: usize) -> io::Result<()> {
        let record_bytes = self.layout.record_bytes();
        if self.filled == self.output.len() {
            self.write_out()?;
            self.output = self.next_spare()?;
        }
        let cursor = &self.cursors[run];
        let record = &cursor.block[cursor.at..][..record_bytes];
        let place = &mut self.output[self.filled..][..record_bytes];
        // A length known beforehand is a few moves; another is a call.
        match (place.first_chunk_mut::<64>(), record.first_chunk::<64>()) {
            (Some(place), Some(record)) if record_bytes == 64 => *place = *record,
            _ => place.copy_from_slice(record),
        }
        self.filled += record_bytes;
        Ok(())
    }

    /// Goes to the next record of a run; returns whether there is one.
    #[inline]
    fn advance(&mut self, run: usize) -> io::Result<bool> {
        let cursor = &mut self.cursors[run];
        cursor.at += self.layout.record_bytes();
        if cursor.at < cursor.end { Ok(true) } else { self.refill(run) }
    }

    /// Goes on with the block that was read ahead, and has the emptied one filled; returns whether there is one.
    fn refill(&mut self, run: usize) -> io::Result<bool> {
        let found = loop {
            let cursor = &self.cursors[run];
            match cursor.ahead.iter().position(|ahead| ahead.offset == cursor.next) {
                Some(found) => break found,
                None if cursor.awaited == 0 => return Ok(false),
                None => self.listen()?,
            }
        };
        let cursor = &mut self.cursors[run];
        let ahead = cursor.ahead.swap_remove(found);
        let emptied = std::mem::replace(&mut cursor.block, ahead.block);
        (cursor.at, cursor.end) = (0, ahead.length);
        cursor.next += ahead.length as u64;
        // At the start there is none: the second block of every run was asked for next to the first.
        if !emptied.is_empty() {
            self.request(run, emptied)?;
        }
        Ok(true)
    }

    /// Has a block filled with the next part of a run, where there is one.
    fn request(&mut self, run: usize, block: &'memory mut [u8]) -> io::Result<()> {
        let cursor = &mut self.cursors[run];
        let length = (block.len() as u64).min(cursor.rest.end - cursor.rest.start) as usize;
        if length == 0 {
            return Ok(());
        }
        let offset = cursor.rest.start;
        cursor.rest.start += length as u64;
        cursor.awaited += 1;
        self.transfers.start(Order { run: Some(run), offset, length, block })
    }

    fn listen(&mut self) -> io::Result<()> {
        let done = self.transfers.wait()?;
        if let Some(run) = done.run {
            let cursor = &mut self.cursors[run];
            cursor.awaited -= 1;
            cursor.ahead.push(done);
        } else {
            self.writing -= 1;
            self.spare.push(done.block);
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

    fn write_out(&mut self) -> io::Result<()> {
        let block = std::mem::take(&mut self.output);
        let length = std::mem::take(&mut self.filled);
        let offset = self.written;
        self.written += length as u64;
        self.writing += 1;
        self.transfers.start(Order { run: None, offset, length, block })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Files in memory. What is begun last is done first.
    struct LastFirst<'memory> {
        runs: Vec<u8>,
        output: Vec<u8>,
        begun: Vec<Order<'memory>>,
    }

    impl<'memory> Transfers<'memory> for LastFirst<'memory> {
        fn start(&mut self, order: Order<'memory>) -> io::Result<()> {
            self.begun.push(order);
            Ok(())
        }

        fn wait(&mut self) -> io::Result<Order<'memory>> {
            let order = self.begun.pop().ok_or_else(|| io::Error::other("nothing was begun"))?;
            let Order { run, offset, length, .. } = order;
            match run {
                Some(_) => order.block[..length].copy_from_slice(&self.runs[offset as usize..][..length]),
                None => self.output[offset as usize..][..length].copy_from_slice(&order.block[..length]),
            }
            Ok(order)
        }
    }

    #[test]
    fn runs_are_merged_in_whatever_order_their_blocks_arrive() {
        const RECORD_BYTES: usize = 10;
        // Runs of as many blocks of four records as there are, with a part of one at the end, and a run of one record.
        for (lengths, key_bytes) in [(&[9, 1, 17, 4][..], 8), (&[30, 30, 30], 10), (&[5], 8), (&[8, 0, 3], 9)]
        {
            let layout = Layout::new(RECORD_BYTES as u64, key_bytes).expect("possible");
            let (mut files, mut runs) = (Vec::new(), Vec::new());
            for (nth, &length) in lengths.iter().enumerate() {
                let mut rows: Vec<String> =
                    (0..length).map(|row| format!("{:08}{nth:02}", row * 7919 % 1000 * (nth + 3))).collect();
                rows.sort_unstable();
                let start = files.len() as u64;
                files.extend_from_slice(rows.concat().as_bytes());
                runs.push(start..files.len() as u64);
            }
            let mut expected: Vec<&[u8]> = files.chunks(RECORD_BYTES).collect();
            expected.sort_by_key(|record| layout.key(record));
            let expected = expected.concat();
            let block_bytes = 4 * RECORD_BYTES;
            let mut memory = vec![0; blocks_for(runs.len()) * block_bytes];
            let output = vec![0; files.len()];
            let mut transfers = LastFirst { runs: files, output, begun: Vec::new() };
            merge_runs(&runs, layout, &mut memory, block_bytes, &mut transfers).expect("merged");
            assert!(transfers.begun.is_empty(), "something is left to do");
            assert_eq!(transfers.output, expected, "{lengths:?}");
        }
    }
}
