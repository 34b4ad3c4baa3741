//! Commands that were typed, compared with each other: a job with nothing to declare.

use std::ffi::OsString;

use anyhow::{Context, Result, anyhow, bail};
use clap::Parser;
use measure::{Ending, Request, TypedCommands, Untimed, scan_of_list, scan_of_range};
use model::{Cache, Durability, Preset, Record};
use report::hyperfine::Typed;

use crate::arguments::{Arguments, Command, Common, TimeArguments};
use crate::catalogue::catalogue;
use crate::commands::run::{Shape, run_request};
use crate::exit::Done;
use crate::export_format::export_text;
use crate::job;
use crate::terminal::remark;
use crate::whole_file::write_whole;

/// Time for each command when none is named, and the least for all.
const BUDGET_NS: u64 = 5_000_000_000;
const LEAST_BUDGET_NS: u64 = 10_000_000_000;
/// Runs of each command before anything is decided.
const LEAST_RUNS: u32 = 10;

pub(crate) fn compare(arguments: &TimeArguments, common: &Common) -> Result<Done> {
    let start_ns = sys::clock::now_ns();
    let typed = typed(arguments)?;
    let here = std::env::current_dir().context("the current directory is not known")?;
    if here.to_str().is_none() {
        bail!(
            "the name of the current directory is not UTF-8, and reports could not hold it; work in another"
        );
    }
    let read = typed.job(here)?;
    // What is measured must not find the folder that measuring takes.
    let scratch = dunce::canonicalize(std::env::temp_dir()).context("the folder for temporary files")?;
    let volumes = vec![sys::host::volume(&scratch)?];
    let commands = read.job.techniques.len() as u64;
    let least_rounds = arguments.runs.or(arguments.min_runs).unwrap_or(LEAST_RUNS);
    let request = Request {
        selections: vec![job::selected(read, common)],
        preset: Preset::Quick,
        sizes_bytes: Vec::new(),
        files: Vec::new(),
        axes: Vec::new(),
        caches: vec![Cache::Warm],
        durabilities: vec![Durability::Returned],
        directories: vec![scratch],
        processors: arguments.processors.as_ref().map(|list| list.0.clone()).unwrap_or_default(),
        contenders: Vec::new(),
        metric: arguments.metric.clone(),
        alpha: arguments.rules.alpha,
        alpha_is_shared: arguments.rules.alpha_report,
        delta: arguments.rules.delta,
        rounds: arguments.runs.unwrap_or(stats::contest::LAST_LOOK.max(least_rounds)),
        least_rounds,
        untimed: Untimed::Each(arguments.warmup.unwrap_or(0)),
        reference: arguments.reference.clone(),
        budget_ns: arguments.budget.unwrap_or((commands * BUDGET_NS).max(LEAST_BUDGET_NS)),
        budget_stretches: arguments.budget.is_none(),
        time_limit_ns: arguments.time_limit.unwrap_or(u64::MAX),
        memory_limit_bytes: arguments.memory_limit,
        seed: arguments.seed.unwrap_or_else(sys::random::draw),
        question: None,
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

fn typed(arguments: &TimeArguments) -> Result<TypedCommands> {
    let mut axes = Vec::new();
    for (pairs, read) in
        [(&arguments.lists, scan_of_list as fn(&str, &str) -> _), (&arguments.ranges, scan_of_range)]
    {
        for pair in pairs.chunks_exact(2) {
            axes.push(read(&pair[0], &pair[1])?);
        }
    }
    let word = |word: &OsString| {
        let text = word.to_str().map(str::to_owned);
        let shown = word.to_string_lossy();
        text.ok_or_else(|| {
            anyhow!("'{shown}' is not UTF-8, and reports could not hold it; without -n it can be timed once")
        })
    };
    let typed = TypedCommands {
        lines: arguments.commands.clone(),
        words: arguments.words.iter().map(word).collect::<Result<_>>()?,
        names: arguments.names.clone(),
        axes,
        shell: arguments.shell,
        ignore_failure: arguments.ignore_failure,
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

/// What the commands of a kept comparison were called with: the record holds its command line, and what it was read as in no
/// other form.
pub(crate) fn typed_again(record: &Record) -> Typed {
    let read = Arguments::try_parse_from(&record.command).map(|arguments| arguments.command);
    let typed = match read {
        Ok(Command::Time(arguments)) => typed(&arguments).ok(),
        _ => None,
    };
    typed.map_or_else(Typed::default, |typed| Typed {
        points: typed.points().unwrap_or_default(),
        any_exit: typed.ignore_failure,
    })
}

fn export(arguments: &TimeArguments, record: &Record, common: &Common) -> Result<()> {
    if arguments.exports.files().next().is_none() {
        return Ok(());
    }
    let decided = ::judge::decide(record, &catalogue());
    for (path, format) in arguments.exports.files() {
        let text = export_text(record, &decided, format, common)?;
        write_whole(path, &text).with_context(|| format!("{} cannot be written", path.display()))?;
    }
    Ok(())
}
