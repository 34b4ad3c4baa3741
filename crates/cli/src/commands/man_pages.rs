//! `bakeoff man-pages`: the manual, for those who package the program.

use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::Args;
use clap_mangen::Man;

use crate::arguments::Common;
use crate::command_line;
use crate::exit::Done;

/// Write a manual page for each command
#[derive(Debug, Args)]
#[command(hide = true)]
pub(crate) struct Arguments {
    /// Folder of the pages
    #[arg(value_name = "DIR")]
    directory: PathBuf,
}

pub(crate) fn run(arguments: &Arguments, _: &Common) -> Result<Done> {
    // The library gives an option without a long help no text where the short help does not list it.
    let mut command = command_line()
        .disable_help_subcommand(true)
        .mut_subcommands(|command| command.mut_args(|argument| argument.hide_short_help(false)));
    command.build();
    for page in command.get_subcommands().filter(|command| !command.is_hide_set()).chain([&command]) {
        Man::new(page.clone())
            // The library drops an argument that is empty, and the next would be taken for the date.
            .date(" ")
            .source(format!("bakeoff {}", env!("CARGO_PKG_VERSION")))
            .manual("User Commands")
            .generate_to(&arguments.directory)
            .with_context(|| {
                format!("the manual cannot be written into {}", arguments.directory.display())
            })?;
    }
    Ok(Done::Well)
}
