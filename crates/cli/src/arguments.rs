//! The command line.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use measure::{FURTHER_CONTEST_NS, ONE_CONTEST_NS};
use model::{
    Preset, parse_assignment, parse_bytes, parse_duration_ns, parse_levels, parse_processors, parse_share,
};

use crate::export_format::ExportFormat;
use crate::terminal::ColorChoice;

mod advise;
mod explain;
mod published;
mod time;
mod typed;

pub(crate) use advise::AdviseArguments;
pub(crate) use explain::{ExplainArguments, ShowArguments};
pub(crate) use published::{CompareArguments, FindingsArguments, HistoryArguments, ImportArguments};
pub(crate) use time::TimeArguments;
pub(crate) use typed::as_typed;
use typed::parse_budget_ns;

/// Which way of doing a job is fastest on this host, by how much, and how sure that is.
#[derive(Debug, Parser)]
#[command(name = "bakeoff", version = env!("BAKEOFF_VERSION"), propagate_version = true, max_term_width = 100)]
#[command(
    after_help = "Sizes take the usual suffixes (64K, 25.6MB, 1GiB), durations too (500ms, 90s, 2min).\n\
                        Exit code: 0 done; 1 something asked for did not hold; 2 could not do it; 130 interrupted."
)]
pub(crate) struct Arguments {
    #[command(flatten)]
    pub(crate) common: Common,
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// What every command takes.
#[derive(Debug, Args)]
pub(crate) struct Common {
    /// File that keeps the runs [default: bakeoff.sqlite in the user's data directory]
    #[arg(long, global = true, value_name = "FILE")]
    pub(crate) store: Option<PathBuf>,
    /// When to use colours
    #[arg(long, global = true, value_enum, default_value_t, value_name = "WHEN")]
    pub(crate) color: ColorChoice,
    /// No progress and no remarks on standard error
    #[arg(long, short, global = true)]
    pub(crate) quiet: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Measure, keep and judge: which technique is fastest here
    Run(Box<RunArguments>),
    /// Families and techniques, and why one is not available here
    List(ListArguments),
    /// What techniques do: their system calls, page faults, context switches, bytes at the device
    Explain(ExplainArguments),
    /// One technique: how it works, its system calls, its code as it is compiled here, where it won
    Show(ShowArguments),
    /// What this machine is, and what it will do to the numbers
    Host(HostArguments),
    /// Real, user and system time and memory of a command and all that it starts
    Time(Box<TimeArguments>),
    /// Write a file of records: 64 bytes each, printable, a random key of 8 hexadecimal digits first
    Generate(GenerateArguments),
    /// Show a kept run again
    Report(ReportArguments),
    /// Runs side by side, of this host, of others and of published machines
    Compare(CompareArguments),
    /// What was published about these jobs, and whether it is true here
    Findings(FindingsArguments),
    /// What to use for a task on this host, from what was measured, and up to which size or number that holds
    Advise(Box<AdviseArguments>),
    /// This host over time: the latest run beside those before it
    History(HistoryArguments),
    /// Runs of other hosts, as 'bakeoff export --format json' wrote them
    Import(ImportArguments),
    /// A kept run for other programs
    Export(ExportArguments),
    /// Identical techniques against each other: the smallest difference that can be told here
    Noise(NoiseArguments),
    /// The answer to samples of any program
    Judge(JudgeArguments),
    /// The JSON Schema of a run, for programs that read exports
    Schema,
    /// Completions for a shell
    Completions(CompletionsArguments),
}

/// How a result is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum Format {
    #[default]
    Text,
    Markdown,
    Json,
    /// A page for a browser: one file, no network, no script.
    Html,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum CacheChoice {
    /// The input is in memory.
    Warm,
    /// The input is not in memory, and that is proven.
    Cold,
    /// Both, interleaved in one run.
    Both,
}

/// A state of the file cache that was measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum CacheKnown {
    /// The input is in memory.
    Warm,
    /// The input is not in memory.
    Cold,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum PresetChoice {
    Quick,
    Published,
    Large,
}

impl From<PresetChoice> for Preset {
    fn from(choice: PresetChoice) -> Self {
        match choice {
            PresetChoice::Quick => Self::Quick,
            PresetChoice::Published => Self::Published,
            PresetChoice::Large => Self::Large,
        }
    }
}

/// How sure an answer must be, and when it is good enough.
#[derive(Debug, Clone, Args)]
pub(crate) struct Rules {
    /// Chance of error of each contest
    #[arg(long, value_name = "P", default_value = "0.05", value_parser = probability)]
    pub(crate) alpha: f64,
    /// Let all contests of the report share --alpha
    #[arg(long)]
    pub(crate) alpha_report: bool,
    /// End a contest when choosing its leader costs at most this much; at least 1 %
    #[arg(long = "until", alias = "delta", value_name = "LIMIT", default_value = "2%", value_parser = margin)]
    pub(crate) delta: f64,
}

#[derive(Debug, Args)]
pub(crate) struct RunArguments {
    /// Families and techniques: copy, copy/read_write, copy/cpW; copy/none takes the contenders alone; all families when
    /// none is named. Or a job of your own: a TOML file that names the commands that compete
    #[arg(value_name = "FAMILY[/TECHNIQUE]|JOB.toml")]
    pub(crate) names: Vec<String>,
    /// Which workloads
    #[arg(long, value_enum, default_value = "quick")]
    pub(crate) preset: PresetChoice,
    /// Sizes in place of the preset's: 64K, or a range that doubles (4K..1GiB), multiplies (4K..1GiBx4) or adds
    /// (64K..1M+64K); several are the levels of a curve. Repeatable
    #[arg(long = "size", visible_alias = "sizes", value_name = "SIZE|FROM..TO", value_delimiter = ',', value_parser = levels, allow_negative_numbers = true)]
    pub(crate) sizes: Vec<Levels>,
    /// Files of your own to work on, in place of generated ones; repeatable. They are copied and never changed
    #[arg(long = "input", value_name = "PATH", conflicts_with = "sizes")]
    pub(crate) inputs: Vec<PathBuf>,
    /// Another workload, e.g. pattern=needle; repeatable. 'bakeoff list FAMILY' names them. Several values of one number, as a
    /// list or a range like those of --size (threads=1..64, threads=1,8,64), are the levels of a curve
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = parse_assignment)]
    pub(crate) axes: Vec<(String, String)>,
    /// The same as --set threads=N: how many threads, or a range (1..8192)
    // A negative number is answered as a number, and not as an option that does not exist.
    #[arg(long, value_name = "N|FROM..TO", allow_negative_numbers = true)]
    pub(crate) threads: Option<String>,
    /// State of the file cache at the start
    #[arg(long, value_enum, default_value = "warm")]
    pub(crate) cache: CacheChoice,
    /// Stop the clock when data and directory are on the device
    #[arg(long)]
    pub(crate) durable: bool,
    /// Directory to work in; repeatable: several file systems are interleaved in one run [default: .]
    #[arg(long = "dir", value_name = "DIR")]
    pub(crate) directories: Vec<PathBuf>,
    /// Logical processors to run on, e.g. 0 or 0,2-3
    #[arg(long, value_name = "LIST", value_parser = processors)]
    pub(crate) processors: Option<Processors>,
    /// An external command that enters the contest, e.g. 'cp=cp {input} {output}'; repeatable. It is split into words as a
    /// shell does (Windows: as its programs do, so that backslashes stay), but no shell runs it
    #[arg(long = "contender", value_name = "NAME=COMMAND")]
    pub(crate) contenders: Vec<String>,
    /// A TOML file of `[[contender]]` tables with name and command, a line to be split or a list of words
    #[arg(long, value_name = "FILE")]
    pub(crate) contenders_file: Option<PathBuf>,
    /// What is compared: work, process, cpu, user, system, memory, faults, switches, or what else a family measures
    /// ('bakeoff list FAMILY' names it) [default: what the family says, mostly work; process with contenders]
    #[arg(long, value_name = "NAME")]
    pub(crate) metric: Option<String>,
    // Its help tells the constants by which the budget is chosen.
    #[arg(long, value_name = "DURATION", value_parser = parse_budget_ns, help = budget_help(), allow_negative_numbers = true)]
    pub(crate) budget: Option<u64>,
    /// Stop after N rounds at the latest [default: 100]
    #[arg(long, value_name = "N", value_parser = whole::<u32>(3, 10_000), conflicts_with_all = ["fast", "deep"], allow_negative_numbers = true)]
    pub(crate) rounds: Option<u32>,
    /// Go on for N rounds, even when the answer is known sooner
    #[arg(long, value_name = "N", value_parser = whole::<u32>(3, 10_000), allow_negative_numbers = true)]
    pub(crate) min_rounds: Option<u32>,
    /// Stop after 20 rounds at the latest
    #[arg(long, conflicts_with = "deep")]
    pub(crate) fast: bool,
    /// Go on up to 200 rounds
    #[arg(long)]
    pub(crate) deep: bool,
    /// The technique or contender that the answer compares the fastest with [default: each family's plain way]
    #[arg(long, value_name = "NAME")]
    pub(crate) reference: Option<String>,
    #[command(flatten)]
    pub(crate) rules: Rules,
    /// Seed of everything random [default: from the operating system]
    #[arg(long, value_name = "N", value_parser = whole::<u64>(0, u64::MAX), allow_negative_numbers = true)]
    pub(crate) seed: Option<u64>,
    /// A process that runs longer counts as hanging; so does one that takes 50 times what it took at first, and over 10 s
    #[arg(long, value_name = "DURATION", default_value = "60s", value_parser = parse_duration_ns, allow_negative_numbers = true)]
    pub(crate) time_limit: u64,
    /// Memory that a technique or contender may take; in the family disk together with its part of the file cache
    #[arg(long, value_name = "SIZE", value_parser = memory_bytes, allow_negative_numbers = true)]
    pub(crate) memory_limit: Option<u64>,
    /// Print the plan and stop: how many techniques, about how long, how much disk, what is left out
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Do not write the run's HTML page into the folder 'reports' beside the store
    #[arg(long)]
    pub(crate) no_report: bool,
    /// How the ranking is printed
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
    /// All rows and remarks; spread, memory, faults and switches too
    #[arg(long, short)]
    pub(crate) verbose: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ListArguments {
    /// A family; all when none is named
    pub(crate) family: Option<String>,
    /// Directory whose file system is asked
    #[arg(long = "dir", value_name = "DIR", default_value = ".")]
    pub(crate) directory: PathBuf,
    /// The families that check the instrument, too
    #[arg(long)]
    pub(crate) controls: bool,
    /// How it is printed
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
}

#[derive(Debug, Args)]
pub(crate) struct HostArguments {
    /// Directories whose file systems are described; repeatable [default: .]
    #[arg(long = "dir", value_name = "DIR")]
    pub(crate) directories: Vec<PathBuf>,
    /// How it is printed
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
}

#[derive(Debug, Args)]
pub(crate) struct GenerateArguments {
    /// How many records of 64 bytes
    #[arg(value_parser = whole::<u64>(1, u64::MAX))]
    pub(crate) records: u64,
    /// The file; it must not exist yet
    pub(crate) file: PathBuf,
    /// Replace the file if it exists
    #[arg(long)]
    pub(crate) force: bool,
    /// The same seed gives the same records
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole::<u64>(0, u64::MAX))]
    pub(crate) seed: u64,
}

#[derive(Debug, Args)]
pub(crate) struct ReportArguments {
    /// A run: its identity, the beginning of it, or 'last'
    #[arg(default_value = "last")]
    pub(crate) run: String,
    /// Show which runs there are
    #[arg(long)]
    pub(crate) list: bool,
    /// The technique that the answer compares the fastest with [default: that of the run]
    #[arg(long, value_name = "NAME")]
    pub(crate) reference: Option<String>,
    /// What is compared: anything that was measured of the samples [default: that of the run]
    #[arg(long, value_name = "NAME")]
    pub(crate) metric: Option<String>,
    /// How it is printed
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
    /// Write its HTML page, to this file or else to the place where 'run' writes it, and print nothing else
    #[arg(long, value_name = "FILE", num_args = 0..=1, conflicts_with_all = ["format", "verbose", "list"])]
    pub(crate) html: Option<Option<PathBuf>>,
    /// All rows and remarks; spread, memory, faults and switches too
    #[arg(long, short)]
    pub(crate) verbose: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ExportArguments {
    /// A run: its identity, the beginning of it, or 'last'
    #[arg(default_value = "last")]
    pub(crate) run: String,
    /// Which format
    #[arg(long, value_enum)]
    pub(crate) format: ExportFormat,
    /// What is compared: anything that was measured of the samples [default: that of the run]
    #[arg(long, value_name = "NAME")]
    pub(crate) metric: Option<String>,
    /// Write to this file in place of standard output
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct NoiseArguments {
    /// How many identical techniques
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = whole::<u8>(2, 10))]
    pub(crate) techniques: u8,
    /// Time that the run may take, everything included
    #[arg(long, value_name = "DURATION", default_value = "20s", value_parser = parse_budget_ns)]
    pub(crate) budget: u64,
    /// Seed of everything random [default: from the operating system]
    #[arg(long, value_name = "N", value_parser = whole::<u64>(0, u64::MAX))]
    pub(crate) seed: Option<u64>,
    /// Also run a loop that is 5 % longer, which must be found
    #[arg(long)]
    pub(crate) self_check: bool,
    /// How it is printed
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
}

#[derive(Debug, Args)]
pub(crate) struct JudgeArguments {
    /// CSV with the columns round,position,technique,value, or JSON; - for standard input
    pub(crate) file: PathBuf,
    /// The looks at which decisions were planned, e.g. 8,10,13; the first round is not counted [default: the usual ones]
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = look)]
    pub(crate) looks: Vec<u32>,
    /// The technique that the answer compares the fastest with
    #[arg(long, value_name = "NAME")]
    pub(crate) reference: Option<String>,
    /// Judge by another quantity that the file holds, by its name: work, process, cpu, memory, faults, a column, or a
    /// value that the techniques tell
    #[arg(long, value_name = "NAME")]
    pub(crate) metric: Option<String>,
    /// Larger values are better: the samples are rates
    #[arg(long)]
    pub(crate) more_is_better: bool,
    #[command(flatten)]
    pub(crate) rules: Rules,
    /// How it is printed
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
}

#[derive(Debug, Args)]
pub(crate) struct CompletionsArguments {
    /// The shell
    #[arg(value_enum)]
    pub(crate) shell: Shell,
}

/// One size, or those of a range.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Levels(pub(crate) Vec<u64>);

fn levels(text: &str) -> Result<Levels, String> {
    parse_levels(text).map(Levels).map_err(|refused| refused.to_string())
}

/// Logical processors, ascending and each once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Processors(pub(crate) Vec<u32>);

fn processors(text: &str) -> Result<Processors, String> {
    let list = parse_processors(text)?;
    let allowed = sys::affinity::allowed();
    match list.iter().find(|processor| !allowed.is_empty() && !allowed.contains(processor)) {
        Some(missing) => Err(format!("processor {missing} may not be used here; these may: {allowed:?}")),
        None => Ok(Processors(list)),
    }
}

/// Reads a whole number within limits.
fn whole<T: TryFrom<u64> + Clone + Send + Sync + 'static>(
    least: u64,
    most: u64,
) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync + 'static {
    move |text| {
        let number = text.parse().ok().filter(|number| (least..=most).contains(number));
        number.and_then(|number: u64| T::try_from(number).ok()).ok_or_else(|| match most {
            u64::MAX => format!("a whole number from {least} on is expected, for example 42"),
            _ => format!("a whole number from {least} to {most} is expected"),
        })
    }
}

/// Memory that a process can start in: less ends whatever starts it.
fn memory_bytes(text: &str) -> Result<u64, String> {
    let bytes = parse_bytes(text).map_err(|error| error.to_string())?;
    (bytes >= 1 << 20).then_some(bytes).ok_or_else(|| "no program fits into less than 1 MiB".to_owned())
}

/// Whether looks fit together is seen when all are known.
fn look(text: &str) -> Result<u32, String> {
    text.parse().map_err(|_| "a list of whole numbers is expected, for example 8,10,13".to_owned())
}

fn probability(text: &str) -> Result<f64, String> {
    let value: f64 = text.parse().map_err(|_| format!("'{text}' is no number; for example 0.05"))?;
    match value > 0.0 && value < 0.5 {
        true => Ok(value),
        false => Err(format!("{text} is not between 0 and 0.5; for example 0.05")),
    }
}

fn margin(text: &str) -> Result<f64, String> {
    let value = parse_share(text)?;
    match (0.01..=1.0).contains(&value) {
        true => Ok(value),
        false => Err(format!(
            "{text} is not between 1% and 100%: where code lies in one binary makes a difference of 1%"
        )),
    }
}

fn budget_help() -> String {
    format!(
        "Time that the run may take, everything included [default: {}, {} more for each further contest, more for large inputs or slow techniques]",
        model::format_ns(ONE_CONTEST_NS as f64).replace(' ', ""),
        model::format_ns(FURTHER_CONTEST_NS as f64).replace(' ', ""),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_well_formed() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn the_help_and_the_readme_tell_the_time_of_a_run_without_a_budget_as_it_is() {
        use measure::{FURTHER_LEVEL_NS, SAME_WORK_LEVEL_NS, SESSION_CONTEST_NS};
        let of_run = Arguments::command().find_subcommand("run").expect("run").clone().render_long_help();
        let of_run = of_run.to_string().split_whitespace().collect::<Vec<_>>().join(" ");
        let seconds = |ns: u64| format!("{} s", ns as f64 / 1e9);
        let first = format!("[default: {}, {} more", seconds(ONE_CONTEST_NS), seconds(FURTHER_CONTEST_NS));
        assert!(of_run.contains(&first.replace(" s", "s")), "{of_run}");
        let readme = include_str!("../../../README.md");
        let row = readme.lines().find(|line| line.starts_with("| `--budget DURATION` |")).expect("a row");
        for told in [
            seconds(ONE_CONTEST_NS) + ", ",
            seconds(FURTHER_CONTEST_NS) + " more for each further contest",
            format!("({} where one process runs all techniques)", seconds(SESSION_CONTEST_NS)),
            seconds(FURTHER_LEVEL_NS) + " for each further level of a curve",
            format!("({} where the levels do the same work)", seconds(SAME_WORK_LEVEL_NS)),
        ] {
            assert!(row.contains(&told), "'{told}' is missing: {row}");
        }
    }

    #[test]
    fn processors_are_lists_and_ranges() {
        let first = sys::affinity::allowed()[0];
        assert_eq!(processors(&format!("{first},{first}-{first}")), Ok(Processors(vec![first])));
        assert!(processors("x").is_err_and(|refused| refused.contains("0,2-3")));
        assert!(processors("99999").is_err_and(|refused| refused.contains("may not be used")));
    }

    #[test]
    fn a_margin_is_a_percentage_or_a_fraction() {
        assert_eq!(margin("2%"), Ok(0.02));
        assert_eq!(margin("0.05"), Ok(0.05));
        assert!(margin("0.1%").is_err());
        assert!(margin("much").is_err());
    }
}
