//! The command lines of `bakeoff findings`, `compare`, `history` and `import`.

use std::path::PathBuf;

use clap::Args;
use model::parse_share;

use super::{Format, parse_budget_ns, whole};

#[derive(Debug, Args)]
pub(crate) struct CompareArguments {
    /// Runs: an identity, the beginning of one, 'last', or a published machine (published:xeon-4way)
    #[arg(value_name = "RUN", required = true, num_args = 1..)]
    pub(crate) runs: Vec<String>,
    /// Runs of a later side: with three or more a side, of one host and begun 10 minutes after each other, changes are claimed
    #[arg(long, value_name = "RUN", num_args = 1..)]
    pub(crate) against: Vec<String>,
    /// How it is printed
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
    /// Write it to this file as an HTML page, in place of printing it
    #[arg(long, value_name = "FILE", conflicts_with_all = ["format", "verbose"])]
    pub(crate) html: Option<PathBuf>,
    /// User and system time of more than two runs, and the names of contests that only one has
    #[arg(long, short)]
    pub(crate) verbose: bool,
}

#[derive(Debug, Args)]
pub(crate) struct FindingsArguments {
    /// A run to judge them by: its identity, the beginning of it, or 'last' [default: for each finding the latest that fits]
    #[arg(conflicts_with = "measure")]
    pub(crate) run: Option<String>,
    /// Only those about this family; repeatable
    #[arg(long = "family", value_name = "FAMILY")]
    pub(crate) families: Vec<String>,
    /// Measure first what they need, in one run of the techniques that they compare
    #[arg(long)]
    pub(crate) measure: bool,
    /// Directory to measure in; repeatable: a finding compares two file systems [default: .]
    #[arg(long = "dir", value_name = "DIR", requires = "measure")]
    pub(crate) directories: Vec<PathBuf>,
    /// Time that the run may take, everything included
    #[arg(long, value_name = "DURATION", default_value = "570s", requires = "measure", value_parser = parse_budget_ns)]
    pub(crate) budget: u64,
    /// Seed of everything random [default: from the operating system]
    #[arg(long, value_name = "N", requires = "measure", value_parser = whole::<u64>(0, u64::MAX))]
    pub(crate) seed: Option<u64>,
    /// Print the plan of what would be measured, and stop
    #[arg(long, requires = "measure")]
    pub(crate) dry_run: bool,
    /// How it is printed
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
    /// All comparisons of each finding
    #[arg(long, short)]
    pub(crate) verbose: bool,
}

#[derive(Debug, Args)]
pub(crate) struct HistoryArguments {
    /// Only this family, or this technique of a family
    #[arg(value_name = "FAMILY[/TECHNIQUE]")]
    pub(crate) name: Option<String>,
    /// How many of the latest runs are looked at
    #[arg(long, value_name = "N", default_value = "20", value_parser = whole::<usize>(2, 10_000))]
    pub(crate) runs: usize,
    /// Exit with 1 when a technique is slower than expected, and by more than this; with 2 when fewer than five runs before the
    /// latest leave nothing to check
    #[arg(long, value_name = "LIMIT", value_parser = limit)]
    pub(crate) fail_on_regression: Option<f64>,
    /// How it is printed
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
    /// Techniques of which nothing is claimed, too
    #[arg(long, short)]
    pub(crate) verbose: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ImportArguments {
    /// Files that 'bakeoff export --format json' wrote; one that is stored already changes nothing
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<PathBuf>,
}

fn limit(text: &str) -> Result<f64, String> {
    let value = parse_share(text)?;
    match value >= 0.0 {
        true => Ok(value),
        false => Err(format!("{text} is below 0%; for example 5%")),
    }
}
