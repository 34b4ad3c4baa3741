//! Work on files that is not timed: inputs are made and restored, results proven and removed. What may take long is done by
//! a process, which can be killed, or asks again and again whether it may go on.

use std::io::{
    self,
    ErrorKind::{InvalidData, NotFound},
};
use std::path::PathBuf;

use families::Job;
use model::{FailureKind, Proof, Sample, SampleNote};
use sys::write_back;

use crate::error::{End, Halt, MeasureError, Step};
use crate::files::{self, Observed, Seen, results};
use crate::sample::launch;
use crate::sample::outcome::of_file_work;
use crate::sample::runner::Runner;
use crate::stop::{LIMIT_NS, check_stop, limit_ns, patiently};
use crate::task::Task;
use crate::worker::protocol::{Assignment, FileWork};
use crate::worker::sampler::time_flush;

/// The step that failed where the files are not in the state that a sample needs.
pub(crate) const NOT_PREPARED: &str = "the files cannot be prepared for a sample";

const NOT_MADE: &str = "an input cannot be made again";

impl Runner<'_> {
    /// Returns the proof of what stands in the output. Without files nothing is left: that the process ended well has to do.
    pub(crate) fn prove(&mut self, task: &Task) -> Step<Proof> {
        let has_output = task.family.job().map_or(task.family.works_on_files(), Job::looks_at_the_output);
        if !has_output {
            return Ok(task.expected.clone());
        }
        let proven = self.work_on_files(FileWork::Inspect, task);
        proven.map_err(|halt| match halt {
            Halt::Failed(FailureKind::Refused, reason) => {
                Halt::Failed(FailureKind::Wrong, format!("ended well and left no result: {reason}"))
            }
            Halt::Failed(kind @ (FailureKind::DiskFull | FailureKind::TooManyFiles), reason) => {
                Halt::Failed(kind, format!("ended well, and its result could not be looked at: {reason}"))
            }
            Halt::Failed(kind, reason) => {
                Halt::Failed(kind, format!("ended well, and the process that looked at its result {reason}"))
            }
            Halt::End(end) => end.into(),
        })
    }

    pub(crate) fn work_on_files(&mut self, work: FileWork, task: &Task) -> Step<Proof> {
        let Task { family, workload, folder, .. } = task;
        let assignment = Assignment::Files {
            work,
            family: family.name().to_owned(),
            workload: workload.clone(),
            folder: folder.clone(),
            seed: self.seed.wrapping_add(task.nth_input),
            job: family.job().cloned().map(Box::new),
            time_limit_ns: family.job().map(|_| self.time_limit_ns),
        };
        // Commands of the user's own may each take what one of them may take in a round.
        let commands = family.job().map_or(0, Job::commands_in_a_row);
        let limit_ns = limit_ns(family.scratch_bytes(workload))
            .saturating_add(self.time_limit_ns.saturating_mul(commands));
        let launch = launch::file_work(&self.worker, &assignment, limit_ns)?;
        Ok(of_file_work(&self.start(&launch)?)?)
    }

    /// Makes the inputs again if they are not what they were; names the one that was not.
    pub(crate) fn restored(&mut self, task: &Task) -> Result<Option<PathBuf>, End> {
        if !task.family.works_on_files() {
            return Ok(None);
        }
        let changed = match self.inputs.look_at(task) {
            Seen::AsBefore => return Ok(None),
            Seen::Changed(path) => path,
            // Who sets times back may have written to it; who sets back the time of reading has not.
            Seen::Touched(path) => match self.work_on_files(FileWork::Expect, task) {
                Ok(proof) if proof == task.expected => {
                    self.inputs.note(task);
                    return Ok(None);
                }
                Err(Halt::End(end)) => return Err(end),
                Ok(_) | Err(Halt::Failed(..)) => path,
            },
        };
        self.make_again(task)?;
        Ok(Some(changed))
    }

    /// Removes what a trial has left. Where that is refused, the folder and all inputs are made again; then the reason.
    fn cleared(&mut self, task: &Task) -> Result<Option<io::Error>, End> {
        if !task.family.works_on_files() {
            return Ok(None);
        }
        let kept = self.inputs.names_of(task).unwrap_or_default();
        let Err(refused) = files::clear(task, kept, &check_stop(self.interrupted, LIMIT_NS)) else {
            return Ok(None);
        };
        self.go_on()?;
        self.make_again(task)?;
        Ok(Some(refused))
    }

    fn go_on(&self) -> Result<(), End> {
        if self.is_interrupted() { Err(End::Interrupted) } else { Ok(()) }
    }

    /// Removes what a command has left. One that left what cannot be removed has failed, but for one that does its work on the
    /// inputs: it changes them, and may leave them in a state from which they are made again.
    pub(crate) fn clear_after(&mut self, task: &Task, reading: Step<Sample>) -> Step<Sample> {
        if matches!(reading, Err(Halt::End(_))) {
            return reading;
        }
        match (self.cleared(task)?, reading) {
            (Some(refused), Ok(_)) if refused.kind() != io::ErrorKind::InvalidData => {
                let reason = format!("left what could not be removed, and all was made again: {refused}");
                Err(Halt::Failed(FailureKind::Wrong, reason))
            }
            (_, reading) => reading,
        }
    }

    fn make_again(&mut self, task: &Task) -> Result<(), End> {
        if self.make_inputs(task)? != task.expected {
            let reason = "the file of which it is a copy has changed; let no program change it";
            return Err(MeasureError::io(NOT_MADE)(io::Error::other(reason)).into());
        }
        Ok(())
    }

    /// Makes a task's folder and inputs again, and returns what every entry must give. A folder that cannot be removed is set aside and
    /// goes with the scratch folder.
    pub(crate) fn make_inputs(&mut self, task: &Task) -> Result<Proof, End> {
        self.remade += 1;
        let renewed = files::renew(&task.folder, self.remade, &check_stop(self.interrupted, LIMIT_NS));
        self.go_on()?;
        renewed.map_err(MeasureError::io(NOT_MADE))?;
        let made = self.work_on_files(FileWork::Generate, task).map_err(|halt| halt.into_end(NOT_MADE))?;
        self.inputs.note(task);
        Ok(made)
    }

    pub(crate) fn prepare_files(&mut self, task: &Task) -> Result<Observed, End> {
        const MOST_TRIES: u32 = 4;
        if !task.family.works_on_files() {
            return self.settle_others();
        }
        let (mut remade, mut tries) = (None, 0);
        loop {
            tries += 1;
            let changed = self.restored(task)?;
            let refused = self.cleared(task)?;
            let changed = changed.map(|path| format!("{} had changed or vanished", path.display()));
            remade = changed.or(refused.map(|error| error.to_string())).map(SampleNote::MadeAgain).or(remade);
            let prepared = files::prepare(task, &self.check_preparation(task));
            match prepared {
                Ok(observed) => return Ok(self.observed(task, observed, remade)),
                Err(_) if self.is_interrupted() => return Err(End::Interrupted),
                // An input may vanish or change between the look at it and its use.
                Err(error) if matches!(error.kind(), NotFound | InvalidData) && tries < MOST_TRIES => {}
                Err(error) => return Err(MeasureError::io(NOT_PREPARED)(error).into()),
            }
        }
    }

    /// Returns whether files may still be brought into their state: what is dirty on the machine is written back before.
    pub(crate) fn check_preparation(&self, task: &Task) -> impl Fn() -> io::Result<()> {
        let bytes = task.family.scratch_bytes(&task.workload);
        let dirty_bytes = write_back::dirty_bytes().unwrap_or(0);
        check_stop(self.interrupted, limit_ns(bytes.saturating_add(dirty_bytes)))
    }

    /// Removes at once what a trial has left that failed, as far as possible: it may fill the disk on which the store is. Returns its
    /// reason, with what it has left of an input that it works on.
    pub(crate) fn clear_failed(&self, task: &Task, reason: String) -> String {
        // Before the inputs were looked at, nothing ran, and nothing distinguishes them from what was left.
        let Some(kept) = self.inputs.names_of(task) else { return reason };
        match files::clear(task, kept, &check_stop(self.interrupted, LIMIT_NS)) {
            Err(left) if left.kind() == InvalidData => format!("{reason}; {left}"),
            _ => reason,
        }
    }

    /// Returns how long a flush of the result takes, where the setting asks for one. Techniques flush by themselves and commands do
    /// not, so both get this flush right after their end, and it belongs to their time. A device that hangs fails the trial, and an
    /// interruption does not wait for it.
    pub(crate) fn flush(&self, task: &Task) -> Step<u64> {
        if !task.setting.is_durable() {
            return Ok(0);
        }
        let paths = results(task);
        let check_stop = check_stop(self.interrupted, limit_ns(task.family.scratch_bytes(&task.workload)));
        let flushed = patiently(&check_stop, move || paths.iter().map(|path| time_flush(path)).sum());
        flushed.map_err(|error| match error.kind() {
            _ if self.is_interrupted() => End::Interrupted.into(),
            io::ErrorKind::TimedOut => {
                let reason = format!("ended well, and its result did not reach the device: {error}");
                Halt::Failed(FailureKind::Hang, reason)
            }
            io::ErrorKind::NotFound => {
                Halt::Failed(FailureKind::Wrong, format!("ended well and left no result: {error}"))
            }
            _ => Halt::Failed(FailureKind::Refused, format!("its result cannot be flushed: {error}")),
        })
    }

    /// Writes back what other tasks have written, so that the system does not do it while one without files works.
    fn settle_others(&self) -> Result<Observed, End> {
        let dirty_bytes = write_back::dirty_bytes().unwrap_or(0);
        let settled = self.inputs.settle(&check_stop(self.interrupted, limit_ns(dirty_bytes)));
        self.go_on()?;
        settled.map_err(MeasureError::io("the files of other tasks cannot be written back"))?;
        Ok(Observed::default())
    }

    pub(crate) fn observed(
        &mut self, task: &Task, mut observed: Observed, remade: Option<SampleNote>,
    ) -> Observed {
        observed.remade = remade;
        if let Some(doubt) = observed.doubt.as_ref().filter(|_| task.setting.is_cold()) {
            self.cold_doubt = Some(doubt.clone());
        }
        observed
    }
}
