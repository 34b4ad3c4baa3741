//! Packed keys again; the output is mapped, and every processor fills its own part of it.

use std::io;

use model::Class;

use super::crew::together;
use super::gather::gather;
use super::job::{Account, SortJob, Sorted, always};
use super::layout::Layout;
use super::ordered::deliver;
use super::radix::{Task, sort_positions};
use super::room::Room;
use super::shared::Shared;
use super::source::Source;
use super::system;
use crate::contract::Technique;

pub(in crate::sort) const PARALLEL_RADIX_MAPPED: Technique<SortJob> = Technique {
    name: "parallel_radix_mapped",
    alias: &[],
    idea: "parallel_radix into a mapped output, split among the processors: each gathers its part of the records \
           straight to where they belong in the file",
    source: "mmap(2), MADV_POPULATE_WRITE; Microsoft, MapViewOfFile",
    class: Class::MovesBytes,
    ceiling: false,
    parameter: None,
    probe: always,
    prepare: |job| job.done_by(sort),
};

fn sort(job: &SortJob, account: &mut Account) -> io::Result<Sorted> {
    let source = Source::map(job)?;
    let records = source.len() / job.layout.record_bytes();
    let threads = job.threads_for(records, account);
    let (mut keys, mut order) = (Room::new(records)?, Room::new(records)?);
    let task = Task { records: &source, layout: job.layout, keys: &mut keys, order: &mut order };
    let found = sort_positions(task, threads)?;
    account.add("read", found.read_ns);
    account.add("sort", found.sort_ns);
    if !job.written {
        return deliver(job, source, order, found.mask, threads, account);
    }
    let output = system::create_to_reread(&job.output)?;
    if records > 0 {
        system::allocate(&output, source.len() as u64, account)?;
        let mut mapped = system::map_destination(&output, source.len())?;
        let order = Order { positions: &order, mask: found.mask };
        account.phase("permute", || fill(&mut mapped, &source, job.layout, order, threads))?;
        if job.durable {
            system::hand_over(&mapped, &output)?;
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

/// Gathers the records into `destination`, a part by every thread.
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
