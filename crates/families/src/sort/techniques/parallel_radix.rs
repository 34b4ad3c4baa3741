use crate::files::{Mapping, OpenFile, look_up_for_writing};
use crate::sort::layout::Layout;
use crate::sort::lockstep::{Shared, together};
use crate::sort::ordered::{deliver, gather};
use crate::sort::prelude::*;
use crate::sort::radix::PackedOrder;
use crate::sort::system;

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

pub(in crate::sort) const PARALLEL_RADIX_MAPPED: Technique<SortJob> = Technique {
    name: "parallel_radix_mapped",
    idea: "parallel_radix into a mapped output, split among the processors: each gathers its part of the records \
           straight to where they belong in the file",
    source: "mmap(2), MADV_POPULATE_WRITE; Microsoft, MapViewOfFile",
    calls: &["mmap MAP_SHARED", "!write", "!pwrite64"],
    ..Technique::usual(|job| job.done_by(sort_into_mapping))
};

fn sort_into_mapping(job: &SortJob, account: &mut Account) -> io::Result<Sorted> {
    let PackedOrder { source, positions, mask, threads } = PackedOrder::find(job, account)?;
    if !job.written {
        return deliver(job, source, positions, mask, threads, account);
    }
    let output = OpenFile::create_to_map(&job.output)?;
    if !positions.is_empty() {
        system::allocate(&output, source.len() as u64, account)?;
        let mut mapped = Mapping::of_destination(&output, source.len())?;
        account.phase("permute", || fill(&mut mapped, &source, job.layout, (&positions, mask), threads))?;
        if job.durable {
            mapped.hand_over(&output)?;
        }
    }
    output.finish(job.durable)?;
    Ok(Sorted::Written)
}

fn fill(
    destination: &mut [u8], records: &[u8], layout: Layout, (order, mask): (&[u64], u64), threads: usize,
) -> io::Result<()> {
    let (piece, count) = (layout.records_a_piece(), order.len());
    let destination = Shared::new(destination);
    together(threads, |member| {
        let part = member.part_of(count, piece);
        for first in part.clone().step_by(piece) {
            let positions = first..(first + piece).min(part.end);
            // SAFETY: the parts of the threads are disjoint.
            let places = unsafe { destination.part(layout.bytes_of(&positions)) };
            look_up_for_writing(places);
            gather(records, layout, &order[positions], mask, places);
        }
        Ok(())
    })?;
    Ok(())
}
