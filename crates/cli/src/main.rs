#![forbid(unsafe_code)]
//! bakeoff: which way of doing a job is fastest on this host, by how much, and how sure that is.

mod arguments;
mod bounded_text;
mod catalogue;
mod commands;
mod exit;
mod export_text;
mod interruption;
mod job;
mod leaders;
mod ledger;
mod measuring;
mod paths;
mod progress;
mod role;
mod run_id;
mod run_page;
mod scratch;
mod selection;
mod terminal;
mod whole_file;

use std::process::ExitCode;

use clap::Parser;

use arguments::Common;
use commands::Command;

/// Which way of doing a job is fastest on this host, by how much, and how sure that is.
#[derive(Debug, Parser)]
#[command(name = "bakeoff", version = env!("BAKEOFF_VERSION"), propagate_version = true, max_term_width = 100)]
#[command(
    after_help = "Sizes take the usual suffixes (64K, 25.6MB, 1GiB), durations too (500ms, 90s, 2min).\n\
                        Exit code: 0 done; 1 something asked for did not hold; 2 could not do it; 130 interrupted."
)]
pub(crate) struct CommandLine {
    #[command(flatten)]
    common: Common,
    #[command(subcommand)]
    command: Command,
}

/// What any command may need next to the data that it works on: the stacks of its threads, the database's pages, templates.
const MEMORY_BYTES: usize = 48 << 20;

fn main() -> ExitCode {
    sys::limits::survive_full_files();
    // A worker is timed from its start: it must not pay for anything below.
    if let Some(code) = role::play() {
        return code;
    }
    if let Err(error) = sys::limits::check_memory(MEMORY_BYTES) {
        return exit::code(Err(anyhow::Error::new(error).context("there is too little memory")));
    }
    match CommandLine::try_parse() {
        Ok(line) => exit::code(line.command.run(&line.common)),
        Err(refused) => exit::usage(&refused),
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::CommandLine;

    #[test]
    fn the_command_line_is_well_formed() {
        CommandLine::command().debug_assert();
    }
}
