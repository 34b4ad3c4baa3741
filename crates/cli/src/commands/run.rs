//! `bakeoff run`: measure, keep, judge and print.

use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use clap::Args;
use measure::{Ending, ExternalCommand, FURTHER_CONTEST_NS, ONE_CONTEST_NS, Request, Untimed};
use model::{Cache, Durability, MOST_LEVELS, Preset, parse_assignment, parse_levels};
use stats::contest::{LAST_LOOK, LAST_LOOK_DEEP, LAST_LOOK_FAST};

use crate::arguments::{
    Common, Format, Processors, Rules, memory_bytes, one_of, parse_budget_ns, processors, whole,
};
use crate::bounded_text::own_text;
use crate::commands::host::volumes;
use crate::exit::Done;
use crate::measuring::{directories, run_request};
use crate::run_page::Shape;
use crate::{job, selection};

/// Measure which technique is fastest here
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
                  bakeoff run copy --sizes 4K..64M --cache cold\n  \
                  bakeoff run disk/mmap disk/read_write --set piece_bytes=4K,64K,1M\n  \
                  bakeoff run copy --command 'cp=cp {input} {output}'")]
pub(crate) struct Arguments {
    /// Families and techniques [default: all families]
    ///
    /// copy, copy/read_write, copy/read_write@64K for one value of its parameter, copy/cpW by its published name; copy/none for the
    /// commands alone. Or a job of your own: a TOML file that names the commands that compete.
    #[arg(value_name = "FAMILY[/TECHNIQUE]|JOB.toml")]
    names: Vec<String>,
    /// Which workloads; published also works as published: cold cache, five rounds of every published program
    #[arg(long, value_parser = one_of(Preset::ALL, Preset::word), default_value = "quick", hide_short_help = true)]
    preset: Preset,
    /// Sizes to measure: 64K, or a range 4K..1GiB
    ///
    /// A range doubles (4K..1GiB), multiplies (4K..1GiBx4) or adds (64K..1M+64K). Several sizes are the levels of a curve. Repeatable.
    #[arg(long = "size", visible_alias = "sizes", value_name = "SIZE", value_delimiter = ',', value_parser = levels, allow_negative_numbers = true)]
    sizes: Vec<Levels>,
    /// Work on copies of your own files; repeatable
    #[arg(long = "input", value_name = "PATH", hide_short_help = true, conflicts_with = "sizes")]
    inputs: Vec<PathBuf>,
    /// Change the workload ('bakeoff list FAMILY' names how)
    ///
    /// For example pattern=needle; repeatable. Several values of one number, as a list or a range like those of --size
    /// (threads=1..64, threads=1,8,64), are the levels of a curve.
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = parse_assignment)]
    axes: Vec<(String, String)>,
    /// The same as --set threads=N, or a range 1..8192
    // A negative number is answered as a number, and not as an option that does not exist.
    #[arg(long, hide_short_help = true, value_name = "N", allow_negative_numbers = true)]
    threads: Option<String>,
    /// Input in the file cache: warm (default), cold or both
    #[arg(long, value_parser = ["warm", "cold", "both"], hide_possible_values = true)]
    cache: Option<String>,
    /// Stop the clock when all is on the device
    #[arg(long)]
    durable: bool,
    /// Directory to work in; repeatable [default: .]
    #[arg(long = "dir", value_name = "DIR")]
    directories: Vec<PathBuf>,
    /// Logical processors to run on, e.g. 0 or 0,2-3
    #[arg(long, value_name = "LIST", value_parser = processors, hide_short_help = true)]
    processors: Option<Processors>,
    /// Enter a command of yours; repeatable
    ///
    /// For example 'cp=cp {input} {output}'. It is split into words as a shell does (Windows: as its programs do, so that
    /// backslashes stay), but no shell runs it.
    #[arg(long = "command", alias = "contender", value_name = "NAME=COMMAND")]
    commands: Vec<String>,
    /// A TOML file of `[[command]]` tables with name and command, a line to be split or a list of words
    #[arg(long, alias = "contenders-file", value_name = "FILE", hide_short_help = true)]
    commands_file: Option<PathBuf>,
    /// What is compared: work, process, cpu, user, system, memory, faults, switches, or what else a family measures
    /// ('bakeoff list FAMILY' names it) [default: what the family says, mostly work; process with commands]
    #[arg(long, value_name = "NAME", hide_short_help = true)]
    metric: Option<String>,
    // Its help reports the constants by which the budget is chosen.
    #[arg(long, value_name = "DURATION", value_parser = parse_budget_ns, help = "Time that the run may take", long_help = budget_help(), allow_negative_numbers = true)]
    budget: Option<u64>,
    /// Stop after N rounds at the latest [default: 100]
    #[arg(long, hide_short_help = true, value_name = "N", value_parser = whole::<u32>(3, 10_000), conflicts_with_all = ["fast", "deep"], allow_negative_numbers = true)]
    rounds: Option<u32>,
    /// Run at least N rounds
    #[arg(long, hide_short_help = true, value_name = "N", value_parser = whole::<u32>(3, 10_000), allow_negative_numbers = true)]
    min_rounds: Option<u32>,
    /// Stop after 20 rounds at the latest
    #[arg(long, hide_short_help = true, conflicts_with = "deep")]
    fast: bool,
    /// Stop after 200 rounds at the latest
    #[arg(long, hide_short_help = true)]
    deep: bool,
    /// Compare with this technique or command
    ///
    /// [default: each family's baseline]
    #[arg(long, alias = "reference", value_name = "NAME")]
    baseline: Option<String>,
    #[command(flatten)]
    rules: Rules,
    /// Seed of everything random [default: from the operating system]
    #[arg(long, hide_short_help = true, value_name = "N", value_parser = whole::<u64>(0, u64::MAX), allow_negative_numbers = true)]
    seed: Option<u64>,
    /// A process that runs longer counts as hanging; so does one that takes 50 times what it took at first, and over 10 s
    #[arg(long, hide_short_help = true, value_name = "DURATION", default_value = "60s", value_parser = parse_budget_ns, allow_negative_numbers = true)]
    time_limit: u64,
    /// Memory that a technique or command may take; in the family disk together with its part of the file cache
    #[arg(long, hide_short_help = true, value_name = "SIZE", value_parser = memory_bytes, allow_negative_numbers = true)]
    memory_limit: Option<u64>,
    /// Time commands until all that they have started has ended too, instead of failing one that leaves work behind
    #[arg(long, hide_short_help = true)]
    wait_for_children: bool,
    /// Print the plan and stop
    #[arg(long, conflicts_with_all = ["format", "verbose"])]
    dry_run: bool,
    /// Do not write the run's HTML page into the folder 'reports' next to the store
    #[arg(long, hide_short_help = true)]
    no_report: bool,
    /// Print text, markdown, json or html
    #[arg(long, value_enum, default_value_t, hide_possible_values = true)]
    format: Format,
    /// Print all contests, rows, spreads and remarks
    #[arg(long, short)]
    verbose: bool,
}

/// One size, or those of a range.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Levels(Vec<u64>);

fn levels(text: &str) -> Result<Levels, String> {
    parse_levels(text).map(Levels)
}

fn budget_help() -> String {
    format!(
        "Time that the run may take, everything included [default: {}, {} more for each further contest, more for large inputs or slow techniques]",
        model::format_ns(ONE_CONTEST_NS as f64).replace(' ', ""),
        model::format_ns(FURTHER_CONTEST_NS as f64).replace(' ', ""),
    )
}

pub(crate) fn run(arguments: &Arguments, common: &Common) -> Result<Done> {
    let start_ns = sys::clock::now_ns();
    let host = sys::host::describe();
    let directories = directories(&arguments.directories)?;
    let volumes = volumes(&directories)?;
    let request = request(arguments, directories, common)?;
    let shape = Shape {
        dry_run: arguments.dry_run,
        format: arguments.format,
        verbose: arguments.verbose,
        writes_page: !arguments.no_report,
    };
    let ran = run_request(&request, host, volumes, &shape, start_ns, common);
    Ok(match ran.map_err(|refused| with_short_form(refused, arguments.threads.as_deref()))? {
        None | Some((_, Ending::Complete)) => Done::Well,
        Some((_, Ending::Interrupted)) => Done::Interrupted,
    })
}

/// Every published figure is the mean of five runs.
const PUBLISHED_ROUNDS: u32 = 5;

/// Returns the number of rounds after which the run ends at the latest.
fn rounds(arguments: &Arguments) -> Result<u32> {
    let least = arguments.min_rounds.unwrap_or(0);
    let usual = match (arguments.rounds, arguments.fast, arguments.deep) {
        (Some(rounds), _, _) if rounds < least => {
            bail!(
                "--min-rounds {least} is more than --rounds {rounds}; take a smaller one, or leave --rounds out"
            )
        }
        (Some(rounds), _, _) => rounds,
        (None, false, false) if arguments.preset == Preset::Published => PUBLISHED_ROUNDS,
        (None, true, _) => LAST_LOOK_FAST,
        (None, _, true) => LAST_LOOK_DEEP,
        (None, false, false) => LAST_LOOK,
    };
    Ok(usual.max(least))
}

/// Returns the sizes, ascending and each once.
fn sizes(asked: &[Levels]) -> Result<Vec<u64>> {
    let mut sizes: Vec<u64> = asked.iter().flat_map(|levels| levels.0.iter().copied()).collect();
    sizes.sort_unstable();
    sizes.dedup();
    let many = sizes.len();
    if many > MOST_LEVELS {
        bail!("--size: these are {many} sizes, and a run takes at most {MOST_LEVELS}; leave some out");
    }
    Ok(sizes)
}

/// Returns the choices of `--set` and its short forms.
fn axes(arguments: &Arguments) -> Vec<(String, String)> {
    let threads = arguments.threads.iter().map(|text| ("threads".to_owned(), text.clone()));
    arguments.axes.iter().cloned().chain(threads).collect()
}

/// Returns the whole paths of the user's files; what they are is the family's business.
fn files(named: &[PathBuf]) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for file in named {
        let shown = file.display();
        let whole = dunce::canonicalize(file).with_context(|| format!("--input {shown}"))?;
        if whole.to_str().is_none() {
            bail!("--input {shown}: the name is not UTF-8, and reports could not hold it; rename it");
        }
        files.push(whole);
    }
    Ok(files)
}

fn request(arguments: &Arguments, directories: Vec<PathBuf>, common: &Common) -> Result<Request> {
    let has_commands = !arguments.commands.is_empty() || arguments.commands_file.is_some();
    let selections = match job::named(&arguments.names, has_commands)? {
        Some(path) => vec![job::selection(path, common)?],
        None => selection::select(&arguments.names)?,
    };
    let caches = match arguments.cache.as_deref() {
        Some("cold") => vec![Cache::Cold],
        Some("both") => vec![Cache::Warm, Cache::Cold],
        Some(_) => vec![Cache::Warm],
        None => Vec::new(),
    };
    for one in selections.iter().filter(|_| arguments.cache.is_some() && !arguments.names.is_empty()) {
        if let Some(own) = one.family.cache().filter(|own| caches != [*own]) {
            let family = one.family.name();
            bail!(
                "--cache: {family} always begins with a {own} cache; leave --cache out, or name other families"
            );
        }
    }
    let rounds = rounds(arguments)?;
    let mut request = Request {
        selections,
        preset: arguments.preset,
        sizes_bytes: sizes(&arguments.sizes)?,
        files: files(&arguments.inputs)?,
        axes: axes(arguments),
        caches,
        durabilities: vec![if arguments.durable { Durability::Durable } else { Durability::Returned }],
        directories,
        processors: arguments.processors.as_ref().map(|list| list.0.clone()).unwrap_or_default(),
        commands: commands(arguments)?,
        metric: arguments.metric.clone(),
        alpha: arguments.rules.alpha,
        alpha_is_shared: arguments.rules.alpha_report,
        delta: arguments.rules.delta,
        rounds,
        least_rounds: arguments.min_rounds.unwrap_or(0),
        untimed: Untimed::OfEachProgram,
        precision: None,
        waits_for_children: arguments.wait_for_children,
        baseline: arguments.baseline.clone(),
        budget_ns: arguments.budget.unwrap_or(ONE_CONTEST_NS),
        budget_stretches: arguments.budget.is_none(),
        time_limit_ns: arguments.time_limit,
        memory_limit_bytes: arguments.memory_limit,
        seed: arguments.seed.unwrap_or_else(sys::random::draw),
        workloads: Vec::new(),
        published: match arguments.preset {
            Preset::Published if arguments.sizes.is_empty() => findings::published::programs(),
            _ => Vec::new(),
        },
        question: None,
    };
    if arguments.names.is_empty() {
        let all = std::mem::take(&mut request.selections).into_iter();
        request.selections = all.filter(|one| measure::serves(one.family, &request)).collect();
    }
    Ok(request)
}

fn commands(arguments: &Arguments) -> Result<Vec<ExternalCommand>> {
    let mut commands = match &arguments.commands_file {
        Some(path) => {
            measure::read_commands(&own_text(path, "file of commands")?, &path.display().to_string())?
        }
        None => Vec::new(),
    };
    for text in &arguments.commands {
        commands.push(measure::parse_command(text)?);
    }
    Ok(commands)
}

/// `--threads N` is short for `--set threads=N`, and the library knows the long form only.
fn with_short_form(refused: anyhow::Error, threads: Option<&str>) -> anyhow::Error {
    let said = refused.to_string();
    match (threads, said.strip_prefix("--set threads=")) {
        (Some(_), Some(rest)) => anyhow::anyhow!("--threads {rest}"),
        _ => refused,
    }
}

#[cfg(test)]
mod tests {
    use anyhow::anyhow;
    use measure::{FURTHER_LEVEL_NS, SAME_WORK_LEVEL_NS, SESSION_CONTEST_NS};

    use super::*;

    #[test]
    fn help_and_options_state_the_default_budget() {
        let of_run = Arguments::augment_args(clap::Command::new("run")).render_long_help();
        let of_run = of_run.to_string().split_whitespace().collect::<Vec<_>>().join(" ");
        let seconds = |ns: u64| format!("{} s", ns as f64 / 1e9);
        let first = format!("[default: {}, {} more", seconds(ONE_CONTEST_NS), seconds(FURTHER_CONTEST_NS));
        assert!(of_run.contains(&first.replace(" s", "s")), "{of_run}");
        let options = include_str!("../../../../docs/options.md");
        let row = options.lines().find(|line| line.starts_with("| `--budget DURATION` |")).expect("a row");
        for part in [
            seconds(ONE_CONTEST_NS) + ", ",
            seconds(FURTHER_CONTEST_NS) + " more for each further contest",
            format!("({} where one process runs all techniques)", seconds(SESSION_CONTEST_NS)),
            seconds(FURTHER_LEVEL_NS) + " for each further level of a curve",
            format!("({} where the levels do the same work)", seconds(SAME_WORK_LEVEL_NS)),
        ] {
            assert!(row.contains(&part), "'{part}' is missing: {row}");
        }
    }

    #[test]
    fn a_short_form_that_was_typed_is_named_and_no_other() {
        for (refused, threads, said) in [
            ("--set threads=0", Some("0"), "--threads 0"),
            ("--set threads=0", None, "--set threads=0"),
            ("--set depth=0", Some("4"), "--set depth=0"),
        ] {
            let error = anyhow!("{refused}: a whole number from 1 on is expected");
            let said = format!("{said}: a whole number from 1 on is expected");
            assert_eq!(with_short_form(error, threads).to_string(), said);
        }
    }
}
