use std::cmp::Ordering;
use std::collections::BTreeSet;

use crate::sort::layout::Layout;
use crate::sort::ordered::deliver;
use crate::sort::prelude::*;
use crate::sort::source::{Room, Source, ensure_room};

pub(in crate::sort) const BTREE: Technique<SortJob> = Technique {
    name: "btree",
    idea: "keys and positions put one by one into a BTreeSet, then the mapped records gathered in its order",
    source: "Rust standard library, BTreeSet",
    calls: &["read|pread64|mmap file", "!clone3|clone"],
    ..Technique::usual(|job| job.done_by(sort))
};

/// The size of a row in the tree, whose nodes are at least half full, with its share of the nodes above.
const ROW_BYTES: usize = 3 * size_of::<Row>();

fn sort(job: &SortJob, account: &mut Account) -> io::Result<Sorted> {
    let source = account.phase("read", || Source::looked_up(job))?;
    let records = source.len() / job.layout.record_bytes();
    // The standard library takes memory without asking, and a refusal would end the process.
    ensure_room("the tree", records * ROW_BYTES)?;
    let mut order = Room::<u64>::new(records)?;
    account.phase("sort", || {
        let tree = tree_of(&source, job.layout);
        order.iter_mut().zip(&tree).for_each(|(place, row)| *place = u64::from(row.position));
    });
    deliver(job, source, order, u64::MAX, 1, account)
}

fn tree_of(records: &[u8], layout: Layout) -> BTreeSet<Row<'_>> {
    let mut tree = BTreeSet::new();
    for (position, record) in records.chunks_exact(layout.record_bytes()).enumerate() {
        let row = Row { prefix: layout.prefix(record), position: position as u32, rest: layout.rest(record) };
        tree.insert(row);
    }
    tree
}

#[derive(Clone, Copy, PartialEq, Eq)]
struct Row<'records> {
    prefix: u64,
    position: u32,
    rest: &'records [u8],
}

impl Ord for Row<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        let by_prefix = self.prefix.cmp(&other.prefix);
        by_prefix.then_with(|| self.rest.cmp(other.rest)).then_with(|| self.position.cmp(&other.position))
    }
}

impl PartialOrd for Row<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
