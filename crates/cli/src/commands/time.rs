//! `bakeoff time`: real, user and system time and memory of a command and all that it starts (timep).
//!
//! One command behind `--` runs once, as it would without this program. Commands to be compared are a job with nothing to
//! declare, and take the road of every run.

use std::ffi::OsString;
use std::{fs, io};

use anyhow::{Context, Result, anyhow, bail};
use clap::{Args, Parser, ValueEnum};
use families::GoodExits;
use measure::{Ending, Request, TypedCommands, Untimed, scan_of_list, scan_of_range, word_for_a_shell};
use model::{Record, format_long_ns, parse_duration_ns};
use report::TimePage;
use report::hyperfine::Typed;
use sys::process::{Ended, Input, Launch, Output, Status, Survivors, shown_exit_code};

use crate::arguments::{
    Common, Exports, Format, Processors, Rules, margin, memory_bytes, parse_budget_ns, processors, whole,
};
use crate::commands::Command;
use crate::exit::Done;
use crate::export_text::export_text;
use crate::measuring::run_request;
use crate::paths::{self, folder_of, target};
use crate::run_page::Shape;
use crate::terminal::{remark, say, style};
use crate::whole_file::write_whole;
use crate::{CommandLine, hints, interruption, job, role};

/// Compare commands, or time one
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
                  bakeoff time 'gzip -k -c f' 'zstd -c f'       compares commands, each in quotes\n  \
                  bakeoff time -L level 1,3,9 'zstd -{level} f' compares one command at several values\n  \
                  bakeoff time -- make                          times one command once, and leaves its output alone")]
pub(crate) struct Arguments {
    /// Commands in quotes
    ///
    /// They are split into words as a shell does (Windows: as its programs do, so that backslashes stay), but no shell runs them.
    #[arg(value_name = "COMMAND")]
    commands: Vec<String>,
    /// Run each command N times [default: at least 10]
    ///
    /// The commands take turns. One run of each before that is not counted.
    #[arg(short = 'n', long, value_name = "N", value_parser = whole::<u32>(1, 10_000))]
    runs: Option<u32>,
    /// Run each command at least N times, and further until the answer is clear or the time is up
    #[arg(short, long, hide_short_help = true, value_name = "N", value_parser = whole::<u32>(1, 10_000), conflicts_with = "runs")]
    min_runs: Option<u32>,
    /// Run each command N more times before, untimed
    #[arg(short, long, value_name = "N", value_parser = whole::<u32>(0, 10_000))]
    warmup: Option<u32>,
    /// Run this before each timed run
    ///
    /// One for all commands, or one for each.
    #[arg(short, long, value_name = "COMMAND")]
    prepare: Vec<String>,
    /// Run this for each command before the first run
    #[arg(short, long, hide_short_help = true, value_name = "COMMAND")]
    setup: Option<String>,
    /// Run this for each command after the last run
    #[arg(short, long, hide_short_help = true, value_name = "COMMAND")]
    cleanup: Option<String>,
    /// Run the commands in a shell (sh -c; Windows: cmd /C)
    ///
    /// A note says how long the shell takes to start; that stays in the times.
    #[arg(short = 'S', long)]
    shell: bool,
    /// Compare a command at each value of a list; repeatable
    ///
    /// -L level 1,3,9 'zstd -{level} f'
    #[arg(short = 'L', long = "parameter-list", value_names = ["NAME", "VALUES"], num_args = 2, allow_hyphen_values = true)]
    lists: Vec<String>,
    /// Compare a command at each number of a range; repeatable
    ///
    /// -P threads 1..8, or with a step behind a colon, 1..8:2
    #[arg(short = 'P', long = "parameter-scan", value_names = ["NAME", "RANGE"], num_args = 2, allow_hyphen_values = true)]
    ranges: Vec<String>,
    /// Name a command, in the order of the commands; repeatable
    #[arg(long = "name", hide_short_help = true, value_name = "NAME")]
    names: Vec<String>,
    /// Accept any exit code, or these: -i=1,2
    #[arg(short, long, value_name = "CODES", num_args = 0..=1, require_equals = true, default_missing_value = "any", value_parser = good_exits)]
    ignore_failure: Option<GoodExits>,
    /// Let the commands' output through even when they run several times
    #[arg(long, hide_short_help = true)]
    show_output: bool,
    #[command(flatten)]
    exports: Exports,
    /// Compare with this command [default: the first]
    #[arg(long, hide_short_help = true, alias = "reference", value_name = "NAME")]
    baseline: Option<String>,
    /// What is compared: process, cpu, user, system, memory, faults or switches [default: process]
    #[arg(long, hide_short_help = true, value_name = "NAME")]
    metric: Option<String>,
    /// Measure two to four commands until their factors are known within this
    #[arg(long, hide_short_help = true, value_name = "LIMIT", default_value = "10%", value_parser = margin)]
    precision: f64,
    /// Time that all may take [default: 3s a command]
    ///
    /// More where 10 runs take longer.
    #[arg(long, value_name = "DURATION", value_parser = parse_budget_ns)]
    budget: Option<u64>,
    /// After this long a command is killed with all that it started
    #[arg(long, hide_short_help = true, value_name = "DURATION", value_parser = parse_budget_ns)]
    time_limit: Option<u64>,
    /// Memory that a command may take
    #[arg(long, hide_short_help = true, value_name = "SIZE", value_parser = memory_bytes)]
    memory_limit: Option<u64>,
    /// Time each command until all that it has started has ended too
    ///
    /// Else a command that leaves work behind has failed.
    #[arg(long, hide_short_help = true, conflicts_with = "linger")]
    wait_for_children: bool,
    /// How long to wait for descendants that outlive a single run [default: 5s]
    #[arg(long, hide_short_help = true, value_name = "DURATION", value_parser = parse_duration_ns)]
    linger: Option<u64>,
    /// Logical processors to run on, e.g. 0 or 0,2-3
    #[arg(long, hide_short_help = true, value_name = "LIST", value_parser = processors)]
    processors: Option<Processors>,
    /// Seed of everything random [default: from the operating system]
    #[arg(long, hide_short_help = true, value_name = "N", value_parser = whole::<u64>(0, u64::MAX))]
    seed: Option<u64>,
    /// Print text, markdown, json or html
    #[arg(long, value_enum, default_value_t, hide_possible_values = true)]
    format: Format,
    /// Print all rows, spreads and remarks
    #[arg(long, short)]
    verbose: bool,
    #[command(flatten)]
    rules: Rules,
    /// One command with its arguments
    #[arg(last = true, hide_short_help = true, value_name = "CMD")]
    words: Vec<OsString>,
}

/// Time for descendants of a single run when none is named.
const LINGER_NS: u64 = 5_000_000_000;
/// Time for each command when none is named.
const BUDGET_NS: u64 = 3_000_000_000;
/// The factors of more commands are not worth the time of those that are slower.
const MOST_PRECISE: u64 = 4;
/// Runs of each command before anything is decided.
const LEAST_RUNS: u32 = 10;

pub(crate) fn run(arguments: &Arguments, common: &Common) -> Result<Done> {
    if arguments.shell && !arguments.words.is_empty() {
        bail!("--shell reads commands in quotes: bakeoff time --shell 'a | b'");
    }
    if arguments.asks_for_more_than_one_run() {
        return compare(arguments, common);
    }
    if let Some(option) = arguments.for_several_runs().filter(|_| !arguments.words.is_empty()) {
        bail!("{option} is for several runs; add -n 10");
    }
    once(arguments, common)
}

impl Arguments {
    fn asks_for_more_than_one_run(&self) -> bool {
        !self.commands.is_empty()
            || self.runs.is_some()
            || self.min_runs.is_some()
            || self.warmup.is_some()
            || !(self.lists.is_empty() && self.ranges.is_empty())
            || !self.prepare.is_empty()
            || [&self.setup, &self.cleanup].into_iter().any(Option::is_some)
            || self.exports.files().next().is_some()
    }

    fn good_exits(&self) -> GoodExits {
        self.ignore_failure.clone().unwrap_or_default()
    }

    /// An option that says nothing about a single run.
    fn for_several_runs(&self) -> Option<&'static str> {
        let usual = model::Design::usual(Vec::new());
        let options = [
            ("--name", !self.names.is_empty()),
            ("--baseline", self.baseline.is_some()),
            ("--metric", self.metric.is_some()),
            ("--budget", self.budget.is_some()),
            ("--seed", self.seed.is_some()),
            ("--alpha", self.rules.alpha != usual.alpha),
            ("--alpha-report", self.rules.alpha_report),
            ("--tolerance", self.rules.delta != usual.delta),
            ("--show-output", self.show_output),
            ("--verbose", self.verbose),
        ];
        options.into_iter().find(|(_, is_given)| *is_given).map(|(option, _)| option)
    }
}

fn good_exits(text: &str) -> Result<GoodExits, String> {
    if text == "any" {
        return Ok(GoodExits::Any);
    }
    let codes = text.split(',').map(|code| code.trim().parse().ok()).collect::<Option<Vec<i32>>>();
    codes.map(GoodExits::And).ok_or_else(|| "exit codes are whole numbers, for example -i=1,2".to_owned())
}

/// A single run: its streams are those of this program, and what it leaves running goes on.
fn once(arguments: &Arguments, common: &Common) -> Result<Done> {
    let Some(program) = arguments.words.first() else {
        bail!(
            "no command; for example: bakeoff time -- cp a b, or bakeoff time 'cp a b' 'dd if=a of=b' to compare two"
        );
    };
    if program.is_empty() {
        bail!("the command is empty; for example: bakeoff time -- cp a b");
    }
    warn_of_a_shells_word(arguments, common);
    let interrupted = interruption::watch(None)?;
    let (_, mut supervisor) = role::supervisor()?;
    // A control group counts even descendants that no process waits for.
    let ended = supervisor.run_in_group(&launch(arguments, program), &interrupted)?;
    let failures = failures(&ended, arguments);
    let page = page(arguments, &ended, &failures);
    // Standard output is the command's own.
    let plain = report::Style { color: false, ..style(common, true) };
    say(report::render(&page, arguments.format.into(), &plain).trim_end());
    Ok(match (&ended.status, failures.is_empty()) {
        (Status::Cancelled, _) => Done::Interrupted,
        (_, true) => Done::Well,
        (_, false) => Done::NotHeld,
    })
}

/// A shell that reads this program's command line leaves such a word to the command only where it is quoted.
fn warn_of_a_shells_word(arguments: &Arguments, common: &Common) {
    let words: Vec<String> = arguments.words.iter().map(|word| word.to_string_lossy().into_owned()).collect();
    if let (Some(word), Some(program)) = (word_for_a_shell(&words), words.first()) {
        let said = format!("'{word}' reaches {program} as an argument, since no shell reads the command");
        remark(common, &format!("bakeoff: warning: {said}; --shell runs a command in quotes in a shell"));
    }
}

fn launch(arguments: &Arguments, program: &OsString) -> Launch {
    Launch {
        arguments: arguments.words[1..].to_vec(),
        processors: arguments.processors.as_ref().map(|list| list.0.clone()).unwrap_or_default(),
        input: Input::Inherit,
        output: Output::Inherit,
        time_limit_ns: arguments.time_limit,
        memory_limit_bytes: arguments.memory_limit,
        linger_ns: if arguments.wait_for_children { u64::MAX } else { arguments.linger.unwrap_or(LINGER_NS) },
        survivors: Survivors::Leave,
        ..Launch::new(program.clone())
    }
}

fn failures(ended: &Ended, arguments: &Arguments) -> Vec<String> {
    let mut failures = Vec::new();
    match &ended.status {
        Status::Exit(code) if arguments.good_exits().accept(*code) => {}
        Status::Cancelled => {}
        Status::Exit(code) => failures.push(format!("it ended with exit code {}", shown_exit_code(*code))),
        Status::Signal { name, .. } => failures.push(format!("it was killed by {name}")),
        Status::TimedOut => failures.push("it was killed at its time limit".to_owned()),
        Status::MemorySpent { .. } => failures.push("it was killed because its memory was spent".to_owned()),
        Status::FileTooLong => failures.push("it was killed when its output was too long".to_owned()),
    }
    if ended.survivors > 0 {
        failures.push(format!(
            "{} of its descendants still run; what they use from now on is not counted (--linger waits longer)",
            ended.survivors
        ));
    } else if !arguments.wait_for_children && arguments.linger.is_none() && ended.has_left_work() {
        failures.push(format!(
            "what it had started ended {} after it; --wait-for-children times that too",
            format_long_ns(ended.longer_ns)
        ));
    }
    failures
}

fn page(arguments: &Arguments, ended: &Ended, failures: &[String]) -> TimePage {
    let shown: Vec<String> = arguments.words.iter().map(|word| word.to_string_lossy().into_owned()).collect();
    let over = ended.status != Status::Cancelled;
    TimePage {
        command: shown.join(" "),
        real_ns: over.then(|| ended.whole_ns(arguments.wait_for_children)),
        user_ns: ended.usage.user_ns.filter(|_| over),
        system_ns: ended.usage.system_ns.filter(|_| over),
        peak_memory_bytes: ended.usage.peak_memory_bytes.filter(|_| over),
        counted_by: over.then(|| ended.counted_by.clone()),
        failures: failures.to_vec(),
    }
}

/// Compares commands with each other: a job with nothing to declare.
fn compare(arguments: &Arguments, common: &Common) -> Result<Done> {
    let start_ns = sys::clock::now_ns();
    if arguments.linger.is_some() {
        bail!("--linger is for a single run; leave it out");
    }
    check_exports(&arguments.exports)?;
    let typed = typed(arguments)?;
    let here = std::env::current_dir().context("the current directory is not known")?;
    if here.to_str().is_none() {
        bail!(
            "the name of the current directory is not UTF-8, and reports could not hold it; work in another"
        );
    }
    let read = typed.job(here).map_err(|error| match hints::of_missing_program(&arguments.commands) {
        Some(hint) if error.to_string().contains("there is no program") => anyhow!("{error}; {hint}"),
        _ => error.into(),
    })?;
    // What is measured must not find the folder that measuring takes.
    let scratch = dunce::canonicalize(std::env::temp_dir()).context("the folder for temporary files")?;
    let volumes = vec![sys::host::volume(&scratch)?];
    let commands = read.job.techniques.len() as u64;
    let least_rounds = arguments.runs.or(arguments.min_runs).unwrap_or(LEAST_RUNS);
    let seed = arguments.seed.unwrap_or_else(sys::random::draw);
    let request = Request {
        directories: vec![scratch],
        processors: arguments.processors.as_ref().map(|list| list.0.clone()).unwrap_or_default(),
        metric: arguments.metric.clone(),
        alpha: arguments.rules.alpha,
        alpha_is_shared: arguments.rules.alpha_report,
        delta: arguments.rules.delta,
        rounds: arguments.runs.unwrap_or(stats::contest::LAST_LOOK.max(least_rounds)),
        least_rounds,
        untimed: Untimed::Each(arguments.warmup.unwrap_or(0)),
        waits_for_children: arguments.wait_for_children,
        baseline: arguments.baseline.clone(),
        precision: (commands <= MOST_PRECISE).then_some(arguments.precision),
        budget_ns: arguments.budget.unwrap_or(commands * BUDGET_NS),
        budget_stretches: arguments.budget.is_none(),
        time_limit_ns: arguments.time_limit.unwrap_or(u64::MAX),
        memory_limit_bytes: arguments.memory_limit,
        ..Request::usual(vec![job::selected(read, common)], seed)
    };
    let shape =
        Shape { dry_run: false, format: arguments.format, verbose: arguments.verbose, writes_page: false };
    let host = sys::host::describe();
    let Some((record, ending)) = run_request(&request, host, volumes, &shape, start_ns, common)? else {
        return Ok(Done::Well);
    };
    export(arguments, &record, common)?;
    if ending == Ending::Interrupted {
        return Ok(Done::Interrupted);
    }
    let mut failures = record.trials.iter().flat_map(|trial| &trial.failures);
    let failed = failures.any(|one| !one.kind.is_by_plan());
    if failed {
        remark(common, "bakeoff: some runs failed; see above (-i accepts any exit code)");
    }
    Ok(if failed { Done::NotHeld } else { Done::Well })
}

fn typed(arguments: &Arguments) -> Result<TypedCommands> {
    let mut axes = Vec::new();
    for (pairs, read) in
        [(&arguments.lists, scan_of_list as fn(&str, &str) -> _), (&arguments.ranges, scan_of_range)]
    {
        for pair in pairs.chunks_exact(2) {
            axes.push(read(&pair[0], &pair[1])?);
        }
    }
    let words = arguments.words.iter().map(|word| {
        word.to_str().map(str::to_owned).with_context(|| {
            let shown = word.to_string_lossy();
            format!("'{shown}' is not UTF-8, and reports could not hold it; without -n it can be timed once")
        })
    });
    let typed = TypedCommands {
        lines: arguments.commands.clone(),
        words: words.collect::<Result<_>>()?,
        names: arguments.names.clone(),
        axes,
        shell: arguments.shell,
        good_exits: arguments.good_exits(),
        prepare: arguments.prepare.clone(),
        setup: arguments.setup.clone(),
        cleanup: arguments.cleanup.clone(),
        show_output: arguments.show_output,
    };
    if typed.lines.is_empty() && typed.words.is_empty() {
        bail!(
            "no command; for example: bakeoff time 'cp a b' 'dd if=a of=b', or bakeoff time -n 20 -- cp a b"
        );
    }
    Ok(typed)
}

/// Reads what the commands of a kept comparison were called with: the record holds its command line, and what it was read as in no
/// other form.
pub(crate) fn typed_again(record: &Record) -> Typed {
    let read = CommandLine::try_parse_from(&record.command).map(|line| line.command);
    let typed = match read {
        Ok(Command::Time(arguments)) => typed(&arguments).ok(),
        _ => None,
    };
    typed.map_or_else(Typed::default, |typed| Typed {
        points: typed.points(),
        any_exit: typed.good_exits != GoodExits::Zero,
    })
}

/// Refuses files that could not be written once all is measured.
fn check_exports(exports: &Exports) -> Result<()> {
    for (path, _) in exports.files() {
        let tried = match fs::metadata(path) {
            Ok(there) if there.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
            // A pipe or a device is written to as it is.
            Ok(there) if !there.is_file() => Ok(()),
            _ => tempfile::tempfile_in(folder_of(&target(path))).map(drop),
        };
        tried.with_context(|| format!("{} cannot be written", path.display()))?;
    }
    Ok(())
}

/// Writes all exports that can be written. Errors: the first that could not.
fn export(arguments: &Arguments, record: &Record, common: &Common) -> Result<()> {
    if arguments.exports.files().next().is_none() {
        return Ok(());
    }
    let decided = judge::decide(record);
    let typed_words = typed_again(record);
    let mut first = Ok(());
    for (path, format) in arguments.exports.files() {
        let written = export_text(record, &decided, format, &typed_words, common)
            .and_then(|text| write_whole(path, &text))
            .with_context(|| {
                let name = format.to_possible_value().map(|value| value.get_name().to_owned());
                let again =
                    format!("export {} --format {} --output FILE", record.id, name.unwrap_or_default());
                let (shown, again) = (path.display(), paths::typed(&again, common));
                format!("{shown} cannot be written; the run is kept, and '{again}' writes it")
            });
        first = first.and(written);
    }
    first
}
