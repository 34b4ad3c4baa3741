use crate::sort::ordered::deliver;
use crate::sort::prelude::*;
use crate::sort::radix::PackedOrder;

pub(in crate::sort) const PARALLEL_RADIX: Technique<SortJob> = Technique {
    name: "parallel_radix",
    idea: "keys packed with their positions into 64 bits, sorted by digits from the highest by one thread a \
           processor; pieces gathered from the mapped file and written by all into an output of full length",
    source: "McIlroy, Bostic and McIlroy, Engineering Radix Sort, 1993; keys packed by their values at each place",
    calls: &["read|pread64|mmap file"],
    ..Technique::usual(|job| {
        job.done_by(|job, account| {
            let PackedOrder { source, positions, mask, threads } = PackedOrder::find(job, account)?;
            deliver(job, source, positions, mask, threads, account)
        })
    })
};
