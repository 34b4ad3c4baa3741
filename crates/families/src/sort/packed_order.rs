//! The order of the records of a mapped file, found through packed keys.

use std::io;

use super::job::{Account, SortJob};
use super::radix::{Task, sort_positions};
use super::room::Room;
use super::source::Source;

/// A mapped file and the order of its records.
pub(super) struct PackedOrder {
    pub(super) source: Source,
    pub(super) positions: Room<u64>,
    /// The bits of each number of the order that are a position.
    pub(super) mask: u64,
    pub(super) threads: usize,
}

impl PackedOrder {
    /// Maps the file and sorts its packed keys, on one thread a processor.
    pub(super) fn find(job: &SortJob, account: &mut Account) -> io::Result<Self> {
        let source = Source::map(job)?;
        let records = source.len() / job.layout.record_bytes();
        let threads = job.threads_for(records, account);
        let (mut keys, mut positions) = (Room::new(records)?, Room::new(records)?);
        let task = Task { records: &source, layout: job.layout, keys: &mut keys, order: &mut positions };
        let found = sort_positions(task, threads)?;
        account.add("read", found.read_ns);
        account.add("sort", found.sort_ns);
        Ok(Self { source, positions, mask: found.mask, threads })
    }
}
