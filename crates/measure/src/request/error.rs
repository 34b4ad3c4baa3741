//! Why a request is refused, in a sentence for the user.

use thiserror::Error;

use crate::request::command::CommandError;

/// Why nothing can be measured.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum PlanError {
    /// A command is not well formed.
    #[error(transparent)]
    ExternalCommand(#[from] CommandError),
    /// A family has no axis of sizes.
    #[error("the family {0} has no size to choose; leave --size out or name another family")]
    NoSizes(String),
    /// An entry that the family does not have.
    #[error("{0}")]
    Entry(String),
    /// A value that is none.
    #[error("--set {axis}={value}: {reason}")]
    Axis {
        /// The axis.
        axis: String,
        /// The value.
        value: String,
        /// Why not.
        reason: String,
    },
    /// A workload whose parts do not fit together.
    #[error("{0}")]
    Workload(String),
    /// Files that a family cannot work on.
    #[error("--input: {0}")]
    Files(String),
    /// Nothing is left to compare.
    #[error("nothing to compare in {family}: {reasons}")]
    Nothing {
        /// The family.
        family: String,
        /// Why each entry cannot run.
        reasons: String,
    },
    /// Nothing is left to compare in any family.
    #[error("nothing of what would be compared is available here; 'bakeoff list' shows what is")]
    NoneAvailable,
    /// The disk would not hold it.
    #[error(
        "{directory} has {free} free and the run needs up to {needed}; \
         free some space, or choose a smaller --size or another --dir"
    )]
    Disk {
        /// The directory.
        directory: String,
        /// Its free space.
        free: String,
        /// What is needed.
        needed: String,
    },
    /// A baseline that does not take part.
    #[error(
        "--baseline {0}: no family of this run has a technique or command of this name that can run here; \
         'bakeoff list FAMILY' names the techniques"
    )]
    Baseline(String),
    /// A limit that the host does not have.
    #[error("--memory-limit: the memory of {family} cannot be limited here, since {reason}; leave it out")]
    Memory {
        /// The family.
        family: String,
        /// Why not, in a clause.
        reason: String,
    },
    /// What techniques that share a process cannot serve.
    #[error(transparent)]
    Session(#[from] SessionError),
    /// What a family without files cannot serve.
    #[error(transparent)]
    NoFiles(#[from] NoFilesError),
    /// A metric that outside commands do not have.
    #[error(
        "commands can be compared by process, cpu, user, system, memory, faults or switches, not by {0}: what happens inside a command cannot be seen"
    )]
    InsideACommand(String),
    /// A metric that is not measured.
    #[error("--metric {name}: {family} is compared by {known}")]
    Metric {
        /// What was asked for.
        name: String,
        /// A family that does not have it.
        family: String,
        /// What it has.
        known: String,
    },
}

/// What techniques that share a process cannot serve.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error(
    "the family {family} measures all its techniques in one process, {reason}; leave {option} out, or name other families"
)]
pub struct SessionError {
    pub(crate) family: String,
    pub(crate) reason: &'static str,
    pub(crate) option: String,
}

/// What a family without files cannot serve.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("the family {family} works on no files: leave {option} out, or name other families")]
pub struct NoFilesError {
    pub(crate) family: String,
    pub(crate) option: &'static str,
}
