//! The command line of `bakeoff time`.

use std::ffi::OsString;

use clap::Args;
use model::parse_duration_ns;

use super::{Format, Processors, Rules, memory_bytes, processors, whole};
use crate::export_format::Exports;

#[derive(Debug, Args)]
#[command(
    after_help = "One command behind -- runs once, with its input and output untouched: bakeoff time -- make\n\
                        Commands in quotes are compared: bakeoff time 'gzip -k -c f' 'zstd -c f'"
)]
pub(crate) struct TimeArguments {
    /// Commands in quotes, to be compared with each other. They are split into words as a shell does (Windows: as its
    /// programs do, so that backslashes stay), but no shell runs them
    #[arg(value_name = "COMMAND")]
    pub(crate) commands: Vec<String>,
    /// Run each command this many times, interleaved, after one run that is not counted [default: at least 10 times]
    #[arg(short = 'n', long, value_name = "N", value_parser = whole::<u32>(1, 10_000))]
    pub(crate) runs: Option<u32>,
    /// Run each command at least so often, and further until the answer is clear or the time is up
    #[arg(short, long, value_name = "N", value_parser = whole::<u32>(1, 10_000), conflicts_with = "runs")]
    pub(crate) min_runs: Option<u32>,
    /// Further runs of each command that are neither timed nor counted
    #[arg(short, long, value_name = "N", value_parser = whole::<u32>(0, 10_000))]
    pub(crate) warmup: Option<u32>,
    /// Run this before each timed run; once for all commands, or once for each
    #[arg(short, long, value_name = "COMMAND")]
    pub(crate) prepare: Vec<String>,
    /// Run this for each command before the first run
    #[arg(short, long, value_name = "COMMAND")]
    pub(crate) setup: Option<String>,
    /// Run this for each command after the last run
    #[arg(short, long, value_name = "COMMAND")]
    pub(crate) cleanup: Option<String>,
    /// Run the commands in a shell (sh -c; Windows: cmd /C). How long it takes to start is told, and stays in the times
    #[arg(short = 'S', long)]
    pub(crate) shell: bool,
    /// Compare a command at each value of a list: -L level 1,3,9 'zstd -{level} f'; repeatable
    #[arg(short = 'L', long = "parameter-list", value_names = ["NAME", "VALUES"], num_args = 2, allow_hyphen_values = true)]
    pub(crate) lists: Vec<String>,
    /// Compare a command at each number of a range, with a step behind a colon: -P threads 1..8 or 1..8:2; repeatable
    #[arg(short = 'P', long = "parameter-scan", value_names = ["NAME", "RANGE"], num_args = 2, allow_hyphen_values = true)]
    pub(crate) ranges: Vec<String>,
    /// Name of a command on the page, in the order of the commands; repeatable
    #[arg(long = "name", value_name = "NAME")]
    pub(crate) names: Vec<String>,
    /// Accept any exit code
    #[arg(short, long)]
    pub(crate) ignore_failure: bool,
    /// Let the commands' output through even when they run several times
    #[arg(long)]
    pub(crate) show_output: bool,
    #[command(flatten)]
    pub(crate) exports: Exports,
    /// The command that all are compared with, by its name [default: the first]
    #[arg(long, value_name = "NAME")]
    pub(crate) reference: Option<String>,
    /// What is compared: process, cpu, user, system, memory, faults or switches [default: process]
    #[arg(long, value_name = "NAME")]
    pub(crate) metric: Option<String>,
    /// Time that all may take [default: 5s a command and at least 10s, more where 10 runs take longer]
    #[arg(long, value_name = "DURATION", value_parser = parse_duration_ns)]
    pub(crate) budget: Option<u64>,
    /// After this long a command is killed with all that it started
    #[arg(long, value_name = "DURATION", value_parser = parse_duration_ns)]
    pub(crate) time_limit: Option<u64>,
    /// Memory that a command may take
    #[arg(long, value_name = "SIZE", value_parser = memory_bytes)]
    pub(crate) memory_limit: Option<u64>,
    /// How long to wait for descendants that outlive a single run
    #[arg(long, value_name = "DURATION", default_value = "5s", value_parser = parse_duration_ns)]
    pub(crate) linger: u64,
    /// Logical processors to run on, e.g. 0 or 0,2-3
    #[arg(long, value_name = "LIST", value_parser = processors)]
    pub(crate) processors: Option<Processors>,
    /// Seed of everything random [default: from the operating system]
    #[arg(long, value_name = "N", value_parser = whole::<u64>(0, u64::MAX))]
    pub(crate) seed: Option<u64>,
    /// How it is printed
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
    /// All rows and remarks; spread, memory, faults and switches too
    #[arg(long, short)]
    pub(crate) verbose: bool,
    #[command(flatten)]
    pub(crate) rules: Rules,
    /// One command with its arguments
    #[arg(last = true, value_name = "CMD")]
    pub(crate) words: Vec<OsString>,
}
