//! `bakeoff export`: a kept run for other programs.

use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use clap::Args;

use crate::arguments::{Common, ExportFormat};
use crate::commands::time::typed_again;
use crate::exit::Done;
use crate::export_text::export_text;
use crate::paths::read_store;
use crate::run_page::decided_by;
use crate::terminal::print;
use crate::whole_file::write_whole;

/// A kept run for other programs
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// A run: its identity, the beginning of it, or 'last'
    #[arg(default_value = "last")]
    run: String,
    /// Output format
    #[arg(long, value_enum)]
    format: ExportFormat,
    /// What is compared: work, cpu, memory, or another value that was measured [default: that of the run]
    #[arg(long, value_name = "NAME")]
    metric: Option<String>,
    /// Write to this file instead of standard output
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

pub(crate) fn run(arguments: &Arguments, common: &Common) -> Result<Done> {
    let store = read_store(common)?;
    let mut record = store.load(&store.resolve(&arguments.run)?)?;
    if arguments.format == ExportFormat::Hyperfine && arguments.metric.is_some() {
        bail!("--metric: hyperfine's format holds times only; export csv or json");
    }
    let decided = decided_by(&mut record, arguments.metric.as_deref())?;
    let text = export_text(&record, &decided, arguments.format, &typed_again(&record), common)?;
    let Some(path) = &arguments.output else {
        print(&text)?;
        return Ok(Done::Well);
    };
    write_whole(path, &text).with_context(|| format!("{} cannot be written", path.display()))?;
    Ok(Done::Well)
}
