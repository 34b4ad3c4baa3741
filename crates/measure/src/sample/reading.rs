//! What one process tells: its sample, or why there is none.

use std::collections::BTreeMap;
use std::io;

use model::{FailureKind, Sample, SampleNote};
use sys::process::{Ended, Launch, Status};

use crate::error::MeasureError;
use crate::files::output::{irregular_output, is_link, shares_extents};
use crate::files::preparation::{self, Observed};
use crate::sample::outcome::{Outcome, TrialFailure, disproof, failure_of, failure_unless, of_worker};
use crate::sample::runner::{NO_ASSIGNMENT, Reading, Runner, Slot, Step, spawn_failure};
use crate::sample::{jobs, launch};
use crate::task::Task;
use crate::worker::protocol::{Assignment, Timed};

/// An input that another program takes away so often during one sample is not there to be measured.
const MOST_TIMES: u32 = 5;

/// A process that has done the work and ended well, with what it told of its time. Its result was not looked at yet.
pub(crate) struct Worked {
    observed: Observed,
    pub(crate) ended: Ended,
    work: Option<Timed>,
}

impl Runner<'_> {
    /// One process that does the work once, timed from outside.
    pub(crate) fn work_once(
        &mut self,
        task: &Task,
        entrant: usize,
        slot: Slot,
    ) -> Result<Step<Worked>, MeasureError> {
        let trial = task.trial(entrant, self.seed);
        let is_command = task.entrants[entrant].participant.command.is_some();
        let launch_slot = self.slot(task, entrant, slot);
        let launch = match launch::once(&self.worker, entrant, trial, task, launch_slot) {
            Ok(launch) => launch,
            Err(empty) if is_command => {
                return Ok(Step::Failed((FailureKind::Refused, empty.to_string())));
            }
            Err(error) => return Err(MeasureError::io(NO_ASSIGNMENT)(error)),
        };
        let preparation =
            jobs::preparation(task, entrant, launch_slot).map_err(MeasureError::io(NO_ASSIGNMENT))?;
        let (observed, ended) = match self.carry_out(task, preparation.as_ref(), &launch, is_command)? {
            Step::Done(done) => done,
            Step::Failed(failure) => return Ok(Step::Failed(failure)),
            Step::Cancelled => return Ok(Step::Cancelled),
        };
        let work = match is_command {
            true => match failure_unless(&ended, |code| jobs::accepts_exit(task, entrant, code)) {
                Some(failure) => return Ok(Step::Failed(with_full_disk(task, failure))),
                None => None,
            },
            false => match one_of(of_worker(&ended, 1)) {
                Step::Done(timed) => Some(timed),
                Step::Failed(failure) => return Ok(Step::Failed(failure)),
                Step::Cancelled => return Ok(Step::Cancelled),
            },
        };
        Ok(Step::Done(Worked { observed, ended, work }))
    }

    /// One process that does the work once, and what it tells.
    pub(crate) fn read_once(
        &mut self,
        task: &Task,
        entrant: usize,
        slot: Slot,
    ) -> Result<Reading, MeasureError> {
        let reading =
            self.work_once(task, entrant, slot)?.and_then(|worked| self.inspect(task, worked, slot))?;
        self.cleared_after(task, entrant, reading)
    }

    /// What a process tells that has done the work. Its result is inspected, and removed where it is foreign: what cannot be is its fault.
    pub(crate) fn read(
        &mut self,
        task: &Task,
        entrant: usize,
        worked: Worked,
        slot: Slot,
    ) -> Result<Reading, MeasureError> {
        let reading = self.inspect(task, worked, slot)?;
        self.cleared_after(task, entrant, reading)
    }

    fn cleared_after(
        &mut self,
        task: &Task,
        entrant: usize,
        reading: Reading,
    ) -> Result<Reading, MeasureError> {
        match task.entrants[entrant].participant.command.is_some() {
            true => self.clear_after(task, reading),
            false => Ok(reading),
        }
    }

    /// The sample of a process that has ended well; a wrong result is none.
    fn inspect(&mut self, task: &Task, worked: Worked, slot: Slot) -> Result<Reading, MeasureError> {
        let Worked { observed, ended, work } = worked;
        if let Some(failure) = irregular_output(task) {
            return Ok(Step::Failed(failure));
        }
        let process_ns = match self.flush(task) {
            Step::Done(flush_ns) => ended.elapsed_ns + flush_ns,
            Step::Failed(failure) => return Ok(Step::Failed(failure)),
            Step::Cancelled => return Ok(Step::Cancelled),
        };
        self.prove(task)?.and_then(|proof| {
            let other = disproof(&task.expected, &proof).map(|failure| jobs::disproof(task, failure));
            if let Some(failure) = other.or_else(|| is_link(task)) {
                return Ok(Step::Failed(failure));
            }
            let (work_ns, values, histograms, mut notes) = match work {
                Some(timed) => (Some(timed.work_ns), timed.values, timed.histograms, timed.notes),
                None => (None, BTreeMap::new(), BTreeMap::new(), Vec::new()),
            };
            notes.extend(observed.notes());
            if shares_extents(task) {
                notes.push(SampleNote::Reflinked);
            }
            let sample = Sample {
                round: slot.round,
                inner: 0,
                position: slot.position,
                work_ns,
                process_ns: Some(process_ns),
                repetitions: 1,
                usage: ended.usage,
                processor_before: None,
                processor_after: None,
                resident_before: observed.residency,
                proof,
                values,
                histograms,
                notes: notes.clone(),
            };
            Ok(Step::Done((sample, notes)))
        })
    }

    /// Prepares the files, starts a process and waits for its end, however it ends. It fails when it cannot be started, or
    /// when an input is not what it was before: then all inputs are made again. A command has spoiled them itself; a
    /// technique only reads, so that another program must have been at work in the scratch folder, and it is started
    /// again.
    pub(crate) fn carry_out(
        &mut self,
        task: &Task,
        preparation: Option<&Launch>,
        launch: &Launch,
        is_command: bool,
    ) -> Result<Step<(Observed, Ended)>, MeasureError> {
        let (mut remade, mut times) = (None, 0);
        loop {
            let Step::Done(mut observed) = self.prepare_files(task)? else { return Ok(Step::Cancelled) };
            match preparation.map(|own| self.prepare_own(task, own)).transpose()? {
                None => {}
                Some(Step::Done(after)) => observed = Observed { remade: observed.remade, ..after },
                Some(Step::Failed(failure)) => return Ok(Step::Failed(failure)),
                Some(Step::Cancelled) => return Ok(Step::Cancelled),
            }
            let ended = match self.launch(launch) {
                Ok(ended) if ended.status == Status::Cancelled => return Ok(Step::Cancelled),
                Ok(ended) => ended,
                Err(refused) => return Ok(Step::Failed(spawn_failure(refused)?)),
            };
            let Step::Done(changed) = self.restored(task)? else { return Ok(Step::Cancelled) };
            let Some(path) = changed else {
                observed.remade = remade.or(observed.remade);
                return Ok(Step::Done((observed, ended)));
            };
            let path = path.display();
            if is_command {
                let reason = format!("changed or removed its input {path}, which was made anew");
                return Ok(Step::Failed((FailureKind::Wrong, reason)));
            }
            times += 1;
            if times == MOST_TIMES {
                let reason = format!("its input {path} changed or vanished {times} times, and was made anew");
                return Ok(Step::Failed((FailureKind::Refused, reason)));
            }
            remade = Some(SampleNote::MadeAnew(format!("{path} had changed or vanished")));
        }
    }

    /// One worker that times itself and proves its own result.
    pub(crate) fn read_worker(
        &mut self,
        task: &Task,
        entrant: usize,
        assignment: &Assignment,
        slot: Slot,
    ) -> Result<Reading, MeasureError> {
        let launch = launch::worker(&self.worker, assignment, task, self.slot(task, entrant, slot))
            .map_err(MeasureError::io(NO_ASSIGNMENT))?;
        self.carry_out(task, None, &launch, false)?.and_then(|(observed, ended)| {
            Ok(match one_of(of_worker(&ended, 1)) {
                Step::Done(timed) => match sample_of(task, timed, slot, &observed) {
                    Ok(sample) => {
                        let notes = sample.notes.clone();
                        Step::Done((sample, notes))
                    }
                    Err(failure) => Step::Failed(failure),
                },
                Step::Failed(failure) => Step::Failed(failure),
                Step::Cancelled => Step::Cancelled,
            })
        })
    }

    /// Runs what a job does before each sample, and brings the inputs into their state once more: it may have read them, or left
    /// much to be written back.
    fn prepare_own(&mut self, task: &Task, launch: &Launch) -> Result<Step<Observed>, MeasureError> {
        let ended = match self.launch(launch) {
            Ok(ended) if ended.status == Status::Cancelled => return Ok(Step::Cancelled),
            Ok(ended) => ended,
            Err(refused) => {
                let (kind, reason) = spawn_failure(refused)?;
                return Ok(Step::Failed((kind, format!("its preparation cannot be started: {reason}"))));
            }
        };
        if let Some((_, reason)) = failure_of(&ended) {
            return Ok(Step::Failed((FailureKind::Refused, format!("its preparation {reason}"))));
        }
        let brought = preparation::bring_into_state(task, &self.check_preparation(task));
        match brought {
            Ok(observed) => Ok(Step::Done(self.observed(task, observed, None))),
            Err(_) if self.is_interrupted() => Ok(Step::Cancelled),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                Ok(Step::Failed((FailureKind::Wrong, format!("its preparation removed an input: {error}"))))
            }
            Err(error) => Err(MeasureError::io("the files cannot be prepared for a sample")(error)),
        }
    }
}

fn one_of(outcome: Outcome) -> Step<Timed> {
    match outcome {
        Outcome::Cancelled => Step::Cancelled,
        Outcome::Broken(TrialFailure { kind, reason, .. }) => Step::Failed((kind, reason)),
        Outcome::Whole { mut timed, mut failed } => match (timed.pop(), failed.pop()) {
            (_, Some(failure)) => Step::Failed((failure.kind, failure.reason)),
            (Some(timed), None) => Step::Done(timed),
            (None, None) => Step::Failed((FailureKind::Crash, "the worker gave no time".to_owned())),
        },
    }
}

/// A sample from what a worker timed; a wrong answer is no sample.
pub(crate) fn sample_of(
    task: &Task,
    timed: Timed,
    slot: Slot,
    observed: &Observed,
) -> Result<Sample, (FailureKind, String)> {
    let Some(proof) = timed.proof else {
        return Err((FailureKind::Wrong, "gave a time without a proof".to_owned()));
    };
    if let Some(failure) = disproof(&task.expected, &proof) {
        return Err(failure);
    }
    let mut notes = timed.notes;
    notes.extend(observed.notes());
    Ok(Sample {
        round: slot.round,
        inner: timed.inner,
        position: slot.position,
        work_ns: Some(timed.work_ns),
        process_ns: None,
        repetitions: timed.repetitions,
        usage: timed.usage,
        processor_before: timed.processor_before,
        processor_after: timed.processor_after,
        resident_before: observed.residency,
        proof,
        values: timed.values,
        histograms: timed.histograms,
        notes,
    })
}

/// A command tells in its own words only what it was refused: where it failed and no space is left, it was space.
fn with_full_disk(task: &Task, (kind, reason): (FailureKind, String)) -> (FailureKind, String) {
    /// The plan keeps far more than this free.
    const FULL_BYTES: u64 = 1 << 20;
    let free_bytes = || sys::host::volume(&task.folder).ok().and_then(|volume| volume.free_bytes);
    match kind == FailureKind::Crash && free_bytes().is_some_and(|bytes| bytes < FULL_BYTES) {
        true => (FailureKind::DiskFull, format!("{reason}; the disk was full")),
        false => (kind, reason),
    }
}
