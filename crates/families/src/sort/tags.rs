//! Tags: the first eight bytes of each key as a number, and the record's position. 16 bytes are moved instead of 64.

use std::io;

use super::job::{Account, SortJob, Sorted};
use super::layout::Layout;
use super::ordered::{Positioned, deliver};
use super::source::{Plain, Room, Source};

/// The stand-in for a record while its place is sought.
#[derive(Debug, Clone, Copy, Default)]
#[repr(C)]
pub(super) struct Tag {
    pub(super) key: u64,
    pub(super) position: u32,
    /// Its place, for sorts that fill buckets first.
    pub(super) bucket: u32,
}

// SAFETY: numbers without padding between them.
unsafe impl Plain for Tag {}

impl Positioned for Tag {
    #[inline]
    fn position(self, _mask: u64) -> usize {
        self.position as usize
    }
}

/// Maps the input, lets `sort` order the tags by their keys, gathers and writes, on one thread.
pub(super) fn sort_by_tags(
    job: &SortJob, account: &mut Account, sort: impl FnOnce(&mut [Tag]) -> io::Result<()>,
) -> io::Result<Sorted> {
    let layout = job.layout;
    let (source, mut tags) = account.phase("read", || -> io::Result<_> {
        let source = Source::looked_up(job)?;
        let mut tags = Room::<Tag>::new(source.len() / layout.record_bytes())?;
        fill(&mut tags, &source, layout, 0);
        Ok((source, tags))
    })?;
    account.phase("sort", || {
        sort(&mut tags)?;
        refine(&mut tags, &source, layout);
        Ok::<_, io::Error>(())
    })?;
    deliver(job, source, tags, 0, 1, account)
}

pub(super) fn fill(tags: &mut [Tag], records: &[u8], layout: Layout, first: usize) {
    let records = &records[first * layout.record_bytes()..];
    for (nth, (tag, record)) in tags.iter_mut().zip(records.chunks_exact(layout.record_bytes())).enumerate() {
        *tag = Tag { key: layout.prefix(record), position: (first + nth) as u32, bucket: 0 };
    }
}

pub(super) fn refine(tags: &mut [Tag], records: &[u8], layout: Layout) {
    if !layout.has_rest() {
        return;
    }
    let rest = |tag: &Tag| layout.rest(layout.record(records, tag.position as usize));
    for equal in tags.chunk_by_mut(|a, b| a.key == b.key).filter(|equal| equal.len() > 1) {
        equal.sort_unstable_by(|a, b| rest(a).cmp(rest(b)));
    }
}
