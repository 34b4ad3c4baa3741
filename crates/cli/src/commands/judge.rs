//! `bakeoff judge`: the answer to samples of any program, the same to the byte each time.

use std::fs::File;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::Args;
use judge::{Entry, Options, Ranking};
use model::{Better, LOOKS_RULE, are_looks};

use crate::arguments::{Common, Format, margin, probability};
use crate::bounded_text::rest;
use crate::exit::Done;
use crate::terminal::print_page;

/// Judge samples of any program
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// CSV with the columns round,position,technique,value, or JSON; - for standard input
    file: PathBuf,
    /// The looks at which decisions were planned, e.g. 8,10,13; the first round is not counted [default: the usual ones]
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = look)]
    looks: Vec<u32>,
    /// The technique that the fastest is compared with
    #[arg(long, alias = "reference", value_name = "NAME")]
    baseline: Option<String>,
    /// Judge by another metric that the file holds, by its name: work, process, cpu, memory, faults, a column, or a
    /// value that the techniques report
    #[arg(long, value_name = "NAME")]
    metric: Option<String>,
    /// Larger values are better: the samples are rates
    #[arg(long)]
    more_is_better: bool,
    /// Chance of error of each contest [default: that of an exported run, else 0.05]
    #[arg(long, hide_short_help = true, value_name = "P", value_parser = probability)]
    alpha: Option<f64>,
    /// Let all contests of the report share --alpha
    #[arg(long, hide_short_help = true)]
    alpha_report: bool,
    /// Differences below this do not matter (1 % or more) [default: that of an exported run, else 2%]
    #[arg(long = "tolerance", hide_short_help = true, aliases = ["until", "delta"], value_name = "LIMIT", value_parser = margin)]
    delta: Option<f64>,
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

pub(crate) fn run(arguments: &Arguments, common: &Common) -> Result<Done> {
    let shown = arguments.file.display();
    if !are_looks(&arguments.looks) {
        bail!("--looks {LOOKS_RULE}; for example 8,10,13");
    }
    let text = read(&arguments.file).with_context(|| format!("{shown} cannot be read"))?;
    let samples = judge::read_samples(&text, Some(&arguments.file), arguments.metric.as_deref())?;
    let options = Options {
        alpha: arguments.alpha,
        alpha_report: arguments.alpha_report,
        delta: arguments.delta,
        // Without any, those that the file names or the usual ones: samples that end early may have ended because of
        // what they showed.
        looks: arguments.looks.clone(),
        baseline: arguments.baseline.clone(),
        better: if arguments.more_is_better { Better::More } else { Better::Less },
    };
    let decided = samples.decide(&options);
    refuse_unknown(arguments.baseline.as_deref(), &decided.rankings)?;
    print_page(&decided, arguments.format, false, common)?;
    Ok(Done::Well)
}

/// A technique that is named to be compared with must take part somewhere.
pub(crate) fn refuse_unknown(baseline: Option<&str>, rankings: &[Ranking]) -> Result<()> {
    let Some(name) = baseline else { return Ok(()) };
    let entries: Vec<&Entry> = rankings.iter().flat_map(|ranking| &ranking.entries).collect();
    if entries.iter().any(|entry| entry.kind.is_called(&entry.technique, &entry.aliases, name)) {
        return Ok(());
    }
    let example = entries.first().map_or(String::new(), |entry| format!("; for example {}", entry.technique));
    bail!("--baseline {name}: no technique of that name took part{example}")
}

/// The text of a file, or of standard input where it is called `-`.
fn read(path: &Path) -> Result<String> {
    if path == Path::new("-") {
        return rest(std::io::stdin().lock(), Vec::new());
    }
    rest(File::open(path)?, Vec::new())
}

/// Parses one look. When all are known, they are checked together.
fn look(text: &str) -> Result<u32, String> {
    text.parse().map_err(|_| "a list of whole numbers is expected, for example 8,10,13".to_owned())
}
