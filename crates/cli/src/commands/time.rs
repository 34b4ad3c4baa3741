//! `bakeoff time`: real, user and system time and memory of a command and all that it starts (timep).

use std::ffi::OsString;
use std::sync::atomic::AtomicBool;

use anyhow::{Context, Result, bail};
use judge::{Observation, Options};
use report::{Spread, TimePage, TimedCommand};
use sys::process::supervisor::Supervisor;
use sys::process::{Ended, Input, Launch, Output, Status, Survivors, shown_exit_code};

use crate::arguments::{Common, Format, TimeArguments};
use crate::commands::run::watch_for_interrupts;
use crate::exit::Done;
use crate::role;
use crate::terminal::{print, remark, style};

/// A command with what its runs have shown.
struct Timed {
    shown: String,
    words: Vec<OsString>,
    runs: Vec<Ended>,
    failures: Vec<String>,
}

pub(crate) fn time(arguments: &TimeArguments, common: &Common) -> Result<Done> {
    let mut commands = commands(arguments)?;
    let interrupted = watch_for_interrupts(None)?;
    let program = std::env::current_exe().context("the program's own file is not known")?;
    let mut supervisor = Supervisor::start(program.as_os_str(), &[role::SUPERVISOR.into()])
        .context("the process that starts all others cannot be started")?;
    let several = arguments.runs > 1 || commands.len() > 1;
    let stopped = match several {
        true => run_series(&mut commands, &mut supervisor, arguments, &interrupted)?,
        false => run_once(&mut commands[0], &mut supervisor, arguments, &interrupted)?,
    };
    let page = page(&commands, arguments);
    print(&match arguments.format {
        Format::Text => report::text::time(&page, &style(common, true)),
        Format::Markdown => report::markdown::time(&page),
        Format::Json => serde_json::to_string_pretty(&report::json::time(&page))?,
    })?;
    if stopped {
        return Ok(Done::Interrupted);
    }
    let failed = commands.iter().any(|command| !command.failures.is_empty());
    if failed && several {
        remark(common, "bakeoff: some runs failed; see above");
    }
    Ok(if failed { Done::NotHeld } else { Done::Well })
}

fn commands(arguments: &TimeArguments) -> Result<Vec<Timed>> {
    let mut commands = Vec::new();
    for text in &arguments.commands {
        let words = sys::command_line::split(text)
            .with_context(|| format!("a quotation mark is not closed in '{text}'"))?;
        commands.push(Timed::new(text.clone(), words.into_iter().map(OsString::from).collect())?);
    }
    if !arguments.words.is_empty() {
        let shown: Vec<String> =
            arguments.words.iter().map(|word| word.to_string_lossy().into_owned()).collect();
        commands.push(Timed::new(shown.join(" "), arguments.words.clone())?);
    }
    if commands.is_empty() {
        bail!(
            "no command; for example: bakeoff time -n 20 -- cp a b, or bakeoff time -n 20 'cp a b' 'dd if=a of=b'"
        );
    }
    Ok(commands)
}

impl Timed {
    fn new(shown: String, words: Vec<OsString>) -> Result<Self> {
        if words.first().is_none_or(|program| program.is_empty()) {
            bail!("the command '{shown}' is empty");
        }
        Ok(Self { shown, words, runs: Vec::new(), failures: Vec::new() })
    }

    fn launch(&self, arguments: &TimeArguments, several: bool) -> Launch {
        let quiet = several && !arguments.show_output;
        Launch {
            arguments: self.words[1..].to_vec(),
            processors: arguments.processors.as_ref().map(|list| list.0.clone()).unwrap_or_default(),
            input: if quiet { Input::Null } else { Input::Inherit },
            output: if quiet { Output::Drain } else { Output::Inherit },
            time_limit_ns: arguments.time_limit,
            linger_ns: arguments.linger,
            survivors: Survivors::Leave,
            ..Launch::new(self.words[0].clone())
        }
    }

    fn note_failures(&mut self, run: &str, ended: &Ended) {
        match &ended.status {
            Status::Exit(0) | Status::Cancelled => {}
            Status::Exit(code) => {
                self.failures.push(format!("{run} ended with exit code {}", shown_exit_code(*code)));
            }
            Status::Signal { name, .. } => self.failures.push(format!("{run} was killed by {name}")),
            Status::TimedOut => self.failures.push(format!("{run} was killed at its time limit")),
            Status::FileTooLong => {
                self.failures.push(format!("{run} was killed when its output was too long"))
            }
        }
        if ended.survivors > 0 {
            self.failures.push(format!(
                "{} of its descendants still run; what they use from now on is not counted (--linger waits longer)",
                ended.survivors
            ));
        }
    }
}

/// Runs all commands in turn; says whether the user interrupted it. The first round warms up and is not timed.
fn run_series(
    commands: &mut [Timed],
    supervisor: &mut Supervisor,
    arguments: &TimeArguments,
    interrupted: &AtomicBool,
) -> Result<bool> {
    let seed = sys::random::draw();
    let launches: Vec<Launch> = commands.iter().map(|command| command.launch(arguments, true)).collect();
    let rounds = 0..=arguments.runs;
    let order: Vec<usize> = rounds.flat_map(|round| measure::order(seed, 0, round, launches.len())).collect();
    // A control group would count even descendants that are not waited for. Making one disturbs a series of short runs.
    let series = supervisor.run_series(&launches, &order, interrupted)?;
    for (nth, (place, ended)) in order.into_iter().zip(series).enumerate() {
        if ended.status == Status::Cancelled {
            return Ok(true);
        }
        let command = &mut commands[place];
        let timed = nth >= launches.len();
        let run =
            if timed { format!("run {}", command.runs.len() + 1) } else { "the untimed run".to_owned() };
        command.note_failures(&run, &ended);
        if timed {
            command.runs.push(ended);
        }
    }
    Ok(false)
}

/// Runs a command once; says whether the user interrupted it.
fn run_once(
    command: &mut Timed,
    supervisor: &mut Supervisor,
    arguments: &TimeArguments,
    interrupted: &AtomicBool,
) -> Result<bool> {
    let ended = supervisor.run_in_group(&command.launch(arguments, false), interrupted)?;
    if ended.status == Status::Cancelled {
        return Ok(true);
    }
    command.note_failures("run 1", &ended);
    command.runs.push(ended);
    Ok(false)
}

fn page(commands: &[Timed], arguments: &TimeArguments) -> TimePage {
    let ranking = (commands.len() > 1).then(|| {
        let observations: Vec<Observation> = commands
            .iter()
            .flat_map(|command| {
                let rounds = command.runs.iter().enumerate();
                rounds.map(|(round, run)| {
                    let value =
                        if run.status == Status::Exit(0) { run.elapsed_ns as f64 } else { f64::INFINITY };
                    let quantity = Some(model::Quantity::PROCESS);
                    Observation { quantity, ..Observation::new(round as u32, command.shown.clone(), value) }
                })
            })
            .collect();
        let options = Options {
            alpha: arguments.rules.alpha,
            alpha_report: arguments.rules.alpha_report,
            delta: arguments.rules.delta,
            ..Options::default()
        };
        ::judge::rank_observations(&observations, &options)
    });
    TimePage {
        commands: commands.iter().map(timed_command).collect(),
        ranking: ranking.and_then(|rankings| rankings.into_iter().next()),
    }
}

fn timed_command(command: &Timed) -> TimedCommand {
    let of = |value: fn(&Ended) -> Option<u64>| spread(command.runs.iter().map(value).collect());
    TimedCommand {
        command: command.shown.clone(),
        runs: command.runs.len() as u32,
        real: of(|run| Some(run.elapsed_ns)),
        user: of(|run| run.usage.user_ns),
        system: of(|run| run.usage.system_ns),
        peak_memory_bytes: command.runs.iter().filter_map(|run| run.usage.peak_memory_bytes).max(),
        counted_by: command.runs.last().map(|run| run.counted_by.clone()),
        failures: command.failures.clone(),
    }
}

/// `None` when there is no run, or when the system cannot tell.
fn spread(values: Option<Vec<u64>>) -> Option<Spread> {
    let values: Vec<f64> = values?.into_iter().map(|ns| ns as f64).collect();
    Some(Spread {
        mean_ns: values.iter().sum::<f64>() / values.len() as f64,
        median_ns: stats::median(&values)?,
        min_ns: values.iter().copied().reduce(f64::min)?,
        max_ns: values.iter().copied().reduce(f64::max)?,
    })
}
