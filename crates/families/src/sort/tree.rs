//! A binary search tree that is never balanced, as in sortBT.

use std::io;
use std::iter;
use std::ptr::NonNull;

use super::job::{Account, SortJob, Sorted};
use super::layout::Layout;
use super::ordered::create_presized;
use super::source::{Room, open, read_exactly};
use crate::files::{OpenFile, room_of};

/// Keys in random order make a tree of about 2 ln n levels, 50 at the worst for a million; sorted ones make one of n.
const MOST_LEVELS: usize = 4 << 10;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Reading {
    /// Many records by one call.
    Pieces,
    /// As the published program: the key of a record by one call, every byte behind it by one of its own.
    Bytes,
}

impl Reading {
    /// More records than these would take minutes, most of them waits for memory, or calls.
    const fn most_records(self) -> usize {
        match self {
            Self::Pieces => 4 << 20,
            Self::Bytes => 1 << 20,
        }
    }
}

pub(super) trait TreeMemory {
    /// True where all is given back at once when this value is dropped.
    const GIVEN_BACK_AT_ONCE: bool;
    /// True in the published program and its variants, which do not presize their output.
    const IS_PUBLISHED: bool;

    fn allocate(&mut self, data_bytes: usize) -> io::Result<(NonNull<Node>, NonNull<u8>)>;

    /// Gives a node and its data back. Only called where not all is given back at once.
    ///
    /// # Safety
    /// Both must have come from this memory, and must not be used afterwards.
    unsafe fn give_back(&mut self, node: NonNull<Node>, data: NonNull<u8>);
}

pub(super) fn sort_by_tree<M: TreeMemory>(
    job: &SortJob, account: &mut Account, reading: Reading, memory: impl FnOnce(usize) -> io::Result<M>,
) -> io::Result<Sorted> {
    let (input, bytes) = open(job)?;
    let records = bytes / job.layout.record_bytes();
    let most = reading.most_records();
    if records > most {
        let sentence = format!(
            "a tree of {records} records, with two allocations for each, would take minutes: it takes part up to \
             {most} records"
        );
        return Err(io::Error::new(io::ErrorKind::Unsupported, sentence));
    }
    let mut tree = Tree { root: None, layout: job.layout, memory: memory(records)? };
    let piece_bytes = job.layout.records_a_piece() * job.layout.record_bytes();
    let mut piece = Room::<u8>::new(piece_bytes.min(bytes))?;
    account.phase("sort", || grow(&mut tree, &input, bytes, reading, &mut piece))?;
    if !job.written {
        let mut moved = Room::<u8>::new(bytes)?;
        account.phase("permute", || {
            let mut places = moved.chunks_exact_mut(job.layout.record_bytes());
            tree.visit(&mut |record| {
                places.next().into_iter().for_each(|place| place.copy_from_slice(record))
            });
        });
        account.phase("free", || drop(tree));
        return Ok(Sorted::InMemory(Box::new(moved)));
    }
    let output =
        if M::IS_PUBLISHED { OpenFile::create(&job.output)? } else { create_presized(job, bytes, account)? };
    account.phase("write", || write(&tree, &output, &mut piece))?;
    account.phase("free", || drop(tree));
    output.finish(job.durable)?;
    Ok(Sorted::Written)
}

fn grow<M: TreeMemory>(
    tree: &mut Tree<M>, input: &OpenFile, bytes: usize, reading: Reading, piece: &mut [u8],
) -> io::Result<()> {
    if reading == Reading::Bytes {
        let record_bytes = tree.layout.record_bytes();
        return (0..bytes / record_bytes).try_for_each(|_| {
            read_by_bytes(input, &mut piece[..record_bytes], tree.layout.key_bytes())?;
            tree.insert(&piece[..record_bytes])
        });
    }
    for start in (0..bytes).step_by(piece.len().max(1)) {
        let length = piece.len().min(bytes - start);
        let piece = &mut piece[..length];
        read_exactly(input, piece, start as u64)?;
        piece.chunks_exact(tree.layout.record_bytes()).try_for_each(|record| tree.insert(record))?;
    }
    Ok(())
}

fn read_by_bytes(input: &OpenFile, record: &mut [u8], key_bytes: usize) -> io::Result<()> {
    let (key, rest) = record.split_at_mut(key_bytes);
    for place in iter::once(key).chain(rest.chunks_exact_mut(1)) {
        let wanted = place.len();
        // SAFETY: what is read there is bytes.
        if input.read_into(unsafe { room_of(place) })?.len() < wanted {
            return Err(input.at("read")(io::Error::from(io::ErrorKind::UnexpectedEof)));
        }
    }
    Ok(())
}

fn write<M: TreeMemory>(tree: &Tree<M>, output: &OpenFile, piece: &mut [u8]) -> io::Result<()> {
    let mut held = 0;
    let mut outcome = Ok(());
    tree.visit(&mut |record| {
        piece[held..held + record.len()].copy_from_slice(record);
        held += record.len();
        if held == piece.len() {
            if outcome.is_ok() {
                outcome = output.write_all(piece);
            }
            held = 0;
        }
    });
    outcome?;
    output.write_all(&piece[..held])
}

struct Tree<M: TreeMemory> {
    root: Option<NonNull<Node>>,
    layout: Layout,
    memory: M,
}

/// As in the published program: the key stands in the node, the record behind a pointer.
pub(super) struct Node {
    before: Option<NonNull<Node>>,
    behind: Option<NonNull<Node>>,
    prefix: u64,
    data: NonNull<u8>,
}

impl<M: TreeMemory> Tree<M> {
    fn insert(&mut self, record: &[u8]) -> io::Result<()> {
        let prefix = self.layout.prefix(record);
        let mut link = &mut self.root;
        let mut levels = 0;
        while let Some(node) = link {
            // SAFETY: every node that is linked lives as long as the tree, which is borrowed alone.
            let node = unsafe { node.as_mut() };
            let goes_before = prefix < node.prefix
                || prefix == node.prefix
                    && self.layout.has_rest()
                    && self.layout.rest(record) < self.layout.rest(record_of(node, self.layout));
            link = if goes_before { &mut node.before } else { &mut node.behind };
            levels += 1;
        }
        if levels >= MOST_LEVELS {
            let sentence = format!(
                "the tree has {MOST_LEVELS} levels and would become a list: it needs keys in random order, most of \
                 them different"
            );
            return Err(io::Error::new(io::ErrorKind::Unsupported, sentence));
        }
        let (node, data) = self.memory.allocate(record.len())?;
        // SAFETY: the memory has room for as many bytes, and no other value uses it.
        unsafe { data.as_ptr().copy_from_nonoverlapping(record.as_ptr(), record.len()) };
        // SAFETY: the memory is that of a node, and no other value uses it.
        unsafe { node.write(Node { before: None, behind: None, prefix, data }) };
        *link = Some(node);
        Ok(())
    }

    fn visit(&self, see: &mut dyn FnMut(&[u8])) {
        let mut way: Vec<&Node> = Vec::new();
        let mut next = self.root;
        loop {
            while let Some(node) = next {
                // SAFETY: every node that is linked lives as long as the tree.
                let node = unsafe { node.as_ref() };
                way.push(node);
                next = node.before;
            }
            let Some(node) = way.pop() else { return };
            see(record_of(node, self.layout));
            next = node.behind;
        }
    }
}

fn record_of(node: &Node, layout: Layout) -> &[u8] {
    // SAFETY: the data of a node was allocated and filled with a record, and lives as long as the node.
    unsafe { std::slice::from_raw_parts(node.data.as_ptr(), layout.record_bytes()) }
}

impl<M: TreeMemory> Drop for Tree<M> {
    fn drop(&mut self) {
        if M::GIVEN_BACK_AT_ONCE {
            return;
        }
        let mut left: Vec<NonNull<Node>> = self.root.take().into_iter().collect();
        while let Some(node) = left.pop() {
            // SAFETY: every node is linked once, so it is read and given back once, and its data with it.
            unsafe {
                let Node { before, behind, data, .. } = node.read();
                left.extend(before.into_iter().chain(behind));
                self.memory.give_back(node, data);
            }
        }
    }
}
