//! The job: the records of one file are to stand in another in ascending order of their keys.

use std::io;
use std::num::NonZero;
use std::ops::Deref;
use std::path::PathBuf;
use std::time::Instant;

use model::{Point, Proof};
use sys::affinity;

use super::layout::Layout;
use super::proof::{proof_of_memory, proof_of_records};
use super::system::share_one_heap;
use crate::contract::Repeat;
use crate::files::{fewer_threads, remove_if_there};
use crate::records::{KEY_BYTES, RECORD_BYTES};
use crate::values::Values;

#[derive(Debug, Clone)]
pub(super) struct SortJob {
    pub(super) input: PathBuf,
    pub(super) output: PathBuf,
    /// The index that a technique makes.
    pub(super) index: PathBuf,
    /// An index that an earlier run left, for a technique that uses one again.
    pub(super) kept_index: PathBuf,
    /// The sorted runs until they are merged.
    pub(super) runs: PathBuf,
    pub(super) layout: Layout,
    pub(super) bytes: u64,
    /// False where the sorted records stay in memory and are proven there.
    pub(super) written: bool,
    pub(super) durable: bool,
    /// True where input and kept index must be out of the file cache when the clock starts.
    pub(super) cold: bool,
    pub(super) parameters: Point,
    /// The number of logical processors of the trial; `None` is all that this process may use.
    pub(super) processors: Option<NonZero<usize>>,
    pub(super) memory_limit_bytes: Option<u64>,
}

const RECORDS_A_THREAD: usize = 8 << 10;

pub(super) type SortOnce = fn(&SortJob, &mut Account) -> io::Result<Sorted>;

pub(super) enum Sorted {
    Written,
    /// The records in their order, one behind the other: writing was suppressed.
    InMemory(Box<dyn Deref<Target = [u8]>>),
}

#[derive(Debug, Default)]
pub(super) struct Account {
    phases_ns: Vec<(&'static str, u64)>,
    notes: Vec<String>,
}

impl Account {
    pub(super) fn phase<R>(&mut self, name: &'static str, work: impl FnOnce() -> R) -> R {
        let start = Instant::now();
        let done = work();
        self.add(name, elapsed_ns(start));
        done
    }

    pub(super) fn add(&mut self, name: &'static str, ns: u64) {
        match self.phases_ns.iter_mut().find(|(known, _)| *known == name) {
            Some((_, sum)) => *sum += ns,
            None => self.phases_ns.push((name, ns)),
        }
    }

    pub(super) fn note(&mut self, sentence: String) {
        if !self.notes.contains(&sentence) {
            self.notes.push(sentence);
        }
    }
}

pub(super) fn elapsed_ns(start: Instant) -> u64 {
    start.elapsed().as_nanos() as u64
}

impl SortJob {
    pub(super) fn of_files(input: PathBuf, output: PathBuf, parameters: Point) -> io::Result<Self> {
        let layout = Layout::new(RECORD_BYTES as u64, KEY_BYTES as u64).map_err(io::Error::other)?;
        let [index, kept_index, runs] = ["index", "kept", "runs"].map(|end| output.with_added_extension(end));
        Ok(Self {
            input,
            output,
            index,
            kept_index,
            runs,
            layout,
            bytes: 0,
            written: true,
            durable: false,
            cold: false,
            parameters,
            processors: None,
            memory_limit_bytes: None,
        })
    }

    pub(super) fn done_by(&self, sort_once: SortOnce) -> io::Result<Box<dyn Repeat + '_>> {
        self.done_after(|_job| Ok(()), sort_once)
    }

    /// Does the job after `make_ready`, which runs outside the clock.
    pub(super) fn done_after(
        &self, make_ready: fn(&Self) -> io::Result<()>, sort_once: SortOnce,
    ) -> io::Result<Box<dyn Repeat + '_>> {
        if self.memory_limit_bytes.is_some() {
            share_one_heap();
        }
        Ok(Box::new(Sorting { job: self, make_ready, sort_once, account: Account::default(), sorted: None }))
    }

    /// Returns the number of logical processors that the trial may run on, at least 1. Asks the system only when it must.
    pub(super) fn processors(&self) -> usize {
        affinity::count(self.processors)
    }

    /// Returns one thread a processor, or fewer where there is less to do, which a note says.
    pub(super) fn threads_for(&self, records: usize, account: &mut Account) -> usize {
        let processors = self.processors();
        let threads = processors.min(records / RECORDS_A_THREAD).max(1);
        let reason = format_args!("one takes part for every {RECORDS_A_THREAD} records");
        fewer_threads(threads, processors, reason).into_iter().for_each(|note| account.note(note));
        threads
    }

    fn clear(&self) -> io::Result<()> {
        [&self.output, &self.index, &self.runs].into_iter().try_for_each(|path| remove_if_there(path))
    }
}

struct Sorting<'job> {
    job: &'job SortJob,
    make_ready: fn(&SortJob) -> io::Result<()>,
    sort_once: SortOnce,
    account: Account,
    sorted: Option<Sorted>,
}

impl Repeat for Sorting<'_> {
    fn refresh(&mut self) -> io::Result<()> {
        self.sorted = None;
        self.job.clear()?;
        (self.make_ready)(self.job)
    }

    fn repeat(&mut self, times: u64) -> io::Result<()> {
        self.account = Account::default();
        for _ in 0..times {
            self.sorted = Some((self.sort_once)(self.job, &mut self.account)?);
        }
        Ok(())
    }

    fn proof(&mut self) -> io::Result<Proof> {
        match &self.sorted {
            Some(Sorted::Written) => proof_of_records(&self.job.output, self.job.layout),
            Some(Sorted::InMemory(records)) => Ok(proof_of_memory(records, self.job.layout)),
            None => Err(io::Error::new(io::ErrorKind::NotFound, "nothing was sorted yet")),
        }
    }

    fn values(&self, out: &mut Values) {
        for &(phase, ns) in &self.account.phases_ns {
            out.phase_ns(phase, ns);
        }
    }

    fn notes(&self) -> Vec<String> {
        self.account.notes.clone()
    }
}
