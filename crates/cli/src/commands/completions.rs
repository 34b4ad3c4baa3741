//! `bakeoff completions`: what a shell needs to complete the command line.

use anyhow::Result;
use clap::{Args, CommandFactory};
use clap_complete::Shell;

use crate::CommandLine;
use crate::arguments::Common;
use crate::exit::Done;
use crate::terminal::print;

/// Completions for a shell
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

pub(crate) fn run(arguments: &Arguments, _: &Common) -> Result<Done> {
    // Not to standard output at once: there clap panics when a pipe is closed or a disk is full.
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut CommandLine::command(), "bakeoff", &mut script);
    print(&String::from_utf8(script)?)?;
    Ok(Done::Well)
}
