//! The interfaces between the coordinator and the rest of the world.

use std::ffi::OsString;
use std::io;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use model::{Increment, Record};
use sys::process::supervisor::Supervisor;
use sys::process::{Ended, Launch};

use crate::error::{End, MeasureError};
use crate::scratch::ScratchRegister;

/// The command that starts a worker; the assignment is its standard input.
#[derive(Debug, Clone)]
pub struct WorkerCommand {
    /// The program.
    pub program: OsString,
    /// Its arguments.
    pub arguments: Vec<OsString>,
}

/// Starts processes and waits for them.
pub trait Launcher {
    /// Runs one process to its end, or kills it with all that it started once `interrupted` becomes true.
    fn run(&mut self, launch: &Launch, interrupted: &AtomicBool) -> io::Result<Ended>;
}

impl Launcher for Supervisor {
    fn run(&mut self, launch: &Launch, interrupted: &AtomicBool) -> io::Result<Ended> {
        Supervisor::run(self, launch, interrupted)
    }
}

/// Keeps what is found, round by round.
pub trait Sink {
    /// Begins a run, unless with an error: everything but its rows is known.
    fn begin(&mut self, record: &Record) -> io::Result<()>;

    /// Keeps a round that is over. An error ends the run.
    fn append(&mut self, increment: &Increment) -> io::Result<()>;
}

/// Something worth showing.
#[derive(Debug)]
pub enum Event<'a> {
    /// Inputs are being made.
    Generating {
        /// The task.
        task: &'a str,
    },
    /// Work so short that the repetitions in a sample must be found first.
    Trying {
        /// Techniques that have been tried.
        done: usize,
        /// All techniques.
        of: usize,
        /// The technique that runs now.
        technique: &'a str,
    },
    /// A sample begins.
    Sampling {
        /// Number of the pass over all tasks, from 0.
        round: u32,
        /// The family whose technique runs now.
        family: &'a str,
        /// The technique.
        technique: &'a str,
        /// Time since the start of the run.
        elapsed_ns: f64,
        /// Time that the run may take, as far as it is known now.
        budget_ns: f64,
    },
    /// Free memory is kept from being handed back to the host of a virtual machine.
    KeepingMemory {
        /// The amount.
        bytes: u64,
    },
    /// A scratch folder could not be removed. The next start tries again.
    NotRemoved {
        /// The folder.
        folder: &'a Path,
        /// The reason.
        reason: &'a str,
    },
    /// A cleanup of a job did not end well.
    CleanupFailed {
        /// The reason.
        reason: &'a str,
    },
    /// A technique was distinguished from its twin: its contest begins again.
    Again,
}

/// Shows what happens while it happens.
pub trait Observer {
    /// Shows an event.
    fn see(&mut self, event: &Event<'_>);
}

/// Everything outside that a run needs.
pub struct Environment<'a> {
    /// The worker to start.
    pub worker: WorkerCommand,
    /// The register of scratch folders.
    pub register: &'a ScratchRegister,
    /// Starts processes.
    pub launcher: &'a mut dyn Launcher,
    /// Keeps what is found.
    pub sink: &'a mut dyn Sink,
    /// Sees what happens.
    pub observer: &'a mut dyn Observer,
    /// Says which questions of the plan are answered; without it, none ever is.
    pub answers: Option<&'a mut dyn Answers>,
    /// Becomes true when the user wants to stop.
    pub interrupted: &'a AtomicBool,
    /// The clock of the budget, [`sys::clock::now_ns`] unless time is made up.
    pub now_ns: fn() -> u64,
    /// When the run began, on that clock: the budget counts from here.
    pub start_ns: u64,
}

/// The end of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// It came to its own end.
    Complete,
    /// The user stopped it; whole rounds until then are kept.
    Interrupted,
}

impl Ending {
    pub(crate) fn of(ended: Result<(), End>) -> Result<Self, MeasureError> {
        match ended {
            Ok(()) => Ok(Self::Complete),
            Err(End::Interrupted) => Ok(Self::Interrupted),
            Err(End::Error(error)) => Err(error),
        }
    }
}

/// The state of a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Heard {
    /// It is answered, or no further sample would answer it.
    Answered,
    /// It is open; this many further rounds are expected to answer it, where that can be said.
    Open(Option<u32>),
}

/// Says which questions are answered.
pub trait Answers {
    /// Returns what is known of each of these questions by what was found so far.
    fn ask(&mut self, record: &Record, questions: &[&str]) -> Vec<Heard>;
}
