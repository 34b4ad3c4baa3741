//! `bakeoff time`: real, user and system time and memory of a command and all that it starts (timep).
//!
//! One command behind `--` runs once, as it would without this program. Commands to be compared are a job with nothing to
//! declare, and take the road of every run.

use std::ffi::OsString;

use anyhow::{Context, Result, bail};
use measure::word_for_a_shell;
use report::TimePage;
use sys::process::supervisor::Supervisor;
use sys::process::{Ended, Input, Launch, Output, Status, Survivors, shown_exit_code};

use crate::arguments::{Common, Format, TimeArguments};
use crate::commands::compare::compare;
use crate::exit::Done;
use crate::terminal::{print, remark, style};
use crate::{interruption, role};

pub(crate) fn time(arguments: &TimeArguments, common: &Common) -> Result<Done> {
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

impl TimeArguments {
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

    /// An option that says nothing about a single run.
    fn for_several_runs(&self) -> Option<&'static str> {
        let options = [
            ("--name", !self.names.is_empty()),
            ("--reference", self.reference.is_some()),
            ("--metric", self.metric.is_some()),
            ("--budget", self.budget.is_some()),
            ("--seed", self.seed.is_some()),
            ("--alpha-report", self.rules.alpha_report),
        ];
        options.into_iter().find(|(_, is_given)| *is_given).map(|(option, _)| option)
    }
}

/// A single run: its streams are those of this program, and what it leaves running goes on.
fn once(arguments: &TimeArguments, common: &Common) -> Result<Done> {
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
    let own = std::env::current_exe().context("the program's own file is not known")?;
    let mut supervisor = Supervisor::start(own.as_os_str(), &[role::SUPERVISOR.into()])
        .context("the process that starts all others cannot be started")?;
    // A control group counts even descendants that no process waits for.
    let ended = supervisor.run_in_group(&launch(arguments, program), &interrupted)?;
    let failures = failures(&ended, arguments.ignore_failure);
    let page = page(arguments, &ended, &failures);
    print(&match arguments.format {
        Format::Text => report::text::time(&page, &style(common, true)),
        Format::Markdown => report::markdown::time(&page),
        Format::Html => report::html::time(&page),
        Format::Json => serde_json::to_string_pretty(&report::json::time(&page))?,
    })?;
    Ok(match (&ended.status, failures.is_empty()) {
        (Status::Cancelled, _) => Done::Interrupted,
        (_, true) => Done::Well,
        (_, false) => Done::NotHeld,
    })
}

/// A shell that reads this program's command line leaves such a word to the command only where it is quoted.
fn warn_of_a_shells_word(arguments: &TimeArguments, common: &Common) {
    let words: Vec<String> = arguments.words.iter().map(|word| word.to_string_lossy().into_owned()).collect();
    if let (Some(word), Some(program)) = (word_for_a_shell(&words), words.first()) {
        remark(
            common,
            &format!(
                "bakeoff: warning: '{word}' reaches {program} as an argument, since no shell reads the command; \
                 --shell runs a command in quotes in a shell"
            ),
        );
    }
}

fn launch(arguments: &TimeArguments, program: &OsString) -> Launch {
    Launch {
        arguments: arguments.words[1..].to_vec(),
        processors: arguments.processors.as_ref().map(|list| list.0.clone()).unwrap_or_default(),
        input: Input::Inherit,
        output: Output::Inherit,
        time_limit_ns: arguments.time_limit,
        memory_limit_bytes: arguments.memory_limit,
        linger_ns: arguments.linger,
        survivors: Survivors::Leave,
        ..Launch::new(program.clone())
    }
}

fn failures(ended: &Ended, any_exit_is_good: bool) -> Vec<String> {
    let mut failures = Vec::new();
    match &ended.status {
        Status::Exit(code) if *code == 0 || any_exit_is_good => {}
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
    }
    failures
}

fn page(arguments: &TimeArguments, ended: &Ended, failures: &[String]) -> TimePage {
    let shown: Vec<String> = arguments.words.iter().map(|word| word.to_string_lossy().into_owned()).collect();
    let over = ended.status != Status::Cancelled;
    TimePage {
        command: shown.join(" "),
        real_ns: over.then_some(ended.elapsed_ns),
        user_ns: ended.usage.user_ns.filter(|_| over),
        system_ns: ended.usage.system_ns.filter(|_| over),
        peak_memory_bytes: ended.usage.peak_memory_bytes.filter(|_| over),
        counted_by: over.then(|| ended.counted_by.clone()),
        failures: failures.to_vec(),
    }
}
