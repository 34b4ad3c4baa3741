//! The vocabulary of a request, plain data: `command.rs` has an external command, `job_file` a job of the user's own.

pub(crate) mod command;
pub(crate) mod job_file;

use std::path::PathBuf;

use families::AnyFamily;
use model::{Cache, Durability, Metric, Preset, Workload};
use thiserror::Error;

use command::ExternalCommand;

/// The reason why nothing can be measured as asked: what is wrong, where, and what to do, in a sentence for the user.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct Refusal(pub(crate) String);

impl Refusal {
    pub(crate) fn of_axis(axis: &str, value: &str, reason: impl std::fmt::Display) -> Self {
        Self(format!("--set {axis}={value}: {reason}"))
    }
}

/// A family and, when not all of them, the entries that take part.
#[derive(Clone)]
pub struct Selection {
    /// The family.
    pub family: &'static dyn AnyFamily,
    /// Names of entries; all of the family when `None`.
    pub entries: Option<Vec<String>>,
}

/// A user's request.
#[derive(Clone, Default)]
pub struct Request {
    /// Families and entries.
    pub selections: Vec<Selection>,
    /// The workloads, when no sizes are given.
    pub preset: Preset,
    /// Workloads instead of those of the preset.
    pub workloads: Vec<Workload>,
    /// Sizes in bytes instead of the preset's.
    pub sizes_bytes: Vec<u64>,
    /// The user's own files instead of generated ones.
    pub files: Vec<PathBuf>,
    /// Values on the families' axes: every workload is measured at each of them.
    pub axes: Vec<(String, String)>,
    /// Cache states; when empty, cold as published, else warm.
    pub caches: Vec<Cache>,
    /// End points.
    pub durabilities: Vec<Durability>,
    /// Directories, each on a file system of interest.
    pub directories: Vec<PathBuf>,
    /// Processors to run on; all when empty.
    pub processors: Vec<u32>,
    /// External commands.
    pub commands: Vec<ExternalCommand>,
    /// The name of what is compared; when `None`, what each family compares, or `process` with commands.
    pub metric: Option<String>,
    /// Chance of error of a contest.
    pub alpha: f64,
    /// All contests share `alpha`.
    pub alpha_is_shared: bool,
    /// A contest ends when choosing its leader costs at most this fraction.
    pub delta: f64,
    /// The most counted rounds.
    pub rounds: u32,
    /// The fewest counted rounds before anything is decided, as far as the budget pays for them; 0 leaves it to the plan.
    pub least_rounds: u32,
    /// Untimed processes before the first timed one of an entry, where processes are timed from outside.
    pub untimed: Untimed,
    /// Entries are measured on until their factors are known within this fraction; else until it is known which of them is fastest.
    pub precision: Option<f64>,
    /// A command is timed until all that it has started has ended too; else what still runs then makes it a failure.
    pub waits_for_children: bool,
    /// The technique or command that all are compared with; each family's own when `None`.
    pub baseline: Option<String>,
    /// Time that the whole run may take; where it stretches, that of one contest.
    pub budget_ns: u64,
    /// The budget grows with the number of contests, and gives way to what a short contest of all entries needs.
    pub budget_stretches: bool,
    /// After this long a process counts as hanging.
    pub time_limit_ns: u64,
    /// Memory that a worker or command may take.
    pub memory_limit_bytes: Option<u64>,
    /// In a run as it was published: the programs that take all rounds, by `family/program`, their names or those of techniques. Where a
    /// family says so, each round has a new input.
    pub published: Vec<String>,
    /// Seed of everything random.
    pub seed: u64,
    /// The name of the question that its samples answer at its `workloads`, together with all requests of this name; `None` for
    /// contests, which ask for the fastest.
    pub question: Option<String>,
}

impl Request {
    /// Returns the usual run of these entries, with a seed: warm, in the temporary folder, in at most 20 rounds and an hour.
    pub fn usual(selections: Vec<Selection>, seed: u64) -> Self {
        Self {
            selections,
            caches: vec![Cache::Warm],
            durabilities: vec![Durability::Returned],
            directories: vec![std::env::temp_dir()],
            alpha: 0.05,
            delta: 0.02,
            rounds: 20,
            budget_ns: 3_600_000_000_000,
            time_limit_ns: 1_000_000_000,
            seed,
            ..Self::default()
        }
    }

    pub(crate) fn is_as_published(&self) -> bool {
        !self.published.is_empty()
    }

    pub(crate) fn is_timed_from_outside(&self) -> bool {
        let by_process = self.metric.as_deref().is_some_and(|name| Metric::PROCESS.is_called(name));
        by_process || self.has_commands()
    }

    pub(crate) fn has_commands(&self) -> bool {
        !self.commands.is_empty() || self.selections.iter().any(|selection| selection.family.job().is_some())
    }
}

/// Untimed processes in round 0, where processes are timed from outside.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Untimed {
    /// This many before the first timed one of each entry.
    Each(u32),
    /// One before the first of each program: entries that share a program find it read.
    #[default]
    OfEachProgram,
}
