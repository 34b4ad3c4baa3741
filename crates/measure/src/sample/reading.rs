//! Reads the sample of one process, or why there is none.

use std::io;

use model::{FailureKind, Sample, SampleNote};
use sys::process::{Ended, Launch};

use crate::error::{End, Failed, Halt, MeasureError, Step};
use crate::files::{self, Observed, irregular_output, is_link, shares_extents};
use crate::sample::file_work::NOT_PREPARED;
use crate::sample::launch::{self, Slot, technique_of};
use crate::sample::outcome::{
    Outcome, TrialFailure, disproof, failure_of, failure_unless, left_behind, of_worker,
};
use crate::sample::runner::Runner;
use crate::task::Task;
use crate::worker::protocol::{Assignment, Timed};

/// An input that another program takes away so often during one sample is not there to be measured.
const MOST_TIMES: u32 = 5;

/// A process that has done the work and ended well, with what it reported of its time. Its result was not looked at yet.
pub(crate) struct Worked {
    observed: Observed,
    pub(crate) ended: Ended,
    work: Option<Timed>,
}

impl Runner<'_> {
    pub(crate) fn work_once(&mut self, task: &Task, entrant: usize, slot: Slot) -> Step<Worked> {
        let trial = task.trial(entrant, self.seed);
        let is_command = task.entrants[entrant].participant.command.is_some();
        let slot = self.limited(task, entrant, slot);
        let mut launch = launch::once(&self.worker, entrant, trial, task, slot)?;
        if is_command && self.waits_for_children {
            launch.linger_ns = slot.time_limit_ns;
        }
        let preparation = launch::preparation(task, entrant, slot)?;
        let (observed, ended) = self.carry_out(task, preparation.as_ref(), &launch, is_command)?;
        if !is_command {
            let work = Some(one_of(of_worker(&ended, 1))?);
            return Ok(Worked { observed, ended, work });
        }
        let failure = failure_unless(&ended, |code| match technique_of(task, entrant) {
            Some((job, technique)) => job.accepts_exit(technique, code),
            None => task.family.accepts_exit(code),
        });
        match failure.or_else(|| left_behind(&ended, self.waits_for_children)) {
            Some(failure) => Err(with_full_disk(task, failure).into()),
            None => Ok(Worked { observed, ended, work: None }),
        }
    }

    /// Inspects the result of a process that has done the work, and removes a foreign one: what cannot be removed is its fault.
    pub(crate) fn read(
        &mut self, task: &Task, entrant: usize, worked: Step<Worked>, slot: Slot,
    ) -> Step<Sample> {
        let reading = worked.and_then(|worked| self.inspect(task, worked, slot));
        let is_command = task.entrants[entrant].participant.command.is_some();
        if is_command { self.clear_after(task, reading) } else { reading }
    }

    fn inspect(&mut self, task: &Task, worked: Worked, slot: Slot) -> Step<Sample> {
        let Worked { observed, ended, work } = worked;
        if let Some(failure) = irregular_output(task) {
            return Err(failure.into());
        }
        let process_ns = ended.whole_ns(self.waits_for_children) + self.flush(task)?;
        let proof = self.prove(task)?;
        let wrong = disproof(&task.expected, &proof).map(|failure| of_job(task, failure));
        if let Some(failure) = wrong.or_else(|| is_link(task)) {
            return Err(failure.into());
        }
        let own = work.map_or_else(Sample::default, |timed| timed.sample);
        let mut notes = own.notes;
        notes.extend(observed.notes());
        if shares_extents(task) {
            notes.push(SampleNote::Reflinked);
        }
        Ok(Sample {
            round: slot.round,
            position: slot.position,
            process_ns: Some(process_ns),
            repetitions: 1,
            usage: ended.usage,
            resident_before: observed.residency,
            proof,
            notes,
            ..own
        })
    }

    /// Prepares the files, starts a process and waits for its end. Fails when it cannot be started, or when an input is not what it
    /// was before: then all inputs are made again. A command has spoiled them itself; a technique only reads, so that another
    /// program must have been at work in the scratch folder, and it is started again.
    pub(crate) fn carry_out(
        &mut self, task: &Task, preparation: Option<&Launch>, launch: &Launch, is_command: bool,
    ) -> Step<(Observed, Ended)> {
        let (mut remade, mut times) = (None, 0);
        loop {
            let mut observed = self.prepare_files(task)?;
            if let Some(own) = preparation {
                observed = Observed { remade: observed.remade, ..self.prepare_own(task, own)? };
            }
            let ended = self.start(launch)?;
            let Some(path) = self.restored(task)? else {
                observed.remade = remade.or(observed.remade);
                return Ok((observed, ended));
            };
            let path = path.display();
            if is_command {
                let reason = format!("changed or removed its input {path}, which was made again");
                return Err(Halt::Failed(FailureKind::Wrong, reason));
            }
            times += 1;
            if times == MOST_TIMES {
                let reason =
                    format!("its input {path} changed or vanished {times} times, and was made again");
                return Err(Halt::Failed(FailureKind::Refused, reason));
            }
            remade = Some(SampleNote::MadeAgain(format!("{path} had changed or vanished")));
        }
    }

    pub(crate) fn read_worker(
        &mut self, task: &Task, entrant: usize, assignment: &Assignment, slot: Slot,
    ) -> Step<Sample> {
        let limited = self.limited(task, entrant, slot);
        let launch = launch::worker(&self.worker, assignment, task, limited)?;
        let (observed, ended) = self.carry_out(task, None, &launch, false)?;
        Ok(sample_of(task, one_of(of_worker(&ended, 1))?, slot, &observed)?)
    }

    /// Runs what a job does before each sample, and brings the inputs, which it may have read, into their state once more.
    fn prepare_own(&mut self, task: &Task, launch: &Launch) -> Step<Observed> {
        let ended = self.start(launch).map_err(|halt| match halt {
            Halt::Failed(kind, reason) => {
                Halt::Failed(kind, format!("its preparation cannot be started: {reason}"))
            }
            end => end,
        })?;
        if let Some((_, reason)) = failure_of(&ended) {
            return Err(Halt::Failed(FailureKind::Refused, format!("its preparation {reason}")));
        }
        let brought = files::bring_into_state(task, &self.check_preparation(task));
        match brought {
            Ok(observed) => Ok(self.observed(task, observed, None)),
            Err(_) if self.is_interrupted() => Err(End::Interrupted.into()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                Err(Halt::Failed(FailureKind::Wrong, format!("its preparation removed an input: {error}")))
            }
            Err(error) => Err(MeasureError::io(NOT_PREPARED)(error).into()),
        }
    }
}

/// Names the first technique of a job, whose proof is the right one.
fn of_job(task: &Task, (kind, reason): Failed) -> Failed {
    if task.family.job().is_none() {
        return (kind, reason);
    }
    let first = task.family.baseline();
    (kind, format!("its proof differs from that of {first}, the first of the job: {reason}"))
}

fn one_of(outcome: Outcome) -> Step<Timed> {
    match outcome {
        Outcome::Cancelled => Err(End::Interrupted.into()),
        Outcome::Broken(TrialFailure { kind, reason, .. }) => Err(Halt::Failed(kind, reason)),
        Outcome::Whole { mut timed, mut failed } => match (timed.pop(), failed.pop()) {
            (_, Some(failure)) => Err(Halt::Failed(failure.kind, failure.reason)),
            (Some(timed), None) => Ok(timed),
            (None, None) => Err(Halt::Failed(FailureKind::Crash, "the worker gave no time".to_owned())),
        },
    }
}

/// Returns a sample from what a worker timed; a wrong answer is no sample.
pub(crate) fn sample_of(task: &Task, one: Timed, slot: Slot, observed: &Observed) -> Result<Sample, Failed> {
    let Some(proof) = one.proof else {
        return Err((FailureKind::Wrong, "gave a time without a proof".to_owned()));
    };
    if let Some(failure) = disproof(&task.expected, &proof) {
        return Err(failure);
    }
    let (round, position, resident_before) = (slot.round, slot.position, observed.residency);
    let mut sample = Sample { round, position, resident_before, proof, ..one.sample };
    sample.notes.extend(observed.notes());
    Ok(sample)
}

/// Names a full disk: a command reports in its own words only what it was refused.
fn with_full_disk(task: &Task, (kind, reason): Failed) -> Failed {
    /// The plan keeps far more than this free.
    const FULL_BYTES: u64 = 1 << 20;
    if kind != FailureKind::Crash {
        return (kind, reason);
    }
    let volume = sys::host::volume(&task.folder).ok();
    match volume.and_then(|volume| volume.free_bytes) {
        Some(..FULL_BYTES) => (FailureKind::DiskFull, format!("{reason}; the disk was full")),
        _ => (kind, reason),
    }
}
