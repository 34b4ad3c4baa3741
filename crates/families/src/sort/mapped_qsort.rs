//! The file is mapped and sorted in place, as in the historical program sortFL.

use std::io;

use model::Class;

use super::job::{Account, InOrder, SortJob, Sorted, always};
use super::layout::Layout;
use super::qsort::{name_the_library, qsort};
use super::source::open;
use super::system;
use crate::contract::Technique;
use crate::files::{Mapping, pour};

pub(in crate::sort) const MAPPED_QSORT: Technique<SortJob> = Technique {
    name: "mapped_qsort",
    alias: &["sortFL"],
    idea: "copy the file, map the copy, and let the C library's qsort move its records in place",
    source: "Hart, Windows System Programming, sortFL",
    class: Class::MovesBytes,
    ceiling: false,
    parameter: None,
    probe: always,
    prepare: |job| job.done_by(|job, account| sort_in_mapping(job, account, |sort| sort())),
};

const COPIED_BYTES: usize = 256 << 10;

/// Sorting in place destroys what was there. The published program therefore copied its input first and sorted the
/// copy; so does this one, inside the clock, and its copy is the output.
pub(super) fn sort_in_mapping(
    job: &SortJob,
    account: &mut Account,
    around_qsort: fn(&mut dyn FnMut()),
) -> io::Result<Sorted> {
    let (input, bytes) = open(job)?;
    let output = system::create_to_reread(&job.output)?;
    system::allocate(&output, bytes as u64, account)?;
    let poured = account.phase("read", || pour(&input, &output, &mut Mapping::buffer(COPIED_BYTES)?))?;
    if poured != bytes as u64 {
        return Err(input.at("read")(io::Error::from(io::ErrorKind::UnexpectedEof)));
    }
    let mut kept = None;
    // A file without a byte cannot be mapped.
    if bytes > 0 {
        let mut records = system::map_destination(&output, bytes)?;
        let (record_bytes, key_bytes) = (job.layout.record_bytes(), job.layout.key_bytes());
        account.phase("sort", || around_qsort(&mut || qsort(&mut records, record_bytes, key_bytes)));
        if job.written && job.durable {
            system::hand_over(&records, &output)?;
        }
        kept = Some(records);
    }
    name_the_library(account);
    if !job.written {
        return Ok(Sorted::InMemory(Box::new(Kept { records: kept, layout: job.layout })));
    }
    drop(kept);
    output.finish(job.durable)?;
    Ok(Sorted::Written)
}

/// The sorted file, still mapped.
struct Kept {
    records: Option<Mapping>,
    layout: Layout,
}

impl InOrder for Kept {
    fn visit(&self, see: &mut dyn FnMut(&[u8])) {
        let records = self.records.as_deref().unwrap_or_default();
        records.chunks_exact(self.layout.record_bytes()).for_each(see);
    }
}
