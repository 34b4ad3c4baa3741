//! A run as the text of another program's format.

use anyhow::{Result, bail};
use judge::Decided;
use model::Record;
use report::hyperfine::Typed;
use report::{Context, Export, Format, RunPage, Style};

use crate::arguments::{Common, ExportFormat};
use crate::terminal::remark;

/// Returns a run in a format for other programs. What the format cannot hold is reported on standard error. `typed` is what its commands
/// were called with, where they were typed.
pub(crate) fn export_text(
    record: &Record, decided: &Decided, format: ExportFormat, typed: &Typed, common: &Common,
) -> Result<String> {
    let format = match format {
        ExportFormat::Json => Format::Json,
        ExportFormat::Markdown => Format::Markdown,
        ExportFormat::Asciidoc => Format::Asciidoc,
        ExportFormat::Orgmode => Format::Orgmode,
        ExportFormat::Csv => return Ok(report::csv::samples(record, &decided.rankings)),
        ExportFormat::Hyperfine => return held(report::hyperfine::export(record, decided, typed), common),
        ExportFormat::Pyperf => return held(report::pyperf::export(record, decided), common),
        ExportFormat::Bmf => return held(report::bmf::export(record, decided), common),
        ExportFormat::Benchstat => return held(report::benchstat::export(record, decided), common),
    };
    let page = RunPage { record, decided, context: &Context::default(), findings: &[] };
    Ok(report::render(&page, format, &Style::default()))
}

/// Returns the text of an export. Errors: it holds nothing.
fn held(export: Export, common: &Common) -> Result<String> {
    let Export { text, skipped } = export;
    let Some(text) = text else { bail!("nothing can be exported: {}", skipped.join("; ")) };
    skipped.iter().for_each(|sentence| remark(common, &format!("bakeoff: {sentence}")));
    Ok(text)
}
