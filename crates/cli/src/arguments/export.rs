//! The formats of other programs that a run is written in.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ExportFormat {
    /// Everything, with a documented schema.
    Json,
    /// One line a sample; 'bakeoff judge' reads it.
    Csv,
    /// The ranking as tables.
    Markdown,
    /// The ranking as tables in AsciiDoc.
    Asciidoc,
    /// The ranking as tables for Emacs' Org mode.
    Orgmode,
    /// As 'hyperfine --export-json' writes it.
    Hyperfine,
    /// For 'pyperf compare_to', 'stats', 'hist' and 'check'.
    Pyperf,
    /// Bencher Metric Format, for 'bencher run --adapter json'.
    Bmf,
    /// Go's benchmark format, one line a sample, for 'benchstat'.
    Benchstat,
}

/// The files that `bakeoff time` writes its run to.
#[derive(Debug, Args)]
pub(crate) struct Exports {
    /// Write the run to a file, with the documented schema
    #[arg(long, value_name = "FILE")]
    export_json: Option<PathBuf>,
    /// Write every timed run to a file, one line each
    #[arg(long, hide_short_help = true, value_name = "FILE")]
    export_csv: Option<PathBuf>,
    /// Write the ranking to a file, as tables
    #[arg(long, hide_short_help = true, value_name = "FILE")]
    export_markdown: Option<PathBuf>,
    /// Write the ranking to a file, as tables in AsciiDoc
    #[arg(long, hide_short_help = true, value_name = "FILE")]
    export_asciidoc: Option<PathBuf>,
    /// Write the ranking to a file, as tables for Emacs' Org mode
    #[arg(long, hide_short_help = true, value_name = "FILE")]
    export_orgmode: Option<PathBuf>,
    /// Write the run to a file as 'hyperfine --export-json' does
    #[arg(long, hide_short_help = true, value_name = "FILE")]
    export_hyperfine: Option<PathBuf>,
    /// Write the run to a file that pyperf reads
    #[arg(long, hide_short_help = true, value_name = "FILE")]
    export_pyperf: Option<PathBuf>,
    /// Write the run to a file in Bencher Metric Format
    #[arg(long, hide_short_help = true, value_name = "FILE")]
    export_bmf: Option<PathBuf>,
    /// Write the run to a file that benchstat reads
    #[arg(long, hide_short_help = true, value_name = "FILE")]
    export_benchstat: Option<PathBuf>,
}

impl Exports {
    /// The files that the run is written to, each with its format.
    pub(crate) fn files(&self) -> impl Iterator<Item = (&Path, ExportFormat)> {
        let all = [
            (&self.export_json, ExportFormat::Json),
            (&self.export_csv, ExportFormat::Csv),
            (&self.export_markdown, ExportFormat::Markdown),
            (&self.export_asciidoc, ExportFormat::Asciidoc),
            (&self.export_orgmode, ExportFormat::Orgmode),
            (&self.export_hyperfine, ExportFormat::Hyperfine),
            (&self.export_pyperf, ExportFormat::Pyperf),
            (&self.export_bmf, ExportFormat::Bmf),
            (&self.export_benchstat, ExportFormat::Benchstat),
        ];
        all.into_iter().filter_map(|(path, format)| Some((path.as_deref()?, format)))
    }
}
