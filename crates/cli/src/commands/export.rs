//! `bakeoff export`: a kept run for other programs.

use std::io::Write;

use anyhow::{Context, Result};
use store::Store;

use crate::arguments::{Common, ExportArguments, ExportFormat};
use crate::exit::Done;
use crate::paths::read_store;
use crate::terminal::print;

pub(crate) fn export(arguments: &ExportArguments, common: &Common) -> Result<Done> {
    let store = read_store(common)?;
    let record = store.load(&store.resolve(&arguments.run)?)?;
    let rankings = || ::judge::rank(&record);
    let text = match arguments.format {
        ExportFormat::Json => serde_json::to_string_pretty(&report::json::run(&record, &rankings()))?,
        ExportFormat::Csv => report::csv::samples(&record),
        ExportFormat::Markdown => report::markdown::rankings(&record, &rankings()),
        ExportFormat::Hyperfine => serde_json::to_string_pretty(&report::hyperfine::export(&record))?,
    };
    let Some(path) = &arguments.output else {
        print(&text)?;
        return Ok(Done::Well);
    };
    write_whole(path, &text).with_context(|| format!("{} cannot be written", path.display()))?;
    Ok(Done::Well)
}

/// Writes beside the file and renames: a full disk never leaves half an export in place of a whole one.
fn write_whole(path: &std::path::Path, text: &str) -> Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let mut file = tempfile::NamedTempFile::new_in(folder.unwrap_or(std::path::Path::new(".")))?;
    file.write_all(text.as_bytes())?;
    file.write_all(b"\n")?;
    file.as_file().sync_all()?;
    file.persist(path)?;
    Ok(())
}
