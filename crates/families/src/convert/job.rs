//! The job: one file of ASCII is to become one of UTF-16LE, at a place where none stands.

use std::io;
use std::num::NonZero;
use std::ops::Range;
use std::path::PathBuf;

use model::{Point, Proof};
use sys::affinity;

use super::kernel::{Kernel, NotAscii, Unit, bytes_of};
use super::output::Output;
use super::special::best_for;
use crate::contract::Repeat;
use crate::files::{OpenFile, proof_of, ranges, remove_if_there};
use crate::parameters::size_on;

/// What every technique of the family is told.
#[derive(Debug, Clone)]
pub(super) struct ConvertJob {
    /// The file to convert.
    pub(super) source: PathBuf,
    /// Where the converted file goes; no file stands there when the clock starts.
    pub(super) destination: PathBuf,
    /// Size of the source.
    pub(super) bytes: u64,
    /// Whether the converted file must be on the device when the clock stops.
    pub(super) durable: bool,
    /// The values of the technique's own axes.
    pub(super) parameters: Point,
    /// How many logical processors the trial was given; `None` is all that this process may use.
    pub(super) processors: Option<NonZero<usize>>,
}

/// What a reader must know of a conversion: `fell back: ...`, `asynchronous: ...`.
pub(super) type Notes = Vec<String>;

/// Converts once: opens, converts, closes, and flushes when the job is durable.
pub(super) type ConvertOnce = fn(&ConvertJob, &mut Notes) -> io::Result<()>;

impl ConvertJob {
    /// The job of a probe, which tries out whether a technique can be used.
    pub(super) fn of_attempt(source: PathBuf, destination: PathBuf, bytes: u64) -> Self {
        let processors = NonZero::new(1);
        Self { source, destination, bytes, durable: false, parameters: Point::default(), processors }
    }

    /// The job done by one technique.
    pub(super) fn done_by(&self, convert_once: ConvertOnce) -> io::Result<Box<dyn Repeat + '_>> {
        Ok(Box::new(Converting { job: self, convert_once, notes: Notes::new() }))
    }

    /// Creates the destination, which is gone again unless it is finished.
    pub(super) fn create(&self) -> io::Result<Output<'_>> {
        Ok(self.output(OpenFile::create(&self.destination)?))
    }

    /// The destination, created in a way of one's own.
    pub(super) fn output<'job>(&'job self, created: OpenFile<'job>) -> Output<'job> {
        Output::new(created, &self.destination)
    }

    /// The kernel of a technique that is not about kernels.
    pub(super) fn kernel(&self) -> Kernel {
        best_for(self.bytes)
    }

    /// Converts a piece that begins at `offset` of the source; gives what is to be written, at twice that offset.
    ///
    /// # Errors
    /// [`NotAscii`], which names the file and the place.
    pub(super) fn convert<'units>(
        &self,
        kernel: Kernel,
        offset: u64,
        from: &[u8],
        to: &'units mut [Unit],
    ) -> io::Result<&'units [u8]> {
        debug_assert_eq!(from.len(), to.len(), "a unit for every byte");
        kernel(from, to).map_err(|place| NotAscii::at(&self.source, offset + place as u64, from[place]))?;
        // SAFETY: the kernel has written a unit for every byte.
        Ok(unsafe { bytes_of(to) })
    }

    /// Logical processors that the trial may run on, at least 1. Asks the system only when it must.
    pub(super) fn processors(&self) -> usize {
        affinity::count(self.processors)
    }

    /// The source cut into regions for as many threads, or fewer where it is short; then a note says so.
    pub(super) fn regions(&self, bytes: u64, threads: usize, notes: &mut Notes) -> Vec<Range<u64>> {
        let regions = ranges(bytes, threads);
        Self::note_fewer_threads(regions.len(), threads, "1 MiB", notes);
        regions
    }

    /// Says so when a technique works with fewer threads than it was to.
    pub(super) fn note_fewer_threads(threads: usize, wanted: usize, least: &str, notes: &mut Notes) {
        if threads < wanted {
            let threads = threads.max(1);
            notes.push(format!(
                "fell back: {threads} of {wanted} threads, since a thread takes at least {least}"
            ));
        }
    }

    /// A parameter, a number of things that must fit into memory.
    pub(super) fn parameter(&self, axis: &str) -> io::Result<usize> {
        size_on(&self.parameters, axis)
    }
}

struct Converting<'job> {
    job: &'job ConvertJob,
    convert_once: ConvertOnce,
    notes: Notes,
}

impl Repeat for Converting<'_> {
    fn refresh(&mut self) -> io::Result<()> {
        remove_if_there(&self.job.destination)
    }

    fn repeat(&mut self, times: u64) -> io::Result<()> {
        self.notes.clear();
        for _ in 0..times {
            (self.convert_once)(self.job, &mut self.notes)?;
        }
        Ok(())
    }

    fn proof(&mut self) -> io::Result<Proof> {
        proof_of(&self.job.destination)
    }

    fn notes(&self) -> Vec<String> {
        self.notes.clone()
    }
}
