use model::Class;
use sys::page_cache::evict;

use super::index_file::{Index, deliver_by_index, find_index, make_index, stands_there};
use crate::files::remove_if_there;
use crate::sort::prelude::*;
use crate::sort::source::{Source, records_in_input};

pub(in crate::sort) const INDEX_FILE_REUSED: Technique<SortJob> = Technique {
    name: "index_file_reused",
    idea: "find the index file that an earlier run left, and write the records in its order",
    source: "Hart, Windows System Programming, sortMM -I",
    calls: &["mmap file", "write"],
    class: Class::ReusesEarlierWork,
    ..Technique::usual(|job| job.done_after(make_ready, sort))
};

fn sort(job: &SortJob, account: &mut Account) -> io::Result<Sorted> {
    let (source, found) = account.phase("read", || -> io::Result<_> {
        let source = Source::looked_up(job)?;
        let found = find_index(&job.kept_index, source.len() / job.layout.record_bytes(), job.layout)?;
        Ok((source, found))
    })?;
    let index = match found {
        Some(index) => index,
        None => {
            account.note("fell back: no index stood there, so this run had to make it".to_owned());
            let start = Instant::now();
            let made = make_again(job, &source, account)?;
            account.add("sort", elapsed_ns(start));
            made
        }
    };
    deliver_by_index(job, source, index, account)
}

fn make_again(job: &SortJob, source: &Source, account: &mut Account) -> io::Result<Index> {
    remove_if_there(&job.kept_index)?;
    make_index(&job.kept_index, source, job.layout, account)
}

/// Makes the index outside the clock, once. Reads nothing when it is there: all stays out of the file cache for a cold sample.
fn make_ready(job: &SortJob) -> io::Result<()> {
    if stands_there(&job.kept_index, records_in_input(job)?, job.layout)? {
        return Ok(());
    }
    make_again(job, &Source::map(job)?, &mut Account::default())?;
    // What was read and written here would be warm for a sample that is to be cold.
    if job.cold { evict(&[job.input.clone(), job.kept_index.clone()]).map(drop) } else { Ok(()) }
}
