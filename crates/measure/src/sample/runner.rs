//! Runs one participant once and turns what comes back into rows.

use std::collections::BTreeMap;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};

use model::{Class, Failure, FailureKind, Increment, Sample, SampleNote};
use sys::process::{Ended, Launch, Status};

use crate::error::MeasureError;
use crate::files::output::{irregular_output, is_link, shares_extents};
use crate::files::preparation::{self, Observed};
use crate::ports::{Launcher, WorkerCommand};
use crate::sample::outcome::{Outcome, TrialFailure, disproof, failure_unless, of_worker};
use crate::sample::untimed::FirstTimes;
use crate::sample::{jobs, launch, session};
use crate::task::{Task, untimed_first};
use crate::worker::protocol::{Assignment, Timed};

/// An input that another program takes away so often during one sample is not there to be measured.
const MOST_TIMES: u32 = 5;
/// What could not be done when a worker's assignment cannot be written.
pub(crate) const NO_ASSIGNMENT: &str = "a worker's assignment cannot be written";

/// Where in the run a sample stands.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Slot {
    pub(crate) attempt: u32,
    pub(crate) round: u32,
    pub(crate) position: u32,
    pub(crate) padding_bytes: usize,
}

/// What came of a turn.
#[derive(Debug)]
pub(crate) enum Step<Done, Fail = (FailureKind, String)> {
    Done(Done),
    Failed(Fail),
    Cancelled,
}

impl<Done> Step<Done> {
    /// Goes on with what was done; a failure and an end stay what they are.
    pub(crate) fn and_then<Next>(
        self,
        next: impl FnOnce(Done) -> Result<Step<Next>, MeasureError>,
    ) -> Result<Step<Next>, MeasureError> {
        match self {
            Self::Done(done) => next(done),
            Self::Failed(failure) => Ok(Step::Failed(failure)),
            Self::Cancelled => Ok(Step::Cancelled),
        }
    }
}

/// One repetition of a participant: its numbers, or why there are none.
pub(crate) type Reading = Step<(Sample, Vec<SampleNote>)>;

/// A process that has done the work and ended well, with what it told of its time. Its result was not looked at yet.
pub(crate) struct Worked {
    observed: Observed,
    pub(crate) ended: Ended,
    work: Option<Timed>,
}

pub(crate) struct Runner<'a> {
    pub(crate) worker: WorkerCommand,
    pub(crate) launcher: &'a mut dyn Launcher,
    pub(crate) interrupted: &'a AtomicBool,
    /// Whether processes are timed from outside, as contenders must be.
    pub(crate) from_outside: bool,
    pub(crate) seed: u64,
    /// After this long an entry's turn counts as hanging.
    pub(crate) time_limit_ns: u64,
    /// Time until the budget is over for good: no process may outlast it.
    pub(crate) left_ns: u64,
    /// Whether the budget ended amid a round.
    pub(crate) is_out_of_time: bool,
    /// What the inputs looked like when they were generated.
    pub(crate) inputs: preparation::Inputs,
    /// How often inputs were made anew.
    pub(crate) remade: u32,
    /// What is done before the first timed process of an entry, where the cache is warm.
    pub(crate) first_times: FirstTimes,
    /// Processes that were killed because a limit that this run had set was spent.
    pub(crate) memory_kills: u64,
    /// Why a cold sample could not be proven cold, when that happened.
    pub(crate) cold_doubt: Option<SampleNote>,
}

impl Runner<'_> {
    /// Runs an entrant once for the plan's sake: learns its time and its class.
    pub(crate) fn calibrate(
        &mut self,
        task: &mut Task,
        entrant: usize,
        pass: usize,
    ) -> Result<Step<(), Failure>, MeasureError> {
        let slot = Slot { attempt: 0, round: 0, position: 1, padding_bytes: 0 };
        let contender = task.entrants[entrant].participant.contender.is_some();
        let reading = match self.from_outside && (contender || pass > 0) {
            true => self.read_once(task, entrant, slot)?,
            false => {
                let assignment = Assignment::Calibrate { trial: task.trial(entrant, self.seed) };
                self.read_worker(task, entrant, &assignment, slot)?
            }
        };
        let (kind, reason) = match reading {
            Step::Done((sample, notes)) => {
                learn(task, entrant, &sample, &notes);
                return Ok(Step::Done(()));
            }
            Step::Cancelled => return Ok(Step::Cancelled),
            Step::Failed(failure) => failure,
        };
        task.entrants[entrant].calibrated_ns = None;
        task.note_failure(entrant, true);
        task.forget_pending();
        Ok(Step::Failed(Failure::before_the_rounds(kind, reason)))
    }

    /// One turn of a round: a sample of one entrant, or a session of the task.
    pub(crate) fn turn(
        &mut self,
        task: &mut Task,
        entrant: Option<usize>,
        slot: Slot,
        increment: &mut Increment,
    ) -> Result<Step<(), ()>, MeasureError> {
        let Some(entrant) = entrant else { return session::turn(self, task, slot, increment) };
        let reading = match self.from_outside {
            true => self.sample_outside(task, entrant, slot, increment)?,
            false => {
                let assignment = Assignment::Sample {
                    trial: task.trial(entrant, self.seed),
                    repetitions: task.repetitions,
                    stretches: task.stretches,
                    untimed_first: untimed_first(task, entrant, slot.round),
                };
                self.read_worker(task, entrant, &assignment, slot)?
            }
        };
        match reading {
            Step::Done((sample, _)) => {
                task.note_sample(entrant, &sample);
                increment.samples.push((task.entrants[entrant].trial, sample));
                Ok(Step::Done(()))
            }
            Step::Failed((kind, _))
                if self.was_stopped_by_the_budget(kind, task.entrants[entrant].cost_ns, 1, slot) =>
            {
                self.clear_failed(task);
                Ok(Step::Failed(()))
            }
            Step::Failed((kind, reason)) => {
                self.clear_failed(task);
                fail(task, entrant, kind, reason, slot, increment);
                Ok(Step::Done(()))
            }
            Step::Cancelled => Ok(Step::Cancelled),
        }
    }

    /// One process that does the work once, timed from outside.
    pub(crate) fn work_once(
        &mut self,
        task: &Task,
        entrant: usize,
        slot: Slot,
    ) -> Result<Step<Worked>, MeasureError> {
        let trial = task.trial(entrant, self.seed);
        let is_contender = task.entrants[entrant].participant.contender.is_some();
        let launch_slot = self.slot(task, entrant, slot);
        let launch = match launch::once(&self.worker, entrant, trial, task, launch_slot) {
            Ok(launch) => launch,
            Err(empty) if is_contender => {
                return Ok(Step::Failed((FailureKind::Refused, empty.to_string())));
            }
            Err(error) => return Err(MeasureError::io(NO_ASSIGNMENT)(error)),
        };
        let preparation =
            jobs::preparation(task, entrant, launch_slot).map_err(MeasureError::io(NO_ASSIGNMENT))?;
        let (observed, ended) = match self.carry_out(task, preparation.as_ref(), &launch, is_contender)? {
            Step::Done(done) => done,
            Step::Failed(failure) => return Ok(Step::Failed(failure)),
            Step::Cancelled => return Ok(Step::Cancelled),
        };
        let work = match is_contender {
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
        match task.entrants[entrant].participant.contender.is_some() {
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
    /// when an input is not what it was before: then all inputs are made anew. A contender has spoiled them itself; a
    /// technique only reads, so that another program must have been at work in the scratch folder, and it is started
    /// again.
    pub(crate) fn carry_out(
        &mut self,
        task: &Task,
        preparation: Option<&Launch>,
        launch: &Launch,
        is_contender: bool,
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
            if is_contender {
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
    fn read_worker(
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

    pub(crate) fn launch(&mut self, launch: &Launch) -> io::Result<Ended> {
        if self.interrupted.load(Ordering::Relaxed) {
            return Ok(cancelled());
        }
        let ended = self.launcher.run(launch, self.interrupted)?;
        if let Status::MemorySpent { kills, .. } = ended.status {
            self.memory_kills += kills;
        }
        // What interrupts us may reach the process as well: no other end than a good one is its own fault then.
        let is_in_doubt = ended.status != Status::Exit(0) && self.interrupted.load(Ordering::Relaxed);
        Ok(if is_in_doubt { cancelled() } else { ended })
    }
}

fn cancelled() -> Ended {
    Ended {
        status: Status::Cancelled,
        elapsed_ns: 0,
        usage: model::Usage::default(),
        stdout: Vec::new(),
        stderr: Vec::new(),
        survivors: 0,
        counted_by: String::new(),
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

pub(crate) fn fail(
    task: &mut Task,
    entrant: usize,
    kind: FailureKind,
    reason: String,
    slot: Slot,
    increment: &mut Increment,
) {
    increment.failures.push((task.entrants[entrant].trial, failure(slot, kind, &reason)));
    task.note_failure(entrant, kind == FailureKind::Wrong);
}

/// The row of a failure in a round.
pub(crate) fn failure(slot: Slot, kind: FailureKind, reason: &str) -> Failure {
    Failure {
        round: Some(slot.round),
        position: Some(slot.position),
        ..Failure::before_the_rounds(kind, reason)
    }
}

/// What could not be started has failed. Without the launcher nothing can: that is the end of the run and no technique's failure.
pub(crate) fn spawn_failure(error: io::Error) -> Result<(FailureKind, String), MeasureError> {
    match error.kind() {
        io::ErrorKind::BrokenPipe => Err(MeasureError::io("no process can be started any more")(error)),
        io::ErrorKind::NotFound => Ok((FailureKind::Missing, error.to_string())),
        _ => Ok((sys::failure::kind_of(&error), error.to_string())),
    }
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

fn learn(task: &mut Task, entrant: usize, sample: &Sample, notes: &[SampleNote]) {
    let entrant = &mut task.entrants[entrant];
    let time_ns = sample.work_ns.or(sample.process_ns).map_or(0.0, |ns| ns as f64);
    entrant.calibrated_ns = Some(entrant.calibrated_ns.map_or(time_ns, |before| before.min(time_ns)));
    // A process costs about a millisecond beside its work, and the result is read once more for its proof.
    let process_ns = sample.process_ns.map_or(time_ns + 2e6, |ns| ns as f64);
    entrant.cost_ns = process_ns + 0.5 * time_ns.min(process_ns);
    if notes.contains(&SampleNote::Reflinked) {
        entrant.participant.class = Class::SharesExtents;
    }
}
