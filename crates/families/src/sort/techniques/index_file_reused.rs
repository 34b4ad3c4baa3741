use std::time::Instant;

use model::{Class, Proof};
use sys::page_cache::evict;

use super::index_file::{Index, deliver_by_index, find_index, make_index, stands_there};
use crate::contract::Repeat;
use crate::files::remove_if_there;
use crate::sort::prelude::*;
use crate::sort::source::{Source, records_in_input};
use crate::values::Values;

pub(in crate::sort) const INDEX_FILE_REUSED: Technique<SortJob> = Technique {
    name: "index_file_reused",
    idea: "find the index file that an earlier run left, and write the records in its order",
    source: "Hart, Windows System Programming, sortMM -I",
    calls: &["mmap file", "write"],
    class: Class::ReusesEarlierWork,
    ..Technique::usual(|job| Ok(Box::new(Reusing { job, sorting: job.done_by(sort)? })))
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
            let made = make_anew(job, &source, account)?;
            account.add("sort", elapsed_ns(start));
            made
        }
    };
    deliver_by_index(job, source, index, account)
}

fn make_anew(job: &SortJob, source: &Source, account: &mut Account) -> io::Result<Index> {
    remove_if_there(&job.kept_index)?;
    make_index(&job.kept_index, source, job.layout, account)
}

/// The index is made outside the clock, once, and stays for all repetitions.
struct Reusing<'job> {
    job: &'job SortJob,
    sorting: Box<dyn Repeat + 'job>,
}

impl Repeat for Reusing<'_> {
    /// Reads neither the index nor the records when the index is there: both stay out of the file cache for a cold sample.
    fn refresh(&mut self) -> io::Result<()> {
        self.sorting.refresh()?;
        if stands_there(&self.job.kept_index, records_in_input(self.job)?, self.job.layout)? {
            return Ok(());
        }
        // What there is to say of it is no part of a repetition.
        make_anew(self.job, &Source::map(self.job)?, &mut Account::default())?;
        // What was read and written for it here would be warm for a sample that is to be cold.
        if self.job.cold {
            evict(&[self.job.input.clone(), self.job.kept_index.clone()]).map(drop)
        } else {
            Ok(())
        }
    }

    fn repeat(&mut self, times: u64) -> io::Result<()> {
        self.sorting.repeat(times)
    }

    fn proof(&mut self) -> io::Result<Proof> {
        self.sorting.proof()
    }

    fn values(&self, out: &mut Values) {
        self.sorting.values(out);
    }

    fn notes(&self) -> Vec<String> {
        self.sorting.notes()
    }
}
