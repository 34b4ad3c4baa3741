//! What a shell offers for the word at the cursor: `bakeoff completions SHELL` prints a script, and the script asks this program.

mod bash;
mod values;

use std::env;
use std::ffi::OsStr;
use std::io;
use std::panic;
use std::path::{Path, PathBuf};

use clap::{Arg, Command};
use clap_complete::engine::{ArgValueCompleter, CompletionCandidate};
use clap_complete::env::{CompleteEnv, Elvish, Fish, Powershell, Shells, Zsh};

use bash::Bash;

/// The environment variable by which a script asks; its value is the shell.
const VARIABLE: &str = "BAKEOFF_COMPLETE";
const SHELLS: Shells<'static> = Shells(&[&Bash, &Elvish, &Fish, &Powershell, &Zsh]);

/// Answers a shell that asks for completions. Returns whether one does.
///
/// Nothing else is printed, whatever goes wrong: the user is about to type.
pub(crate) fn answer() -> bool {
    let shell = env::var_os(VARIABLE).unwrap_or_default();
    let name = Path::new(&shell).file_stem().and_then(OsStr::to_str).unwrap_or_default();
    if SHELLS.completer(name).is_none() {
        return false;
    }
    panic::set_hook(Box::new(|_| {}));
    let _ = panic::catch_unwind(|| {
        let engine = CompleteEnv::with_factory(command_line).var(VARIABLE).shells(SHELLS).bin("bakeoff");
        engine.try_complete(env::args_os(), env::current_dir().ok().as_deref())
    });
    true
}

/// Writes the script that a shell reads once.
pub(crate) fn write_script(shell: &str, script: &mut Vec<u8>) -> io::Result<()> {
    let shell = SHELLS.completer(shell).ok_or(io::ErrorKind::NotFound)?;
    let program = PathBuf::from(env::args_os().next().unwrap_or_else(|| "bakeoff".into()));
    // A name is looked up each time; a path holds wherever the user goes.
    let program = if program.components().count() > 1 { env::current_dir()?.join(program) } else { program };
    shell.write_registration(VARIABLE, "bakeoff", "bakeoff", &program.to_string_lossy(), script)
}

/// Returns the command line whose arguments know their values.
fn command_line() -> Command {
    crate::command_line().mut_subcommands(|command| {
        let name = command.get_name().to_owned();
        command.mut_args(|argument| with_values(&name, argument))
    })
}

fn with_values(command: &str, argument: Arg) -> Arg {
    let value_name = argument.get_value_names().and_then(|names| names.first()).map_or("", |name| name);
    let values: fn(&str) -> Vec<CompletionCandidate> = match (value_name, argument.get_id().as_str(), command)
    {
        ("FAMILY[/TECHNIQUE]|JOB.toml", ..) => values::techniques_or_jobs,
        ("FAMILY[/TECHNIQUE]" | "FAMILY/TECHNIQUE", ..) => values::techniques,
        ("FAMILY", ..) => values::families,
        ("NAME=VALUE" | "AXIS=VALUE", ..) => values::axes,
        ("RUN", _, "report") => values::runs_or_families,
        ("RUN", _, "compare") => values::runs_or_machines,
        ("RUN", ..) => values::runs,
        (_, "baseline", "run" | "report") | (_, "among", _) => values::own_techniques,
        (_, "metric", _) => values::metrics,
        _ => return argument,
    };
    argument
        .add(ArgValueCompleter::new(move |current: &OsStr| current.to_str().map(values).unwrap_or_default()))
}
