use std::ptr::NonNull;

use crate::sort::prelude::*;
use crate::sort::system::Heap;
use crate::sort::tree::{Node, TreeMemory, sort_by_tree};

pub(in crate::sort) const BINARY_SEARCH_TREE: Technique<SortJob> = Technique {
    name: "binary_search_tree",
    alias: &["sortBT"],
    idea: "a tree that is never balanced, with two allocations a record (node and data) from two heaps, written in its \
           order",
    source: "Hart, Windows System Programming, sortBT",
    calls: &["read|pread64|mmap file", "!clone3|clone"],
    ..Technique::usual(|job| job.done_by(|job, account| sort_by_tree(job, account, |_records| Heaps::new())))
};

/// Two heaps without a lock: no other thread uses them.
struct Heaps {
    nodes: Heap<false>,
    data: Heap<false>,
}

impl Heaps {
    fn new() -> io::Result<Self> {
        Ok(Self { nodes: Heap::new()?, data: Heap::new()? })
    }
}

impl TreeMemory for Heaps {
    const GIVEN_BACK_AT_ONCE: bool = Heap::<false>::GIVEN_BACK_AT_ONCE;

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
