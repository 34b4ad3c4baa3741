use crate::sort::ordered::deliver_moved;
use crate::sort::prelude::*;
use crate::sort::qsort::{name_the_library, qsort};
use crate::sort::source::read_whole;

pub(in crate::sort) const HEAP_QSORT: Technique<SortJob> = Technique {
    name: "heap_qsort",
    alias: &["sortHP"],
    idea: "read the whole file into memory, let the C library's qsort move the records, write the whole",
    source: "Hart, Windows System Programming, sortHP",
    calls: &["read|pread64|mmap file", "!clone3|clone"],
    ..Technique::usual(|job| job.done_by(sort))
};

fn sort(job: &SortJob, account: &mut Account) -> io::Result<Sorted> {
    let mut records = account.phase("read", || read_whole(job))?;
    account.phase("sort", || qsort(&mut records, job.layout.record_bytes(), job.layout.key_bytes()));
    name_the_library(account);
    deliver_moved(job, records, true, account)
}
