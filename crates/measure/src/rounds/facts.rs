//! What a run finds out that is no contest, and what a reader must know of it as a whole. A process looks for facts, since it may
//! crash or hang.

use std::ffi::OsString;

use families::{AnyFamily, Command, JobTechnique};
use model::{Fact, Note, SampleNote, Topic};
use sys::command_line::SHELL;
use sys::host::Pressure;
use sys::process::{Launch, Status};

use crate::error::{End, Halt, MeasureError, Step};
use crate::plan::planned::PlannedTask;
use crate::sample::launch;
use crate::sample::outcome::of_facts;
use crate::sample::runner::Runner;
use crate::task::Task;
use crate::worker::protocol::Assignment;

/// So often an empty shell is started to show how long that takes.
const SHELL_STARTS: usize = 15;

/// What was found, and what could not be.
pub(crate) type Found = (Vec<Fact>, Vec<Note>);

/// The facts of every family of the plan that has any.
pub(crate) fn find(runner: &mut Runner<'_>, tasks: &[PlannedTask]) -> Result<Found, End> {
    let mut families: Vec<&dyn AnyFamily> = Vec::new();
    for task in tasks.iter().filter(|task| task.family.facts().is_some()) {
        if !families.iter().any(|known| known.name() == task.family.name()) {
            families.push(task.family);
        }
    }
    let (mut facts, mut notes) = (Vec::new(), Vec::new());
    for family in families {
        match of_family(runner, family) {
            Ok(found) => facts.extend(found),
            Err(Halt::Failed(_, reason)) => notes.push(no_facts(family.name(), &reason)),
            Err(Halt::End(end)) => return Err(end),
        }
    }
    Ok((facts, notes))
}

fn of_family(runner: &mut Runner<'_>, family: &dyn AnyFamily) -> Step<Vec<Fact>> {
    let assignment = Assignment::Facts { family: family.name().to_owned() };
    let launch = launch::file_work(&runner.worker, &assignment, runner.time_limit_ns)?;
    Ok(of_facts(&runner.start(&launch)?)?)
}

/// How long an empty shell takes, where techniques of a job are given to one: it is in their times.
pub(crate) fn shell_note(runner: &mut Runner<'_>, tasks: &[Task]) -> Result<Option<Note>, MeasureError> {
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
        match runner.start(&launch) {
            Ok(ended) if ended.status == Status::Exit(0) => times.push(ended.elapsed_ns as f64),
            Err(Halt::End(End::Error(error))) => return Err(error),
            _ => return Ok(None),
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

pub(crate) fn note(topic: Topic, text: impl Into<String>) -> Note {
    Note { topic, text: text.into() }
}

pub(crate) fn interrupted() -> Note {
    note(Topic::Interrupted, "the run was interrupted; whole rounds until then count")
}

pub(crate) fn cold_not_proven(doubt: &SampleNote) -> Note {
    let text =
        format!("not every cold sample was proven cold, and such a run does not mix with others: {doubt}");
    note(Topic::ColdNotProven, text)
}

fn no_facts(family: &str, reason: &str) -> Note {
    note(
        Topic::Facts,
        format!("the facts of {family} are not known: the process that looks for them {reason}"),
    )
}

/// What the host did meanwhile.
pub(crate) fn of_host(change: &Pressure) -> Vec<Note> {
    let mut notes = Vec::new();
    if let Some(share) = change.steal_share().filter(|share| *share > 0.01) {
        let text = format!(
            "the hypervisor took {:.1} % of the processors' time for others; the comparison is paired and \
             stands, absolute times are longer than on an idle host",
            share * 100.0
        );
        notes.push(note(Topic::Steal, text));
    }
    let throttles = change.thermal_throttles.unwrap_or(0) + change.quota_throttles.unwrap_or(0);
    if throttles > 0 {
        notes.push(note(
            Topic::Throttle,
            format!("the processor was throttled {throttles} times during the run"),
        ));
    }
    notes.extend(memory_shortage(change));
    notes
}

/// What the run must be refused for, and the few pages of others that every host swaps in now and then.
fn memory_shortage(change: &Pressure) -> Vec<Note> {
    const FEW_PAGES: u64 = 256;
    let mut notes = Vec::new();
    if let Some(kills) = change.shared_kills().filter(|kills| *kills > 0) {
        let text = format!("memory ran out during the run and the kernel killed {kills} processes");
        notes.push(note(Topic::OutOfMemory, text));
    }
    let pages = change.swap_in_pages.unwrap_or(0);
    let text = format!("{pages} pages were swapped in during the run");
    match pages {
        0 => {}
        1..=FEW_PAGES => notes.push(note(Topic::SwapFew, text)),
        _ => notes.push(note(Topic::Swap, text + ": memory is short")),
    }
    notes
}
