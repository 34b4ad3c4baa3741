//! The records themselves, sorted by the standard library.

use std::io;

use model::Class;

use super::job::{SortJob, always};
use super::layout::Layout;
use super::typed::{SortValues, sort_values};
use crate::contract::Technique;

pub(in crate::sort) const SORT_UNSTABLE: Technique<SortJob> = Technique {
    name: "sort_unstable",
    alias: &[],
    idea: "read the whole file into memory, sort the records by slice::sort_unstable_by_key, write the whole",
    source: "Rust standard library, slice::sort_unstable_by_key (ipnsort)",
    class: Class::MovesBytes,
    ceiling: false,
    parameter: None,
    probe: always,
    prepare: |job| job.done_by(|job, account| sort_values(job, account, &Unstable)),
};

struct Unstable;

impl SortValues for Unstable {
    fn sort<const BYTES: usize>(&self, records: &mut [[u8; BYTES]], layout: Layout) -> io::Result<()> {
        match layout.has_rest() {
            false => records.sort_unstable_by_key(|record| layout.prefix(record)),
            true => records.sort_unstable_by(|a, b| layout.key(a).cmp(layout.key(b))),
        }
        Ok(())
    }
}
