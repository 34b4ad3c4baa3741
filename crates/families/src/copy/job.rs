//! The job: one file is to be copied to a place where none stands.

use std::io;
use std::num::NonZero;
use std::path::PathBuf;

use model::{Point, Proof, SampleNote};
use sys::affinity::allowed;

use crate::contract::Repeat;
use crate::files::{Mapping, OpenFile, mapped_proof_of, remove_if_there, shares_extents};
use crate::parameters::size_on;

/// What every technique of the family is told.
#[derive(Debug, Clone)]
pub(super) struct CopyJob {
    /// The file to copy.
    pub(super) source: PathBuf,
    /// Where the copy goes; no file stands there when the clock starts.
    pub(super) destination: PathBuf,
    /// Size of the source.
    pub(super) bytes: u64,
    /// Whether the copy must be on the device when the clock stops.
    pub(super) durable: bool,
    /// The values of the technique's own axes.
    pub(super) parameters: Point,
    /// How many logical processors the trial was given; `None` is all that this process may use.
    pub(super) processors: Option<NonZero<usize>>,
}

/// What a reader must know of a copy: `fell back: ...`.
pub(super) type Notes = Vec<String>;

/// Copies once: opens, copies, closes, and flushes when the job is durable.
pub(super) type CopyOnce = fn(&CopyJob, &mut Notes) -> io::Result<()>;

impl CopyJob {
    /// The job done by one technique.
    pub(super) fn done_by(&self, copy_once: CopyOnce) -> io::Result<Box<dyn Repeat + '_>> {
        Ok(Box::new(Copying { job: self, copy_once, may_share: false, notes: Notes::new() }))
    }

    /// The job done by a technique that leaves it to others how the bytes get there: it may share extents.
    pub(super) fn left_to_the_system(&self, copy_once: CopyOnce) -> io::Result<Box<dyn Repeat + '_>> {
        Ok(Box::new(Copying { job: self, copy_once, may_share: true, notes: Notes::new() }))
    }

    /// Logical processors that the trial may run on, at least 1. Asks the system only when it must, and in one call: the
    /// standard library's answer, which knows of quotas too, takes as long as copying 100 KB.
    pub(super) fn processors(&self) -> usize {
        self.processors.map_or_else(|| allowed().len().max(1), NonZero::get)
    }

    /// The size of the buffer, a parameter.
    pub(super) fn buffer_bytes(&self) -> io::Result<usize> {
        size_on(&self.parameters, "buffer_bytes")
    }
}

/// The note of a technique that runs on fewer threads than processors; `reason` tells why.
pub(super) fn fewer_threads(threads: usize, processors: usize, reason: &str) -> Option<String> {
    let threads = threads.max(1);
    let note = || format!("fell back: {threads} thread(s) in place of {processors}: {reason}");
    (threads < processors).then(note)
}

/// A buffer of `most_bytes` bytes, or of as many as the source has where those are fewer.
///
/// The pages of a buffer are looked up when it is made: a small file must not pay for those that it never fills.
pub(super) fn buffer_for(source: &OpenFile, most_bytes: usize) -> io::Result<Mapping> {
    buffer_of(source.size_bytes()?, most_bytes)
}

/// As [`buffer_for`], where the size of the source is known already.
pub(super) fn buffer_of(source_bytes: u64, most_bytes: usize) -> io::Result<Mapping> {
    Mapping::buffer(source_bytes.clamp(LEAST_BYTES.min(most_bytes as u64), most_bytes as u64) as usize)
}

/// One page: what a file without a length, as in /proc, is read with.
const LEAST_BYTES: u64 = 4_096;

struct Copying<'job> {
    job: &'job CopyJob,
    copy_once: CopyOnce,
    may_share: bool,
    notes: Notes,
}

impl Repeat for Copying<'_> {
    fn refresh(&mut self) -> io::Result<()> {
        remove_if_there(&self.job.destination)
    }

    fn repeat(&mut self, times: u64) -> io::Result<()> {
        self.notes.clear();
        for _ in 0..times {
            (self.copy_once)(self.job, &mut self.notes)?;
        }
        Ok(())
    }

    fn proof(&mut self) -> io::Result<Proof> {
        mapped_proof_of(&self.job.destination)
    }

    fn notes(&self) -> Vec<String> {
        self.notes.clone()
    }

    fn notes_on_the_output(&self) -> Vec<SampleNote> {
        let reflinked = self.may_share && shares_extents(&self.job.destination) == Some(true);
        reflinked.then_some(SampleNote::Reflinked).into_iter().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_buffer_is_never_larger_than_the_file_and_never_empty() {
        let bytes = |source, most| buffer_of(source, most).expect("memory").len();
        assert_eq!(bytes(10_000, 1 << 20), 10_000);
        assert_eq!(bytes(1 << 30, 256 << 10), 256 << 10);
        assert_eq!(bytes(0, 1 << 20), 4_096);
        assert_eq!(bytes(0, 1), 1);
    }
}
