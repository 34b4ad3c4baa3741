//! `bakeoff host`: what this machine is, and what it will do to the numbers.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use model::Volume;
use report::HostPage;

use crate::arguments::{Common, Format};
use crate::exit::Done;
use crate::terminal::print_page;

/// This machine, and what will disturb a measurement
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// Directories whose file systems are described; repeatable [default: .]
    #[arg(long = "dir", value_name = "DIR")]
    directories: Vec<PathBuf>,
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

pub(crate) fn run(arguments: &Arguments, common: &Common) -> Result<Done> {
    let host = sys::host::describe();
    let volumes = volumes(&arguments.directories)?;
    print_page(&HostPage { host: &host, volumes: &volumes }, arguments.format, true, common)?;
    Ok(Done::Well)
}

/// The volumes of the directories, or of the current one when none is named.
pub(crate) fn volumes(directories: &[PathBuf]) -> Result<Vec<Volume>> {
    let here = [PathBuf::from(".")];
    let directories = if directories.is_empty() { &here[..] } else { directories };
    directories.iter().map(|directory| Ok(sys::host::volume(directory)?)).collect()
}
