//! `bakeoff completions`: the script by which a shell completes the command line.

use anyhow::Result;
use clap::Args;
use clap_complete::Shell;

use crate::arguments::Common;
use crate::completion::write_script;
use crate::exit::Done;
use crate::terminal::print;

/// Completions for a shell
///
/// Prints a script that the shell reads when it starts. It completes commands, options, families, techniques, axes and kept runs.
///
/// bash, in ~/.bashrc: source <(bakeoff completions bash)
///
/// zsh, in ~/.zshrc behind compinit: source <(bakeoff completions zsh)
///
/// fish, in ~/.config/fish/config.fish: bakeoff completions fish | source
///
/// elvish, in rc.elv: eval (bakeoff completions elvish | slurp)
///
/// PowerShell, in $PROFILE: bakeoff completions powershell | Out-String | Invoke-Expression
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

pub(crate) fn run(arguments: &Arguments, _: &Common) -> Result<Done> {
    // Not to standard output at once: the library panics when a pipe is closed or a disk is full.
    let mut script = Vec::new();
    write_script(&arguments.shell.to_string(), &mut script)?;
    print(&String::from_utf8(script)?)?;
    Ok(Done::Well)
}
