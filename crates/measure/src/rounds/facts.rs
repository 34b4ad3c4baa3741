//! The facts that a run finds out, in a process since it may crash or hang, and the notes about the run as a whole.

use std::ffi::OsString;

use families::{AnyFamily, Command};
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

/// Starts of an empty shell to show how long that takes.
const SHELL_STARTS: usize = 15;

pub(crate) type Found = (Vec<Fact>, Vec<Note>);

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
            Err(Halt::Failed(_, reason)) => {
                let family = family.name();
                let text =
                    format!("the facts of {family} are not known: the process that looks for them {reason}");
                notes.push(note(Topic::Facts, text));
            }
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

/// Returns how long an empty shell takes, where techniques of a job are given to one: it is in their times.
pub(crate) fn shell_note(runner: &mut Runner<'_>, tasks: &[Task]) -> Result<Option<Note>, MeasureError> {
    let jobs = tasks.iter().filter_map(|task| task.family.job());
    let named = jobs.map(|job| {
        let in_shell = job.techniques.iter().filter(|one| matches!(one.command, Command::Shell(_)));
        (job, in_shell.map(|one| &*one.name).collect::<Vec<_>>())
    });
    let Some((job, names)) = named.into_iter().find(|(_, names)| !names.is_empty()) else { return Ok(None) };
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
    let of = if names.len() == job.techniques.len() { "every command".to_owned() } else { names.join(", ") };
    Ok(stats::median(&times).map(|ns| {
        let (shell, time) = (SHELL.join(" "), model::format_ns(ns));
        let text = format!("a shell ({shell}) takes {time} to start and end; that is in the times of {of}");
        note(Topic::Shell, text)
    }))
}

pub(crate) fn note(topic: Topic, text: impl Into<String>) -> Note {
    Note { topic, text: text.into() }
}

pub(crate) fn interrupted() -> Note {
    note(Topic::Interrupted, "the run was interrupted; whole rounds until then count")
}

pub(crate) fn cold_not_proven(doubt: &SampleNote) -> Note {
    let what = "not every cold sample was proven cold, and such a run does not mix with others";
    note(Topic::ColdNotProven, format!("{what}: {doubt}"))
}

pub(crate) fn of_host(change: &Pressure) -> Vec<Note> {
    /// Every host swaps in a few pages now and then.
    const FEW_PAGES: u64 = 256;
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
        let text = format!("the processor was throttled {throttles} times during the run");
        notes.push(note(Topic::Throttle, text));
    }
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
