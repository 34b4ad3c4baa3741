//! The parts that this program plays for itself in processes of their own.

use std::env::args_os;
use std::io;
use std::process::ExitCode;

use crate::terminal::say;

/// Name of the part that carries out one assignment.
pub(crate) const WORKER: &str = "worker";
/// Name of the part that starts the processes to be timed: small, of one thread, and asked through a pipe.
pub(crate) const SUPERVISOR: &str = "supervise";

/// Plays a part when this process was started for one.
pub(crate) fn play() -> Option<ExitCode> {
    let mut words = args_os().skip(1);
    let part = words.next()?;
    let done = if part == WORKER {
        words.next().map(|assignment| work(&assignment.to_string_lossy()))?
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
            say(&format!("bakeoff {}: {error}", part.to_string_lossy()));
            ExitCode::from(2)
        }
    })
}

fn work(assignment: &str) -> io::Result<()> {
    measure::work(families::all(), assignment, &mut io::stdout().lock())
}
