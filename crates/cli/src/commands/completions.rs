//! `bakeoff completions`: what a shell needs to complete the command line.

use anyhow::Result;
use clap::CommandFactory;

use crate::arguments::{Arguments, CompletionsArguments};
use crate::exit::Done;
use crate::terminal::print;

pub(crate) fn completions(arguments: &CompletionsArguments) -> Result<Done> {
    // Not to standard output at once: there clap panics when a pipe is closed or a disk is full.
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut Arguments::command(), "bakeoff", &mut script);
    print(&String::from_utf8(script)?)?;
    Ok(Done::Well)
}
