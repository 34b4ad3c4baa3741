use std::ptr::NonNull;

use crate::sort::layout::Layout;
use crate::sort::prelude::*;
use crate::sort::source::{Plain, Room, no_room};
use crate::sort::system::Heap;
use crate::sort::tree::{Node, Reading, TreeMemory, sort_by_tree};
use crate::sort::workload::for_each_record;

pub(in crate::sort) const BINARY_SEARCH_TREE: Technique<SortJob> = Technique {
    name: "binary_search_tree",
    idea: "a tree that is never balanced, with two allocations a record (node and data) from two heaps, written in its \
           order",
    source: "Knuth, The Art of Computer Programming, volume 3, 6.2.2",
    calls: &["read|pread64|mmap file", "!clone3|clone"],
    ..Technique::usual(|job| {
        job.done_by(|job, account| sort_by_tree(job, account, Reading::Pieces, |_| Heaps::<false>::new()))
    })
};

pub(in crate::sort) const BINARY_SEARCH_TREE_BY_BYTE: Technique<SortJob> = Technique {
    name: "binary_search_tree_by_byte",
    alias: &["sortBT"],
    idea: "as binary_search_tree, with the key read by one call and each byte behind it by one of its own; on Linux both \
           heaps are malloc",
    source: "Hart, Windows System Programming, sortBT",
    calls: &["read", "!pread64", "!clone3|clone"],
    calls_at: |workload| {
        for_each_record("read", |layout| 1 + layout.record_bytes() - layout.key_bytes(), workload)
    },
    variant_of: Some("binary_search_tree"),
    ..Technique::usual(|job| {
        job.done_by(|job, account| sort_by_tree(job, account, Reading::Bytes, |_| Heaps::<false>::new()))
    })
};

pub(in crate::sort) const BINARY_SEARCH_TREE_SERIALIZED_HEAP: Technique<SortJob> = Technique {
    name: "binary_search_tree_serialized_heap",
    idea: "as binary_search_tree, from heaps that threads may share: each of its two allocations a record takes a lock",
    source: "Hart, Windows System Programming, sortBTSR, without its reading",
    calls: &["read|pread64|mmap file", "!clone3|clone"],
    variant_of: Some("binary_search_tree"),
    ..Technique::usual(|job| {
        job.done_by(|job, account| sort_by_tree(job, account, Reading::Pieces, |_| Heaps::<true>::new()))
    })
};

pub(in crate::sort) const BINARY_SEARCH_TREE_ARENA: Technique<SortJob> = Technique {
    name: "binary_search_tree_arena",
    idea: "binary_search_tree with its nodes and its data in two arrays as long as the file needs: no allocation a \
           record, and nothing to free one by one",
    source: "Hanson, Fast Allocation and Deallocation of Memory Based on Object Lifetimes, 1990",
    calls: &["read|pread64|mmap file", "!clone3|clone"],
    ..Technique::usual(|job| {
        job.done_by(|job, account| {
            sort_by_tree(job, account, Reading::Pieces, |records| Arena::new(records, job.layout))
        })
    })
};

/// Two heaps, without a lock where no other thread may use them.
struct Heaps<const SERIALIZED: bool> {
    nodes: Heap<SERIALIZED>,
    data: Heap<SERIALIZED>,
}

impl<const SERIALIZED: bool> Heaps<SERIALIZED> {
    fn new() -> io::Result<Self> {
        Ok(Self { nodes: Heap::new()?, data: Heap::new()? })
    }
}

impl<const SERIALIZED: bool> TreeMemory for Heaps<SERIALIZED> {
    const GIVEN_BACK_AT_ONCE: bool = Heap::<SERIALIZED>::GIVEN_BACK_AT_ONCE;
    const IS_PUBLISHED: bool = true;

    fn allocate(&mut self, data_bytes: usize) -> io::Result<(NonNull<Node>, NonNull<u8>)> {
        let data = self.data.allocate(data_bytes)?;
        match self.nodes.allocate(size_of::<Node>()) {
            // A heap aligns memory for every type.
            Ok(node) => Ok((node.cast(), data)),
            Err(refused) => {
                // SAFETY: it came from this heap and is not used any more.
                unsafe { self.data.free(data) };
                Err(refused)
            }
        }
    }

    unsafe fn give_back(&mut self, node: NonNull<Node>, data: NonNull<u8>) {
        // SAFETY: the caller promises that each came from its heap and is not used afterwards.
        unsafe {
            self.data.free(data);
            self.nodes.free(node.cast());
        }
    }
}

struct Arena {
    nodes: Room<NodeMemory>,
    data: Room<u8>,
    nodes_taken: usize,
    data_taken: usize,
}

#[derive(Clone, Copy)]
#[repr(C, align(8))]
struct NodeMemory([u8; size_of::<Node>()]);

const _: () = assert!(align_of::<Node>() <= align_of::<NodeMemory>());

// SAFETY: bytes, of which every pattern is a value.
unsafe impl Plain for NodeMemory {}

impl Arena {
    fn new(records: usize, layout: Layout) -> io::Result<Self> {
        let data = Room::new(records * layout.record_bytes())?;
        Ok(Self { nodes: Room::new(records)?, data, nodes_taken: 0, data_taken: 0 })
    }
}

impl TreeMemory for Arena {
    const GIVEN_BACK_AT_ONCE: bool = true;
    const IS_PUBLISHED: bool = false;

    fn allocate(&mut self, data_bytes: usize) -> io::Result<(NonNull<Node>, NonNull<u8>)> {
        let node =
            self.nodes.get_mut(self.nodes_taken).ok_or_else(|| no_room("a node", size_of::<Node>()))?;
        let data = self.data.get_mut(self.data_taken..).filter(|left| left.len() >= data_bytes);
        let data = data.ok_or_else(|| no_room("a record in the tree", data_bytes))?;
        (self.nodes_taken, self.data_taken) = (self.nodes_taken + 1, self.data_taken + data_bytes);
        Ok((NonNull::from(node).cast(), NonNull::from(data).cast()))
    }

    unsafe fn give_back(&mut self, _node: NonNull<Node>, _data: NonNull<u8>) {}
}
