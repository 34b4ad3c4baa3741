//! Packed keys, partitioned, sorted, gathered and written by all processors.

use std::io;

use model::Class;

use super::job::{Account, SortJob, Sorted, always};
use super::ordered::deliver;
use super::radix::{Task, sort_positions};
use super::room::Room;
use super::source::Source;
use crate::contract::Technique;

pub(in crate::sort) const PARALLEL_RADIX: Technique<SortJob> = Technique {
    name: "parallel_radix",
    alias: &[],
    idea: "keys packed with their positions into 64 bits, sorted by digits from the highest by one thread a \
           processor; pieces gathered from the mapped file and written by all into an output of full length",
    source: "McIlroy, Bostic and McIlroy, Engineering Radix Sort, 1993; keys packed by their values at each place",
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
    deliver(job, source, order, found.mask, threads, account)
}
