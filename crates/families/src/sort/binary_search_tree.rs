//! A binary search tree with two allocations a record, as in the historical program sortBT.
//!
//! The published program also read its records byte by byte. Here they are read through a buffer, so that it is the tree
//! that is measured.

use std::io;
use std::ptr::NonNull;

use model::Class;

use super::job::{Account, InOrder, SortJob, Sorted, always};
use super::layout::Layout;
use super::room::{Room, no_room};
use super::source::{open, read_exactly};
use crate::contract::Technique;
use crate::files::OpenFile;

pub(in crate::sort) const BINARY_SEARCH_TREE: Technique<SortJob> = Technique {
    name: "binary_search_tree",
    alias: &["sortBT"],
    idea: "a tree that is never balanced, with two allocations a record (node and data), written in its order",
    source: "Hart, Windows System Programming, sortBT",
    class: Class::MovesBytes,
    ceiling: false,
    parameter: None,
    probe: always,
    prepare: |job| job.done_by(sort),
};

/// Keys in random order make a tree of about 2 ln n levels, 50 at the worst for a million; sorted ones make one of n.
const MOST_LEVELS: usize = 4 << 10;
/// More records than these would take minutes, most of them waits for memory.
const MOST_RECORDS: usize = 4 << 20;

fn sort(job: &SortJob, account: &mut Account) -> io::Result<Sorted> {
    let (input, bytes) = open(job)?;
    let records = bytes / job.layout.record_bytes();
    if records > MOST_RECORDS {
        let sentence = format!(
            "a tree of {records} records, with two allocations for each, would take minutes: it takes part up to \
             {MOST_RECORDS} records"
        );
        return Err(io::Error::new(io::ErrorKind::Unsupported, sentence));
    }
    let mut tree = Tree { root: None, layout: job.layout };
    let piece_bytes = job.layout.records_a_piece() * job.layout.record_bytes();
    let mut piece = Room::<u8>::new(piece_bytes)?;
    account.phase("sort", || grow(&mut tree, &input, bytes, &mut piece))?;
    if !job.written {
        return Ok(Sorted::InMemory(Box::new(tree)));
    }
    let output = OpenFile::create(&job.output)?;
    account.phase("write", || write(&tree, &output, &mut piece))?;
    account.phase("free", || drop(tree));
    output.finish(job.durable)?;
    Ok(Sorted::Written)
}

fn grow(tree: &mut Tree, input: &OpenFile, bytes: usize, piece: &mut [u8]) -> io::Result<()> {
    for start in (0..bytes).step_by(piece.len()) {
        let length = piece.len().min(bytes - start);
        let piece = &mut piece[..length];
        read_exactly(input, piece, start as u64)?;
        piece.chunks_exact(tree.layout.record_bytes()).try_for_each(|record| tree.insert(record))?;
    }
    Ok(())
}

fn write(tree: &Tree, output: &OpenFile, piece: &mut [u8]) -> io::Result<()> {
    let mut held = 0;
    let mut outcome = Ok(());
    tree.visit(&mut |record| {
        piece[held..held + record.len()].copy_from_slice(record);
        held += record.len();
        if held == piece.len() && outcome.is_ok() {
            outcome = output.write_all(piece);
        }
        held %= piece.len();
    });
    outcome?;
    output.write_all(&piece[..held])
}

struct Tree {
    root: Option<NonNull<Node>>,
    layout: Layout,
}

/// As in the published program: the key stands in the node, the record behind a pointer.
struct Node {
    before: Option<NonNull<Node>>,
    behind: Option<NonNull<Node>>,
    prefix: u64,
    data: NonNull<u8>,
}

impl Tree {
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
        *link = Some(new_node(prefix, record)?);
        Ok(())
    }
}

fn record_of(node: &Node, layout: Layout) -> &[u8] {
    // SAFETY: the data of a node was allocated and filled with a record, and lives as long as the node.
    unsafe { std::slice::from_raw_parts(node.data.as_ptr(), layout.record_bytes()) }
}

/// The two allocations of a record.
fn new_node(prefix: u64, record: &[u8]) -> io::Result<NonNull<Node>> {
    let data = allocated(record.len())?;
    // SAFETY: the memory was allocated for as many bytes, and nobody else has it.
    unsafe { data.as_ptr().copy_from_nonoverlapping(record.as_ptr(), record.len()) };
    match allocated(size_of::<Node>()) {
        Ok(node) => {
            let node = node.cast::<Node>();
            // SAFETY: the C library aligns memory for every type, and there is room for a node.
            unsafe { node.write(Node { before: None, behind: None, prefix, data }) };
            Ok(node)
        }
        Err(refused) => {
            // SAFETY: it was allocated above and is not used afterwards.
            unsafe { libc::free(data.as_ptr().cast()) };
            Err(refused)
        }
    }
}

fn allocated(bytes: usize) -> io::Result<NonNull<u8>> {
    // SAFETY: asking for memory has no conditions.
    let start = unsafe { libc::malloc(bytes) };
    NonNull::new(start.cast()).ok_or_else(|| no_room("a further record in the tree", bytes))
}

impl InOrder for Tree {
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

impl Drop for Tree {
    fn drop(&mut self) {
        let mut left: Vec<NonNull<Node>> = self.root.take().into_iter().collect();
        while let Some(node) = left.pop() {
            // SAFETY: every node is linked once, so it is read and freed once, and its data with it.
            unsafe {
                let Node { before, behind, data, .. } = node.read();
                left.extend(before.into_iter().chain(behind));
                libc::free(data.as_ptr().cast());
                libc::free(node.as_ptr().cast());
            }
        }
    }
}
