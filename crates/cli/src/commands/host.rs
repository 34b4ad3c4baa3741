//! `bakeoff host`: what this machine is, and what it will do to the numbers.

use std::path::PathBuf;

use anyhow::Result;
use model::Volume;

use crate::arguments::{Common, Format, HostArguments};
use crate::exit::Done;
use crate::terminal::{print, style};

pub(crate) fn host(arguments: &HostArguments, common: &Common) -> Result<Done> {
    let host = sys::host::describe();
    let volumes = volumes(&arguments.directories)?;
    print(&match arguments.format {
        Format::Text => report::text::host(&host, &volumes, &style(common, true)),
        Format::Markdown => report::markdown::host(&host, &volumes),
        Format::Html => report::html::host(&host, &volumes),
        Format::Json => serde_json::to_string_pretty(&report::json::host(&host, &volumes))?,
    })?;
    Ok(Done::Well)
}

/// The volumes of the directories, or of the current one when none is named.
pub(crate) fn volumes(directories: &[PathBuf]) -> Result<Vec<Volume>> {
    let here = [PathBuf::from(".")];
    let directories = if directories.is_empty() { &here[..] } else { directories };
    directories.iter().map(|directory| Ok(sys::host::volume(directory)?)).collect()
}
