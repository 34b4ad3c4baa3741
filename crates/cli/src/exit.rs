//! How the program ends.

use std::process::ExitCode;

/// What a command has come to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Done {
    /// It did what was asked.
    Well,
    /// Something asked for did not hold.
    NotHeld,
    /// The user interrupted it; what was measured is kept.
    Interrupted,
}

/// The user interrupted it before there was anything to keep.
#[derive(Debug)]
pub(crate) struct InterruptedEarly;

impl std::fmt::Display for InterruptedEarly {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str("interrupted before the first round; nothing was measured")
    }
}

impl std::error::Error for InterruptedEarly {}

/// 0 done; 1 something asked for did not hold; 2 could not do it; 130 interrupted, as shells have it.
pub(crate) fn code(outcome: anyhow::Result<Done>) -> ExitCode {
    match outcome {
        Ok(Done::Well) => ExitCode::SUCCESS,
        Ok(Done::NotHeld) => ExitCode::from(1),
        Ok(Done::Interrupted) => ExitCode::from(130),
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("bakeoff: {}", one_line(&error));
            ExitCode::from(if error.is::<InterruptedEarly>() { 130 } else { 2 })
        }
    }
}

/// `bakeoff list | head` closes the pipe early: that is no failure.
fn is_closed_pipe(error: &anyhow::Error) -> bool {
    let kind = error.downcast_ref::<std::io::Error>().map(std::io::Error::kind);
    kind == Some(std::io::ErrorKind::BrokenPipe)
}

/// All causes in one line.
fn one_line(error: &anyhow::Error) -> String {
    let mut causes: Vec<String> = Vec::new();
    for cause in error.chain() {
        let text = cause.to_string().replace('\n', " ");
        // Some errors print their cause themselves.
        if !causes.last().is_some_and(|before| before.contains(&text)) {
            causes.push(text);
        }
    }
    causes.join(": ")
}
