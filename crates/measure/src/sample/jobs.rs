//! What a job of the user's own does beside the samples: its preparations, its cleanup, and the start of its shell.

use std::ffi::OsString;
use std::io;
use std::sync::atomic::AtomicBool;

use families::{Command, Job, JobTechnique, Proving};
use model::{FailureKind, Note, Topic};
use sys::command_line::SHELL;
use sys::process::{Launch, Status};

use crate::error::MeasureError;
use crate::files::preparation::{self, Observed};
use crate::ports::{Event, Launcher, Observer};
use crate::sample::launch::{self, Slot};
use crate::sample::outcome::failure_of;
use crate::sample::runner::{Runner, Step, spawn_failure};
use crate::task::Task;

/// So often an empty shell is started to tell how long that takes.
const SHELL_STARTS: usize = 15;

/// What is to run before a sample of an entrant; `None` where its job asks for nothing.
pub(crate) fn preparation(task: &Task, entrant: usize, slot: Slot) -> io::Result<Option<Launch>> {
    let Some((job, technique)) = technique_of(task, entrant) else { return Ok(None) };
    technique.prepare.as_ref().map(|command| launch::beside(job, command, task, slot)).transpose()
}

/// Whether an entrant that ends with this exit code has done its work.
pub(crate) fn accepts_exit(task: &Task, entrant: usize, code: i32) -> bool {
    match technique_of(task, entrant) {
        Some((job, technique)) => job.accepts_exit(technique, code),
        None => task.family.accepts_exit(code),
    }
}

fn technique_of(task: &Task, entrant: usize) -> Option<(&'static Job, &JobTechnique)> {
    let job = task.family.job()?;
    let name = &task.entrants[entrant].participant.contender.as_ref()?.name;
    Some((job, job.technique(name)?))
}

/// What is right in a job is what its first technique gives.
pub(crate) fn disproof(task: &Task, (kind, reason): (FailureKind, String)) -> (FailureKind, String) {
    match task.family.job() {
        None => (kind, reason),
        Some(_) => {
            let first = task.family.reference();
            (kind, format!("its proof differs from that of {first}, the first of the job: {reason}"))
        }
    }
}

/// A failure where the bytes of the output are the proof, and it is no file. What else looks at it may look at a folder.
pub(crate) fn irregular_output(task: &Task) -> Option<(FailureKind, String)> {
    let job = task.family.job().filter(|job| job.proof == Proving::Output)?;
    let seen = preparation::output(task)?.symlink_metadata().ok()?;
    let sentence =
        "left no file in the place of its output; a command that prints what matters of it is a proof";
    (!seen.is_file())
        .then(|| (FailureKind::Wrong, sentence.to_owned()))
        .filter(|_| !job.techniques.is_empty())
}

impl Runner<'_> {
    /// Runs what a job does before each sample, and brings the inputs into their state once more: it may have read them, or left
    /// much to be written back.
    pub(crate) fn prepare_own(
        &mut self,
        task: &Task,
        launch: &Launch,
    ) -> Result<Step<Observed>, MeasureError> {
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

    /// How long an empty shell takes, where techniques of a job are given to one: it is in their times.
    pub(crate) fn shell_note(&mut self, tasks: &[Task]) -> Result<Option<Note>, MeasureError> {
        let jobs = tasks.iter().filter_map(|task| task.family.job());
        let in_shell = |technique: &&JobTechnique| matches!(technique.command, Command::Shell(_));
        let Some(job) = jobs.into_iter().find(|job| job.techniques.iter().any(|one| in_shell(&one))) else {
            return Ok(None);
        };
        let launch = Launch {
            arguments: vec![OsString::from(SHELL[1]), OsString::from("exit")],
            directory: Some(job.directory.clone()),
            ..Launch::new(SHELL[0])
        };
        let mut times = Vec::new();
        for _ in 0..SHELL_STARTS {
            match self.launch(&launch) {
                Ok(ended) if ended.status == Status::Exit(0) => times.push(ended.elapsed_ns as f64),
                Ok(_) => return Ok(None),
                Err(refused) => return spawn_failure(refused).map(|_| None),
            }
        }
        let names: Vec<&str> = job.techniques.iter().filter(in_shell).map(|one| &*one.name).collect();
        let of = match names.len() == job.techniques.len() {
            true => "every command".to_owned(),
            false => names.join(", "),
        };
        Ok(stats::median(&times).map(|ns| Note {
            topic: Topic::Shell,
            text: format!(
                "a shell ({} {}) takes {} to start and end; that is in the times of {of}",
                SHELL[0],
                SHELL[1],
                model::format_ns(ns)
            ),
        }))
    }
}

/// What a job runs once after the last round, one launch for each technique that has a cleanup.
pub(crate) fn cleanups(task: &Task, time_limit_ns: u64) -> Vec<Launch> {
    let Some(job) = task.family.job() else { return Vec::new() };
    let slot = Slot { round: 0, position: 0, padding_bytes: 0, time_limit_ns };
    let commands = job.techniques.iter().filter_map(|technique| technique.cleanup.as_ref());
    commands.filter_map(|command| launch::beside(job, command, task, slot).ok()).collect()
}

/// Runs them all; one that fails is told.
pub(crate) fn clean_up(
    launches: &[Launch],
    launcher: &mut dyn Launcher,
    observer: &mut dyn Observer,
    interrupted: &AtomicBool,
) {
    for launch in launches {
        let failed = match launcher.run(launch, interrupted) {
            Ok(ended) => failure_of(&ended).map(|(_, reason)| reason),
            Err(error) => Some(format!("cannot be started: {error}")),
        };
        if let Some(reason) = failed {
            observer.see(&Event::CleanupFailed { reason: &reason });
        }
    }
}
