use crate::files::{Mapping, OpenFile};
use crate::sort::crew::{Shared, together};
use crate::sort::layout::Layout;
use crate::sort::ordered::{deliver, gather};
use crate::sort::prelude::*;
use crate::sort::radix::PackedOrder;
use crate::sort::system;

pub(in crate::sort) const PARALLEL_RADIX_MAPPED: Technique<SortJob> = Technique {
    name: "parallel_radix_mapped",
    idea: "parallel_radix into a mapped output, split among the processors: each gathers its part of the records \
           straight to where they belong in the file",
    source: "mmap(2), MADV_POPULATE_WRITE; Microsoft, MapViewOfFile",
    calls: &["mmap MAP_SHARED", "!write", "!pwrite64"],
    ..Technique::usual(|job| job.done_by(sort))
};

fn sort(job: &SortJob, account: &mut Account) -> io::Result<Sorted> {
    let PackedOrder { source, positions, mask, threads } = PackedOrder::find(job, account)?;
    if !job.written {
        return deliver(job, source, positions, mask, threads, account);
    }
    let output = OpenFile::create_to_map(&job.output)?;
    if !positions.is_empty() {
        system::allocate(&output, source.len() as u64, account)?;
        let mut mapped = Mapping::of_destination(&output, source.len())?;
        let order = Order { positions: &positions, mask };
        account.phase("permute", || fill(&mut mapped, &source, job.layout, order, threads))?;
        if job.durable {
            mapped.hand_over(&output)?;
        }
    }
    output.finish(job.durable)?;
    Ok(Sorted::Written)
}

#[derive(Clone, Copy)]
struct Order<'order> {
    positions: &'order [u64],
    mask: u64,
}

fn fill(
    destination: &mut [u8],
    records: &[u8],
    layout: Layout,
    order: Order,
    threads: usize,
) -> io::Result<()> {
    let (piece, count) = (layout.records_a_piece(), order.positions.len());
    let destination = Shared::new(destination);
    together(threads, |member| {
        let part = member.part_of(count, piece);
        for first in part.clone().step_by(piece) {
            let positions = first..(first + piece).min(part.end);
            let bytes = positions.start * layout.record_bytes()..positions.end * layout.record_bytes();
            // SAFETY: the parts of the threads are disjoint.
            let places = unsafe { destination.part(bytes) };
            system::look_up_for_writing(places);
            gather(records, layout, &order.positions[positions], order.mask, places);
        }
        Ok(())
    })?;
    Ok(())
}
