//! What the command lines of several commands share: options, their values, and how these are read.

use std::path::PathBuf;

use anyhow::bail;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ColorChoice, ValueEnum};
use families::AnyFamily;
use model::{
    Cache, Durability, Workload, parse_bytes, parse_count, parse_duration_ns, parse_processors, parse_share,
};

mod export;

pub(crate) use export::{ExportFormat, Exports};

/// Options of every command.
#[derive(Debug, Args)]
#[command(next_help_heading = "Global options")]
pub(crate) struct Common {
    /// File that keeps the runs [default: in the user's data directory]
    #[arg(long, global = true, value_name = "FILE")]
    pub(crate) store: Option<PathBuf>,
    /// Use colours: auto, always or never
    #[arg(
        long,
        global = true,
        value_enum,
        default_value_t,
        value_name = "WHEN",
        hide_possible_values = true
    )]
    pub(crate) color: ColorChoice,
    /// No progress and no remarks on standard error
    #[arg(long, short, global = true)]
    pub(crate) quiet: bool,
}

/// Format of a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum Format {
    #[default]
    Text,
    Markdown,
    Json,
    /// A page for a browser: one file, no network, no script.
    Html,
}

impl From<Format> for report::Format {
    fn from(format: Format) -> Self {
        match format {
            Format::Text => Self::Text,
            Format::Markdown => Self::Markdown,
            Format::Json => Self::Json,
            Format::Html => Self::Html,
        }
    }
}

/// Reads the word of one of these.
pub(crate) fn one_of<T: Copy + Send + Sync + 'static, const N: usize>(
    all: [T; N], word: fn(T) -> &'static str,
) -> impl TypedValueParser<Value = T> {
    let typed = move |typed: String| all.into_iter().find(|one| word(*one) == typed).unwrap_or(all[0]);
    PossibleValuesParser::new(all.map(word)).map(typed)
}

/// Refuses conditions of which a family leaves no choice.
pub(crate) fn refuse_other_conditions(
    family: &dyn AnyFamily, workload: &Workload, cache: Option<Cache>, durability: Option<Durability>,
) -> anyhow::Result<()> {
    let name = family.name();
    if !family.works_on_files() && (cache == Some(Cache::Cold) || durability.is_some()) {
        bail!("the family {name} works on no files: leave --cache and --durable out");
    }
    if let Some((_, only)) = cache.zip(family.cache()).filter(|(asked, only)| asked != only) {
        bail!("the family {name} always begins with a {only} cache; leave --cache out");
    }
    if let Some((_, only)) = durability.zip(family.durability(workload)).filter(|(asked, only)| asked != only)
    {
        bail!("the work of the family {name} ends when it is {only}; leave --durable out");
    }
    Ok(())
}

/// Options that say how sure an answer must be, and when it is good enough.
#[derive(Debug, Clone, Args)]
pub(crate) struct Rules {
    /// Chance of error of each contest
    #[arg(long, hide_short_help = true, value_name = "P", default_value = "0.05", value_parser = probability)]
    pub(crate) alpha: f64,
    /// Let all contests of the report share --alpha
    #[arg(long, hide_short_help = true)]
    pub(crate) alpha_report: bool,
    /// Differences below this do not matter (1 % or more)
    ///
    /// A contest ends when choosing its leader costs at most this much.
    #[arg(long = "tolerance", hide_short_help = true, aliases = ["until", "delta"], value_name = "LIMIT", default_value = "2%", value_parser = margin)]
    pub(crate) delta: f64,
}

/// Logical processors, ascending and each once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Processors(pub(crate) Vec<u32>);

pub(crate) fn processors(text: &str) -> Result<Processors, String> {
    let list = parse_processors(text)?;
    let allowed = sys::affinity::allowed();
    match list.iter().find(|processor| !allowed.is_empty() && !allowed.contains(processor)) {
        Some(missing) => Err(format!("processor {missing} may not be used here; these may: {allowed:?}")),
        None => Ok(Processors(list)),
    }
}

/// Reads a whole number within limits, such as `1000` or `1k`.
pub(crate) fn whole<T: TryFrom<u64> + Clone + Send + Sync + 'static>(
    least: u64, most: u64,
) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync + 'static {
    move |text| {
        let number = parse_count(text).ok().filter(|number| (least..=most).contains(number));
        number.and_then(|number| T::try_from(number).ok()).ok_or_else(|| match most {
            u64::MAX => format!("a whole number from {least} on is expected, for example 42"),
            _ => format!("a whole number from {least} to {most} is expected"),
        })
    }
}

/// Parses a memory limit. Below 1 MiB no process can start.
pub(crate) fn memory_bytes(text: &str) -> Result<u64, String> {
    let bytes = parse_bytes(text).map_err(|error| error.to_string())?;
    (bytes >= 1 << 20).then_some(bytes).ok_or_else(|| "no program fits into less than 1 MiB".to_owned())
}

/// Parses how long something may take. A run without a sample answers nothing, so it may not be 0.
pub(crate) fn parse_budget_ns(text: &str) -> Result<u64, String> {
    match parse_duration_ns(text).map_err(|refused| refused.to_string())? {
        0 => Err("nothing can be measured in no time; for example 90s".to_owned()),
        ns => Ok(ns),
    }
}

pub(crate) fn probability(text: &str) -> Result<f64, String> {
    let value: f64 = text.parse().map_err(|_| format!("'{text}' is not a number; for example 0.05"))?;
    if value > 0.0 && value < 0.5 {
        return Ok(value);
    }
    Err(format!("{text} is not between 0 and 0.5; for example 0.05"))
}

pub(crate) fn margin(text: &str) -> Result<f64, String> {
    let value = parse_share(text)?;
    if (0.01..=1.0).contains(&value) {
        return Ok(value);
    }
    Err(format!("{text} is not between 1% and 100%: where code lies in one binary makes a difference of 1%"))
}
