//! How the program ends.

use std::ffi::OsString;
use std::fmt;
use std::io;
use std::process::ExitCode;

use clap::error::{ContextKind, ContextValue, ErrorKind};

use crate::terminal::say;
use crate::{hints, selection};

/// As shells have it: 128 and the number of the signal.
const INTERRUPTED: u8 = 130;

/// Result of a command that went as far as it could.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Done {
    /// It did what was asked.
    Well,
    /// Something asked for did not hold.
    NotHeld,
    /// The user interrupted it; what was measured is kept.
    Interrupted,
}

/// The user interrupted it so early that there is nothing to show.
#[derive(Debug)]
pub(crate) struct InterruptedEarly;

impl fmt::Display for InterruptedEarly {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("interrupted before the first round; nothing was measured")
    }
}

impl std::error::Error for InterruptedEarly {}

/// 0 done; 1 something asked for did not hold; 2 could not do it; 130 interrupted, as shells have it.
pub(crate) fn code(outcome: anyhow::Result<Done>) -> ExitCode {
    match outcome {
        Ok(Done::Well) => ExitCode::SUCCESS,
        Ok(Done::NotHeld) => ExitCode::from(1),
        Ok(Done::Interrupted) => {
            // What was printed may look whole, or there may be nothing to print.
            say("bakeoff: interrupted");
            ExitCode::from(INTERRUPTED)
        }
        Err(error) => {
            say(&format!("bakeoff: {}", report::plain(&one_line(&error))));
            ExitCode::from(if error.is::<InterruptedEarly>() { INTERRUPTED } else { 2 })
        }
    }
}

/// Help and the version are what was asked for; anything else on the command line that cannot be is one line, like every
/// other refusal.
pub(crate) fn usage(refused: &clap::Error) -> ExitCode {
    if !refused.use_stderr() || refused.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        return printed(refused);
    }
    let typed = |kind| match refused.get(kind) {
        Some(ContextValue::String(typed)) => Some(typed),
        _ => None,
    };
    let said = match refused.kind() {
        // Which words they are is not reported.
        ErrorKind::InvalidUtf8 => Some(not_text(std::env::args_os().skip(1))),
        ErrorKind::InvalidSubcommand => typed(ContextKind::InvalidSubcommand)
            .and_then(|typed| Some(format!("there is no command '{typed}'; {}", hints::of_command(typed)?))),
        ErrorKind::UnknownArgument => typed(ContextKind::InvalidArg)
            .and_then(|typed| Some(format!("there is no option '{typed}'; {}", hints::of_option(typed)?))),
        _ => None,
    };
    let said = said.unwrap_or_else(|| refusal(&refused.render().to_string()));
    say(&format!("bakeoff: {}", report::plain(&said)));
    ExitCode::from(2)
}

fn printed(help: &clap::Error) -> ExitCode {
    match help.print() {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            code(Err(anyhow::Error::new(error).context("the help cannot be written")))
        }
        _ => ExitCode::from(help.exit_code() as u8),
    }
}

/// Names the words that are no text.
fn not_text(words: impl Iterator<Item = OsString>) -> String {
    let odd: Vec<String> =
        words.filter(|word| word.to_str().is_none()).map(|word| format!("{word:?}")).collect();
    let are = if odd.len() == 1 { "is" } else { "are" };
    format!("{} {are} not UTF-8, as names and commands in quotes must be", odd.join(", "))
}

/// Returns what is wrong and the tips, without the usage that follows them.
fn refusal(rendered: &str) -> String {
    // A value that begins with a dash is rare: those of -L and -P, which take them as they are.
    let lines = rendered.lines().map(str::trim).filter(|line| !line.starts_with("tip: to pass '"));
    let lines =
        lines.take_while(|line| !line.starts_with("Usage:") && !line.starts_with("For more information"));
    let mut said = String::new();
    for line in lines.filter(|line| !line.is_empty()) {
        let line = line.strip_prefix("error: ").or_else(|| line.strip_prefix("tip: ")).unwrap_or(line);
        match said.chars().next_back() {
            None => {}
            Some(':' | ',') => said.push(' '),
            Some(_) if line.starts_with('[') => said.push(' '),
            Some(_) => said.push_str("; "),
        }
        said.push_str(line);
    }
    if said.contains("<FAMILY") {
        said += &format!("; the families are {}", selection::names().join(", "));
    }
    said + "; see --help"
}

/// Returns all causes in one line.
pub(crate) fn one_line(error: &anyhow::Error) -> String {
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

#[cfg(test)]
mod tests {
    use super::refusal;

    #[test]
    fn what_is_wrong_and_what_is_right_are_one_line() {
        for (rendered, said) in [
            (
                "error: unexpected argument '--sise' found\n\n  tip: a similar argument exists: '--size'\n\n\
                 Usage: bakeoff run <FAMILY>\n\nFor more information, try '--help'.\n",
                "unexpected argument '--sise' found; a similar argument exists: '--size'",
            ),
            (
                "error: required arguments were not provided:\n  --format <FORMAT>\n",
                "required arguments were not provided: --format <FORMAT>",
            ),
            (
                "error: required arguments were not provided:\n  <FAMILY>\n",
                "required arguments were not provided: <FAMILY>; the families are copy, convert, search, sort, disk, \
                 pipeline, threads, blocks, clock",
            ),
            (
                "error: invalid value 'x' for '--cache'\n  [possible values: warm, cold]\n",
                "invalid value 'x' for '--cache' [possible values: warm, cold]",
            ),
        ] {
            assert_eq!(refusal(rendered), format!("{said}; see --help"));
        }
    }
}
