use crate::sort::ordered::deliver;
use crate::sort::prelude::*;
use crate::sort::source::{Room, Source};
use crate::sort::tags::{Tag, refine};

pub(in crate::sort) const MSD_RADIX: Technique<SortJob> = Technique {
    name: "msd_radix",
    idea: "count the first bits of the keys (16, fewer for few records), put each tag into its bucket while reading again, sort the buckets \
           one by one, then gather the mapped records",
    source: "McIlroy, Bostic and McIlroy, Engineering Radix Sort, 1993",
    calls: &["read|pread64|mmap file", "!clone3|clone"],
    ..Technique::usual(|job| job.done_by(sort))
};

/// Two bytes of the key; fewer bits for few records, or most buckets would be empty.
const MOST_DIGIT_BITS: u32 = 16;

fn sort(job: &SortJob, account: &mut Account) -> io::Result<Sorted> {
    let layout = job.layout;
    let source = account.phase("read", || Source::looked_up(job))?;
    let count = source.len() / layout.record_bytes();
    let digit_bits = count.max(2).ilog2().min(MOST_DIGIT_BITS);
    let digit_of = |key: u64| (key >> (u64::BITS - digit_bits)) as usize;
    let mut tags = Room::<Tag>::new(count)?;
    let mut places = vec![0_u32; 1 << digit_bits];
    account.phase("read", || {
        let records = || source.chunks_exact(layout.record_bytes());
        records().for_each(|record| places[digit_of(layout.prefix(record))] += 1);
        let mut start = 0;
        for place in &mut places {
            start += std::mem::replace(place, start);
        }
        for (position, record) in records().enumerate() {
            let key = layout.prefix(record);
            let place = &mut places[digit_of(key)];
            tags[*place as usize] = Tag { key, position: position as u32, bucket: 0 };
            *place += 1;
        }
    });
    account.phase("sort", || {
        // Now every place is the end of its bucket.
        let mut start = 0;
        for &end in &places {
            tags[start..end as usize].sort_unstable_by_key(|tag| tag.key);
            start = end as usize;
        }
        refine(&mut tags, &source, layout);
    });
    deliver(job, source, tags, 0, 1, account)
}
