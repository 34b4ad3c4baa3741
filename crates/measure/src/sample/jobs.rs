//! What a job of the user's own asks for: its preparations, its cleanup, and which ends are good.

use std::io;

use families::{Job, JobTechnique};
use model::FailureKind;
use sys::process::Launch;

use crate::sample::launch::{self, Slot};
use crate::task::Task;

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
    let name = &task.entrants[entrant].participant.command.as_ref()?.name;
    Some((job, job.technique(name)?))
}

/// What is right in a job is what its first technique gives.
pub(crate) fn disproof(task: &Task, (kind, reason): (FailureKind, String)) -> (FailureKind, String) {
    match task.family.job() {
        None => (kind, reason),
        Some(_) => {
            let first = task.family.baseline();
            (kind, format!("its proof differs from that of {first}, the first of the job: {reason}"))
        }
    }
}

/// What a job runs once after the last round, one launch for each technique that has a cleanup.
pub(crate) fn cleanups(task: &Task, time_limit_ns: u64) -> Vec<Launch> {
    let Some(job) = task.family.job() else { return Vec::new() };
    let slot = Slot { round: 0, position: 0, padding_bytes: 0, time_limit_ns };
    let commands = job.techniques.iter().filter_map(|technique| technique.cleanup.as_ref());
    commands.filter_map(|command| launch::beside(job, command, task, slot).ok()).collect()
}
