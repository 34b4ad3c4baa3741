//! The formats of other programs that a run is written in: a further one is a line in each part of this file.

use anyhow::{Result, bail};
use clap::ValueEnum;
use judge::Decided;
use model::Record;
use report::Export;

use crate::arguments::Common;
use crate::commands::compare::typed_again;
use crate::terminal::remark;

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ExportFormat {
    /// Everything, with a documented schema.
    Json,
    /// One line a sample; 'bakeoff judge' reads it.
    Csv,
    /// The ranking as tables.
    Markdown,
    /// As 'hyperfine --export-json' writes it.
    Hyperfine,
    /// For 'pyperf compare_to', 'stats', 'hist' and 'check'.
    Pyperf,
    /// Bencher Metric Format, for 'bencher run --adapter json'.
    Bmf,
    /// Go's benchmark format, one line a sample, for 'benchstat'.
    Benchstat,
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
        ExportFormat::Hyperfine => {
            held(report::hyperfine::export(record, decided, &typed_again(record)), common)?
        }
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
