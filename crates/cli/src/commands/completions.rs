//! `bakeoff completions`: what a shell needs to complete the command line.

use std::io::stdout;

use anyhow::Result;
use clap::CommandFactory;

use crate::arguments::{Arguments, CompletionsArguments};
use crate::exit::Done;

pub(crate) fn completions(arguments: &CompletionsArguments) -> Result<Done> {
    clap_complete::generate(arguments.shell, &mut Arguments::command(), "bakeoff", &mut stdout());
    Ok(Done::Well)
}
