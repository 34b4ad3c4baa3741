use std::sync::OnceLock;

use crate::files::look_up;
use crate::sort::layout::Layout;
use crate::sort::lockstep::{GRAIN, Member, Partition, Shared, together};
use crate::sort::ordered::deliver;
use crate::sort::prelude::*;
use crate::sort::source::{Room, Source};
use crate::sort::tags::{Tag, fill, refine};

pub(in crate::sort) const SAMPLE_SORT: Technique<SortJob> = Technique {
    name: "sample_sort",
    idea: "255 splitters from a sample, tags moved into their buckets by one thread a processor, buckets sorted as \
           they come; records are gathered and written by all",
    source: "Axtmann, Witt, Ferizovic and Sanders, In-place Parallel Super Scalar Samplesort, 2017",
    calls: &["read|pread64|mmap file"],
    ..Technique::usual(|job| job.done_by(sort))
};

const SPLITTERS: usize = 255;
const OVERSAMPLED: usize = 16;

fn sort(job: &SortJob, account: &mut Account) -> io::Result<Sorted> {
    let source = Source::map(job)?;
    let records = source.len() / job.layout.record_bytes();
    let threads = job.threads_for(records, account);
    let (mut tags, mut sorted) = (Room::<Tag>::new(records)?, Room::<Tag>::new(records)?);
    let search = Search {
        records: &source,
        layout: job.layout,
        tags: Shared::new(&mut tags),
        sorted: Shared::new(&mut sorted),
        splitters: OnceLock::new(),
        partition: Partition::new(threads),
    };
    let times = together(threads, |member| search.work(member))?;
    account.add("read", times[0].0);
    account.add("sort", times[0].1);
    deliver(job, source, sorted, 0, threads, account)
}

struct Search<'memory> {
    records: &'memory [u8],
    layout: Layout,
    tags: Shared<'memory, Tag>,
    sorted: Shared<'memory, Tag>,
    splitters: OnceLock<[u64; SPLITTERS]>,
    partition: Partition,
}

impl Search<'_> {
    fn work(&self, member: &Member) -> io::Result<(u64, u64)> {
        let start = Instant::now();
        let records = self.records.len() / self.layout.record_bytes();
        let part = member.part_of(records, GRAIN);
        look_up(&self.records[self.layout.bytes_of(&part)]);
        member.meet_and(|| {
            self.splitters.get_or_init(|| self.sample(records));
            Ok(())
        })?;
        let splitters = self.splitters.get().ok_or_else(|| io::Error::other("no splitters were set"))?;
        // SAFETY: the parts of the threads are disjoint.
        let tags = unsafe { self.tags.part(part.clone()) };
        fill(tags, self.records, self.layout, part.start);
        let read_ns = elapsed_ns(start);
        let start = Instant::now();
        let mut counts = vec![0; 2 * SPLITTERS + 1];
        for tag in &mut *tags {
            tag.bucket = bucket_of(splitters, tag.key);
            counts[tag.bucket as usize] += 1;
        }
        let bounds =
            self.partition.distribute(member, counts, tags, &self.sorted, |tag| tag.bucket as usize)?;
        while let Some(buckets) = self.partition.take() {
            for bucket in buckets {
                // SAFETY: every bucket is taken by one thread only, and all tags have been moved.
                let tags = unsafe { self.sorted.part(bounds[bucket]..bounds[bucket + 1]) };
                // Keys in a bucket of odd number are all equal to a splitter.
                if bucket.is_multiple_of(2) {
                    tags.sort_unstable_by_key(|tag| tag.key);
                }
                refine(tags, self.records, self.layout);
            }
        }
        Ok((read_ns, elapsed_ns(start)))
    }

    /// Returns splitters that part the keys about evenly; many equal keys make equal splitters.
    fn sample(&self, records: usize) -> [u64; SPLITTERS] {
        let taken = records.min((SPLITTERS + 1) * OVERSAMPLED);
        let mut keys: Vec<u64> = (0..taken)
            .map(|nth| self.layout.prefix(self.layout.record(self.records, nth * records / taken)))
            .collect();
        keys.sort_unstable();
        std::array::from_fn(|nth| keys.get((nth + 1) * taken / (SPLITTERS + 1)).copied().unwrap_or(u64::MAX))
    }
}

/// Returns twice the number of splitters below a key, and one more where it equals the next: such keys need no sorting.
fn bucket_of(splitters: &[u64; SPLITTERS], key: u64) -> u32 {
    let mut below = 0;
    // One comparison a level and no branch: 255 splitters are a tree of eight full levels.
    for level in (0..SPLITTERS.trailing_ones()).rev() {
        let step = 1 << level;
        below += step * usize::from(splitters[below + step - 1] < key);
    }
    let equals = splitters.get(below).is_some_and(|&splitter| splitter == key);
    2 * below as u32 + u32::from(equals)
}
