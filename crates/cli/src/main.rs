#![forbid(unsafe_code)]
//! bakeoff: which way of doing a job is fastest on this host, by how much, and how sure that is.

mod arguments;
mod bounded_text;
mod catalogue;
mod commands;
mod completion;
mod exit;
mod export_text;
mod hints;
mod interruption;
mod job;
mod leaders;
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

use clap::{CommandFactory, FromArgMatches, Parser};

use arguments::Common;
use commands::Command;

/// Which way of doing a job is fastest on this host, by how much, and how sure that is.
#[derive(Debug, Parser)]
#[command(name = "bakeoff", version = env!("BAKEOFF_VERSION"), max_term_width = 100)]
#[command(after_help = "Examples:\n  \
                  bakeoff run copy\n  \
                  bakeoff time 'gzip -k -c f' 'zstd -c f'\n  \
                  bakeoff advise copy --size 1GiB\n\n\
                  Sizes take suffixes (64K, 25.6MB, 1GiB), durations too (500ms, 90s, 2min).\n\
                  Exit codes: 0 success, 1 check failed, 2 error, 130 interrupted")]
pub(crate) struct CommandLine {
    #[command(flatten)]
    common: Common,
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// Memory that any command may need next to the data that it works on: the stacks of its threads, the database's pages, templates.
const MEMORY_BYTES: usize = 48 << 20;

fn main() -> ExitCode {
    sys::limits::survive_full_files();
    // A worker is timed from its start: it must not pay for anything below.
    if let Some(code) = role::play() {
        return code;
    }
    if completion::answer() {
        return ExitCode::SUCCESS;
    }
    if let Err(error) = sys::limits::check_memory(MEMORY_BYTES) {
        return exit::code(Err(anyhow::Error::new(error).context("there is too little memory")));
    }
    let parsed = command_line().try_get_matches().and_then(|matches| CommandLine::from_arg_matches(&matches));
    match parsed {
        Ok(line) => exit::code(line.command.run(&line.common)),
        Err(refused) => exit::usage(&refused),
    }
}

/// The command line, whose help lists the commands in groups.
pub(crate) fn command_line() -> clap::Command {
    let command = CommandLine::command();
    let mut groups = String::new();
    for (title, names) in commands::GROUPS {
        groups.push_str(&format!("\n{title}:\n"));
        for name in names.iter() {
            let about = command.find_subcommand(name).and_then(|one| one.get_about()).cloned();
            groups.push_str(&format!("  {name:<12} {}\n", about.unwrap_or_default()));
        }
    }
    let template =
        format!("{{about}}\n\n{{usage-heading}} {{usage}}\n{groups}\nOptions:\n{{options}}{{after-help}}");
    command.help_template(template)
}

#[cfg(test)]
mod tests {
    use super::command_line;
    use crate::commands::GROUPS;

    #[test]
    fn the_command_line_is_well_formed() {
        command_line().debug_assert();
    }

    #[test]
    fn every_command_is_in_one_group_of_the_help() {
        let mut grouped: Vec<&str> = GROUPS.iter().flat_map(|(_, names)| names.iter().copied()).collect();
        let command_line = command_line();
        let listed = command_line.get_subcommands().filter(|command| !command.is_hide_set());
        let mut all: Vec<&str> = listed.map(|command| command.get_name()).collect();
        grouped.sort_unstable();
        all.sort_unstable();
        assert_eq!(grouped, all);
    }
}
