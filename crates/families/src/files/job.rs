//! The job of a family that makes one file, or a folder of many, of another, and the technique that does it.

use std::collections::HashSet;
use std::io;
use std::num::NonZero;
use std::path::PathBuf;

use model::{Availability, Point, Proof, SampleNote, Setting, Trial};
use sys::affinity;

use super::{proof_of, proof_of_folder, remove_if_there, single, tried_out};
use crate::contract::Repeat;
use crate::parameters::size_on;

#[derive(Debug, Clone)]
pub(crate) struct FileJob {
    pub(crate) source: PathBuf,
    /// The path of the result; neither file nor folder stands there when the clock starts.
    pub(crate) destination: PathBuf,
    pub(crate) many: Option<Vec<OneOfMany>>,
    /// Size of all files together.
    pub(crate) bytes: u64,
    /// True where the result must be on the device when the clock stops.
    pub(crate) durable: bool,
    pub(crate) parameters: Point,
    /// The number of logical processors of the trial; `None` is all that this process may use.
    pub(crate) processors: Option<NonZero<usize>>,
}

#[derive(Debug, Clone)]
pub(crate) struct OneOfMany {
    pub(crate) source: PathBuf,
    pub(crate) destination: PathBuf,
}

pub(crate) type Notes = Vec<String>;

pub(crate) type WorkOnce = fn(&FileJob, &mut Notes) -> io::Result<()>;

impl FileJob {
    pub(crate) fn of_trial(trial: &Trial, source: PathBuf, parameters: Point) -> io::Result<Self> {
        Ok(Self {
            source,
            destination: single::output(&trial.family, &trial.scratch),
            many: None,
            bytes: single::input_bytes(&trial.family, &trial.workload)?,
            durable: trial.setting.is_durable(),
            parameters,
            processors: NonZero::new(trial.setting.conditions.processors.len()),
        })
    }

    pub(crate) fn of_attempt(source: PathBuf, destination: PathBuf, bytes: u64) -> Self {
        let (parameters, processors) = (Point::default(), NonZero::new(1));
        Self { source, destination, many: None, bytes, durable: false, parameters, processors }
    }

    pub(crate) fn done_by(&self, work_once: WorkOnce) -> io::Result<Box<dyn Repeat + '_>> {
        Ok(Box::new(Working { job: self, work_once, may_share: false, notes: Notes::new() }))
    }

    /// Does the job by a technique that leaves it to others how the bytes get there: it may share extents.
    pub(crate) fn left_to_the_system(&self, work_once: WorkOnce) -> io::Result<Box<dyn Repeat + '_>> {
        Ok(Box::new(Working { job: self, work_once, may_share: true, notes: Notes::new() }))
    }

    /// Returns the number of logical processors that the trial may run on, at least 1. Asks the system only when it must.
    pub(crate) fn processors(&self) -> usize {
        affinity::count(self.processors)
    }

    pub(crate) fn parameter(&self, axis: &str) -> io::Result<usize> {
        size_on(&self.parameters, axis)
    }
}

struct Working<'job> {
    job: &'job FileJob,
    work_once: WorkOnce,
    may_share: bool,
    notes: Notes,
}

impl Repeat for Working<'_> {
    fn refresh(&mut self) -> io::Result<()> {
        remove_if_there(&self.job.destination)
    }

    fn repeat(&mut self, times: u64) -> io::Result<()> {
        self.notes.clear();
        for _ in 0..times {
            (self.work_once)(self.job, &mut self.notes)?;
        }
        Ok(())
    }

    fn proof(&mut self) -> io::Result<Proof> {
        match self.job.many {
            Some(_) => proof_of_folder(&self.job.destination),
            None => proof_of(&self.job.destination),
        }
    }

    fn notes(&self) -> Vec<String> {
        // What holds for many files is said once.
        let mut seen = HashSet::new();
        self.notes.iter().filter(|note| seen.insert(*note)).cloned().collect()
    }

    fn notes_on_the_output(&self) -> Vec<SampleNote> {
        // All files of a folder are copied in the same way.
        let first = self.job.many.iter().flatten().next();
        let output = first.map_or(&self.job.destination, |file| &file.destination);
        let reflinked = self.may_share && matches!(sys::extents::shared(output), Ok(Some(true)));
        reflinked.then_some(SampleNote::Reflinked).into_iter().collect()
    }
}

/// Does a small job with a tail in the setting's directory; its result has `growth` times the bytes of its source.
pub(crate) fn tried_once(setting: &Setting, refused: &str, growth: u64, work_once: WorkOnce) -> Availability {
    const BYTES: u64 = 5_000;
    tried_out(setting, BYTES as usize, refused, |file| {
        let job = FileJob::of_attempt(file.path().to_owned(), file.absent(), BYTES);
        work_once(&job, &mut Notes::new())?;
        match std::fs::metadata(&job.destination)?.len() {
            arrived if arrived == growth * BYTES => Ok(()),
            arrived => Err(io::Error::other(format!("{arrived} of {} bytes arrived", growth * BYTES))),
        }
    })
}

/// Does a small job past the cache in the setting's directory.
pub(crate) fn probe_direct(setting: &Setting, growth: u64, work_once: WorkOnce) -> Availability {
    tried_once(setting, "access past the file cache is refused in this directory", growth, work_once)
}
