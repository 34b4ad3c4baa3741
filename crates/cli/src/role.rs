//! The parts that this program plays for itself in processes of their own.

use std::env::{args_os, current_exe};
use std::ffi::OsString;
use std::io::{self, Read};
use std::process::ExitCode;

use anyhow::{Context, Result};
use sys::process::supervisor::Supervisor;

use crate::exit::one_line;
use crate::terminal::say;

/// Name of the part that carries out one assignment.
pub(crate) const WORKER: &str = "worker";
/// Name of the part that starts the processes to be timed: small, of one thread, and asked through a pipe.
const SUPERVISOR: &str = "supervise";

/// Plays a part when this process was started for one.
pub(crate) fn play() -> Option<ExitCode> {
    let mut words = args_os().skip(1);
    let part = words.next()?;
    let done = if part == WORKER {
        work()
    } else if part == SUPERVISOR {
        sys::process::supervisor::serve()
    } else if part == families::SEARCH_PART {
        families::search_part(words)
    } else {
        return None;
    };
    Some(match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            say(&format!("bakeoff {}: {}", part.to_string_lossy(), one_line(&error.into())));
            ExitCode::from(2)
        }
    })
}

/// Starts the supervisor. Returns the path of this program and the supervisor.
pub(crate) fn supervisor() -> Result<(OsString, Supervisor)> {
    let program = current_exe().context("the program's own file is not known")?.into_os_string();
    let supervisor = Supervisor::start(&program, &[SUPERVISOR.into()])
        .context("the process that starts all others cannot be started")?;
    Ok((program, supervisor))
}

/// The assignment stands on standard input: a command line has no room for the names of many files.
fn work() -> io::Result<()> {
    let mut assignment = Vec::new();
    io::stdin().lock().read_to_end(&mut assignment)?;
    measure::work(families::all(), &assignment, &mut io::stdout().lock())
}
