//! How workers and contenders are started: alike to the letter.

use std::ffi::OsString;

use model::Trial;
use sys::process::{Input, Launch, Output, Survivors};

use crate::cell::Cell;
use crate::ports::WorkerCommand;
use crate::protocol::Assignment;

/// More than any worker says; what is beyond is read and forgotten.
const ANSWER_LIMIT_BYTES: u64 = 16 << 20;
/// How long descendants of a contender may outlive it.
const LINGER_NS: u64 = 1_000_000_000;

/// What differs from sample to sample.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Slot {
    pub(crate) round: u32,
    pub(crate) position: u32,
    pub(crate) padding_bytes: usize,
    pub(crate) time_limit_ns: u64,
}

pub(crate) fn worker(command: &WorkerCommand, assignment: &Assignment, cell: &Cell, slot: Slot) -> Launch {
    let assignment = serde_json::to_string(assignment).unwrap_or_default();
    let mut arguments = command.arguments.clone();
    arguments.push(assignment.into());
    launch(command.program.clone(), arguments, cell, slot)
}

/// The launch of one repetition that is timed from outside.
pub(crate) fn once(command: &WorkerCommand, seat: usize, trial: Trial, cell: &Cell, slot: Slot) -> Launch {
    match &cell.seats[seat].participant.contender {
        None => worker(command, &Assignment::Once { trial }, cell, slot),
        Some(contender) => {
            let mut words = contender.expand(&cell.exhibit.placeholders(&cell.workload, &cell.folder));
            let program = words.remove(0);
            let launch = launch(program, words, cell, slot);
            match cell.exhibit.answer_file(&cell.folder) {
                None => launch,
                Some(path) => {
                    Launch { output: Output::File { path, limit_bytes: ANSWER_LIMIT_BYTES }, ..launch }
                }
            }
        }
    }
}

fn launch(program: OsString, arguments: Vec<OsString>, cell: &Cell, slot: Slot) -> Launch {
    let variable = |name: &str, value: String| (OsString::from(name), OsString::from(value));
    Launch {
        program,
        arguments,
        environment: vec![
            variable("BAKEOFF_PADDING", "x".repeat(slot.padding_bytes)),
            variable("BAKEOFF_ROUND", slot.round.to_string()),
            variable("BAKEOFF_POSITION", slot.position.to_string()),
            variable("LC_ALL", "C".to_owned()),
            variable("TZ", "UTC".to_owned()),
        ],
        directory: None,
        processors: cell.setting.processors.clone(),
        input: Input::Null,
        output: Output::Capture { limit_bytes: ANSWER_LIMIT_BYTES },
        time_limit_ns: Some(slot.time_limit_ns),
        linger_ns: LINGER_NS,
        survivors: Survivors::Kill,
        memory_limit_bytes: cell.setting.memory_limit_bytes,
    }
}
