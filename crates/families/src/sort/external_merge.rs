//! Sorted runs and one merge, within memory of a fixed size.

use std::io;

use model::Class;

use super::external::sort_within;
use super::job::{Account, SortJob, Sorted, always};
use crate::contract::{Parameter, Technique};

pub(in crate::sort) const EXTERNAL_MERGE: Technique<SortJob> = Technique {
    name: "external_merge",
    alias: &[],
    idea: "parallel_radix on as much as fits, into runs in a scratch file; one merge by a tree of losers, with a \
           thread beside it that reads and writes large blocks",
    source: "Knuth, The Art of Computer Programming, volume 3, 5.4",
    class: Class::MovesBytes,
    ceiling: false,
    parameter: Some(Parameter { name: "memory_bytes", values: &[16 << 20, 64 << 20] }),
    probe: always,
    prepare: |job| job.done_by(sort),
};

fn sort(job: &SortJob, account: &mut Account) -> io::Result<Sorted> {
    let missing = || io::Error::new(io::ErrorKind::InvalidInput, "the size of the memory is missing");
    sort_within(job, account, job.parameter.ok_or_else(missing)?)
}
