//! The launches of workers and of commands of the user's own, alike to the letter.

use std::ffi::OsString;

use families::{Command, Job, JobTechnique, Proving};
use model::{FailureKind, Trial};
use sys::process::{Growth, Input, Launch, Output};

use crate::error::{Halt, MeasureError, Step};
use crate::files::{self, results};
use crate::ports::WorkerCommand;
use crate::request::command::ExternalCommand;
use crate::task::Task;
use crate::worker::protocol::Assignment;

/// More than any worker says; what is beyond is read and forgotten.
const ANSWER_LIMIT_BYTES: u64 = 16 << 20;
/// Bytes that are kept of a user's own command's output, for the sentence about its failure.
const SAID_BYTES: u64 = 64 << 10;
/// An output may be this much longer than twice the right one while it is written.
const SLACK_BYTES: u64 = 16 << 20;
const LINGER_NS: u64 = 1_000_000_000;

/// The place of a sample in the run, and the time that it may take.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Slot {
    pub(crate) round: u32,
    pub(crate) position: u32,
    pub(crate) padding_bytes: usize,
    pub(crate) time_limit_ns: u64,
}

/// Returns the launch of a worker, with its assignment as standard input. Fails where a path in the assignment is not UTF-8.
pub(crate) fn worker(
    command: &WorkerCommand, assignment: &Assignment, task: &Task, slot: Slot,
) -> Result<Launch, MeasureError> {
    let input = written(assignment)?;
    Ok(Launch { input, ..launch(command.program.clone(), command.arguments.clone(), task, slot) })
}

/// Returns the launch of a worker that works on files and is not timed: it may use what the coordinator may.
pub(crate) fn file_work(
    command: &WorkerCommand, assignment: &Assignment, time_limit_ns: u64,
) -> Result<Launch, MeasureError> {
    Ok(Launch {
        arguments: command.arguments.clone(),
        input: written(assignment)?,
        time_limit_ns: Some(time_limit_ns),
        ..Launch::new(command.program.clone())
    })
}

fn written(assignment: &Assignment) -> Result<Input, MeasureError> {
    let bytes = serde_json::to_vec(assignment).map_err(std::io::Error::from);
    bytes.map(Input::Bytes).map_err(MeasureError::io("a worker's assignment cannot be written"))
}

pub(crate) fn once(
    command: &WorkerCommand, entrant: usize, trial: Trial, task: &Task, slot: Slot,
) -> Step<Launch> {
    match &task.entrants[entrant].participant.command {
        None => Ok(worker(command, &Assignment::Once { trial }, task, slot)?),
        Some(external) => match task.family.job() {
            Some(job) => own_command(job, external, task, slot),
            None => foreign_command(external, task, slot),
        },
    }
}

fn foreign_command(command: &ExternalCommand, task: &Task, slot: Slot) -> Step<Launch> {
    let mut words = command.expand(&task.family.placeholders(&task.workload, &task.folder)).into_iter();
    let program = words.next().ok_or_else(empty)?;
    // The plan has seen to it that inputs and output together find room: what is longer is no right answer.
    let most_bytes = task.family.scratch_bytes(&task.workload);
    let growth = results(task).into_iter().next().map(|path| Growth { path, most_bytes });
    let launch = Launch { growth, ..launch(program, words.collect(), task, slot) };
    Ok(match task.family.answer_file(&task.folder) {
        None => launch,
        Some(path) => Launch { output: Output::File { path, limit_bytes: ANSWER_LIMIT_BYTES }, ..launch },
    })
}

/// Returns a command of the user's own job: in its directory, with the user's own language and time zone.
fn own_command(job: &Job, command: &ExternalCommand, task: &Task, slot: Slot) -> Step<Launch> {
    let technique = job.technique(&command.name).ok_or_else(empty)?;
    let output = files::output(task);
    let growth = output.clone().map(|path| Growth { path, most_bytes: most_bytes(job, technique, task) });
    let launch = Launch { growth, ..launch_of_job(job, &technique.command, task, slot)? };
    Ok(match (job.prints_its_output(&technique.command), output) {
        _ if job.show_output => Launch { output: Output::Inherit, ..launch },
        (true, Some(path)) => Launch { output: Output::File { path, limit_bytes: SAID_BYTES }, ..launch },
        _ => launch,
    })
}

/// Returns how long a command may make its output. Where its bytes are the proof, and no preparation leaves another file in its
/// place, what is right is known; a command may write in larger pieces and cut them off. Else others need space too.
fn most_bytes(job: &Job, technique: &JobTechnique, task: &Task) -> u64 {
    if job.proof == Proving::Output && technique.prepare.is_none() {
        let twice = task.expected.bytes.saturating_mul(2).saturating_add(SLACK_BYTES);
        return twice.max(task.family.scratch_bytes(&task.workload));
    }
    let free_bytes = sys::host::volume(&task.folder).ok().and_then(|volume| volume.free_bytes);
    free_bytes.map_or(u64::MAX, |bytes| bytes / 2)
}

/// Returns a command of a job, whether it is timed or stands next to what is.
fn launch_of_job(job: &Job, command: &Command, task: &Task, slot: Slot) -> Step<Launch> {
    let places = task.family.placeholders(&task.workload, &task.folder);
    let (program, arguments) = job.started(command, &places).ok_or_else(empty)?;
    let mut launch = launch(program, arguments, task, slot);
    launch.environment.retain(|(name, _)| name.to_string_lossy().starts_with("BAKEOFF_"));
    launch.directory = Some(job.directory.clone());
    launch.output = Output::Capture { limit_bytes: SAID_BYTES };
    Ok(launch)
}

fn empty() -> Halt {
    Halt::Failed(FailureKind::Refused, "its command is empty".to_owned())
}

pub(crate) fn preparation(task: &Task, entrant: usize, slot: Slot) -> Step<Option<Launch>> {
    let Some((job, technique)) = technique_of(task, entrant) else { return Ok(None) };
    technique.prepare.as_ref().map(|command| launch_of_job(job, command, task, slot)).transpose()
}

pub(crate) fn technique_of(task: &Task, entrant: usize) -> Option<(&'static Job, &JobTechnique)> {
    let job = task.family.job()?;
    let name = &task.entrants[entrant].participant.command.as_ref()?.name;
    Some((job, job.technique(name)?))
}

/// Returns what a job runs once after the last round, one launch for each technique that has a cleanup.
pub(crate) fn cleanups(task: &Task, time_limit_ns: u64) -> Vec<Launch> {
    let Some(job) = task.family.job() else { return Vec::new() };
    let slot = Slot { time_limit_ns, ..Slot::default() };
    let commands = job.techniques.iter().filter_map(|technique| technique.cleanup.as_ref());
    commands.filter_map(|command| launch_of_job(job, command, task, slot).ok()).collect()
}

fn launch(program: OsString, arguments: Vec<OsString>, task: &Task, slot: Slot) -> Launch {
    let limit_bytes = task.setting.conditions.memory_limit_bytes;
    let with_cache = task.family.memory_bytes(&task.workload).is_some();
    let variables = [
        ("BAKEOFF_PADDING", "x".repeat(slot.padding_bytes)),
        ("BAKEOFF_ROUND", slot.round.to_string()),
        ("BAKEOFF_POSITION", slot.position.to_string()),
        ("LC_ALL", "C".to_owned()),
        ("TZ", "UTC".to_owned()),
    ];
    Launch {
        arguments,
        environment: variables.map(|(name, value)| (name.into(), value.into())).into(),
        processors: task.setting.conditions.processors.clone(),
        output: Output::Capture { limit_bytes: ANSWER_LIMIT_BYTES },
        time_limit_ns: Some(slot.time_limit_ns),
        linger_ns: LINGER_NS,
        memory_limit_bytes: limit_bytes.filter(|_| !with_cache),
        group_memory_bytes: limit_bytes.filter(|_| with_cache),
        ..Launch::new(program)
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use model::{Durability, Setting, Workload};

    use super::*;

    #[test]
    fn an_assignment_longer_than_a_command_line_reaches_the_worker() {
        let files = (0..20_000).map(|nth| PathBuf::from(format!("/a/rather/long/folder/of/the/user/{nth}")));
        let trial = Trial {
            family: "copy".to_owned(),
            technique: "std_copy".to_owned(),
            workload: Workload { files: files.collect(), ..Workload::default() },
            setting: Setting::warm("/scratch", Durability::Returned),
            scratch: PathBuf::from("/scratch"),
            seed: 1,
        };
        let assignment = Assignment::Once { trial };
        let Ok(Input::Bytes(bytes)) = written(&assignment) else { panic!("not written") };
        assert!(bytes.len() > 512 << 10);
        assert_eq!(serde_json::from_slice::<Assignment>(&bytes).expect("our own"), assignment);
    }
}
