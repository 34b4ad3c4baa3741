//! `bakeoff export`: a kept run for other programs.

use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::Path;

use anyhow::{Context, Result, bail};
use judge::Decided;
use model::Record;
use report::Export;
use store::Store;

use crate::arguments::{Common, ExportArguments, ExportFormat};
use crate::commands::report::{decided_by, kept};
use crate::exit::Done;
use crate::paths::read_store;
use crate::terminal::{print, remark};

pub(crate) fn export(arguments: &ExportArguments, common: &Common) -> Result<Done> {
    let store = read_store(common)?;
    let mut record = kept(&store, &store.resolve(&arguments.run)?)?;
    if arguments.format == ExportFormat::Hyperfine && arguments.metric.is_some() {
        bail!("--metric: hyperfine's format holds times only; export csv or json");
    }
    let decided = decided_by(&mut record, arguments.metric.as_deref())?;
    let text = export_text(&record, &decided, arguments.format, common)?;
    let Some(path) = &arguments.output else {
        print(&text)?;
        return Ok(Done::Well);
    };
    write_whole(path, &text).with_context(|| format!("{} cannot be written", path.display()))?;
    Ok(Done::Well)
}

/// A run in a format for other programs. What the format cannot hold is told on standard error.
pub(crate) fn export_text(
    record: &Record,
    decided: &Decided,
    format: ExportFormat,
    common: &Common,
) -> Result<String> {
    Ok(match format {
        ExportFormat::Json => serde_json::to_string_pretty(&report::json::run(record, decided))?,
        ExportFormat::Csv => report::csv::samples(record, &decided.rankings),
        ExportFormat::Markdown => report::markdown::run(record, decided, &report::Context::default()),
        ExportFormat::Hyperfine => serde_json::to_string_pretty(&report::hyperfine::export(record))?,
        ExportFormat::Pyperf => held(report::pyperf::export(record, decided), common)?,
        ExportFormat::Bmf => held(report::bmf::export(record, decided), common)?,
        ExportFormat::Benchstat => held(report::benchstat::export(record, decided), common)?,
    })
}

/// The text of an export, where it holds anything.
fn held(export: Export, common: &Common) -> Result<String> {
    let Export { text, left_out } = export;
    let Some(text) = text else { bail!("nothing can be exported: {}", left_out.join("; ")) };
    left_out.iter().for_each(|sentence| remark(common, &format!("bakeoff: {sentence}")));
    Ok(text)
}

/// Writes beside the file and renames: a full disk never leaves half an export in place of a whole one. What is no
/// file, a terminal or a pipe, cannot be replaced and is written to.
pub(crate) fn write_whole(path: &Path, text: &str) -> Result<()> {
    let path = match fs::metadata(path) {
        Ok(there) if !there.is_file() => {
            let mut place = OpenOptions::new().write(true).open(path)?;
            return Ok(writeln!(place, "{text}")?);
        }
        // The file that a link points to, and not the link.
        Ok(_) => dunce::canonicalize(path)?,
        Err(_) => path.to_owned(),
    };
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    // With the rights of any new file: a temporary one would be its owner's alone.
    let mut file =
        tempfile::Builder::new().prefix(".bakeoff-").make_in(folder, |new| File::create_new(new))?;
    writeln!(file, "{text}")?;
    file.as_file().sync_all()?;
    file.persist(&path)?;
    Ok(())
}
