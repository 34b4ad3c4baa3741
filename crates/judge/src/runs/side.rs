//! Runs as sides of a comparison: what each showed, and what changed from one side to the other.

use model::{Conditions, Metric, Record, Workload};
use serde::Serialize;
use serde_with::skip_serializing_none;

use crate::contest::ranking::Standing;
use crate::decide::Decided;

/// The program that made the record of a published machine.
pub const PUBLISHED: &str = "published";

/// The name of a fact of a published machine: what must be known of its figures.
pub const PUBLISHED_FOR: &str = "published for";

/// The name of a fact of a published machine: the state of the file cache before each run.
pub const FILE_CACHE: &str = "file cache";

/// A run with what may be said of it.
pub struct Side<'a> {
    /// The identity of the run, or the name of a published machine.
    pub name: String,
    /// The run.
    pub record: &'a Record,
    /// Its contests.
    pub decided: &'a Decided,
}

impl Side<'_> {
    pub(crate) fn is_published(&self) -> bool {
        self.record.tool.name == PUBLISHED
    }
}

/// The figures of one technique in a run.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Showed {
    /// The name of the entry in that run.
    pub technique: String,
    /// Median of what is compared.
    pub median: Option<f64>,
    /// True if a part of the measurement stands for the whole.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub extrapolated: bool,
    /// Median user time. `None` also where it is not reported, as below the tick of the system's counter.
    pub user_ns: Option<f64>,
    /// Median system time, or `None` likewise.
    pub system_ns: Option<f64>,
    /// Its value over that of the leader of the same run.
    pub factor: Option<f64>,
    /// Over that of the fastest: at least this.
    pub factor_low: Option<f64>,
    /// At most this.
    pub factor_high: Option<f64>,
    /// The standing in that run.
    pub standing: Standing,
}

/// One technique over the runs.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ComparedTechnique {
    /// The name in the first run that has it.
    pub technique: String,
    /// The published programs that it goes back to.
    pub aliases: Vec<String>,
    /// The figures in each run; `None` where it took no part.
    pub showed: Vec<Option<Showed>>,
}

/// One contest over the runs.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ComparedContest {
    /// Name of the family.
    pub family: String,
    /// Name of the workload in the first run.
    pub workload: String,
    /// The state of the file cache, the end point and the file system of the first run, as far as it has them.
    pub conditions: Conditions,
    /// The compared metric.
    #[serde(skip)]
    pub metric: Metric,
    /// Further differences between the runs, each in a sentence.
    pub marks: Vec<String>,
    /// The answer of each run.
    pub answers: Vec<Option<String>>,
    /// The techniques that at least two runs or a published machine have, in the order of the first run.
    pub techniques: Vec<ComparedTechnique>,
    /// The geometric mean over the common techniques of each run's time over that of the run `over`. No claim: the runs were not paired.
    pub means: Vec<Option<f64>>,
    /// The place of the run over whose times the others stand: the first that has the contest.
    pub over: usize,
    /// Changes of order, each in a sentence.
    pub changes: Vec<String>,
    /// The changes from the earlier side to the later one, where the runs allow such a statement.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub between: Option<Changes>,
    /// The workload of the first run.
    #[serde(skip)]
    pub(crate) work: Workload,
    /// The place of the curve, in each run, of which it is a level.
    #[serde(skip)]
    pub(crate) curves: Vec<Option<usize>>,
    /// True if it is a level of one of the curves, which hold its figures too.
    #[serde(skip)]
    pub is_level: bool,
}

/// The rule by which times of two sides are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Rule {
    /// Each run counts as one value: Welch's interval over at least three runs a side.
    Runs,
    /// One run a side: a technique against the middle of at least eight.
    Field,
}

/// The ratio of what a technique takes on the later side to what it takes on the earlier one.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Change {
    /// The name in the first run.
    pub technique: String,
    /// The ratio.
    pub change: f64,
    /// At least this; absent where a run counts by its field.
    pub low: Option<f64>,
    /// At most this.
    pub high: Option<f64>,
    /// True if it is claimed that it changed: its interval excludes 1, or it changed against the field.
    pub is_claimed: bool,
}

/// The changes of a contest from one side to the other.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Changes {
    /// The rule.
    pub rule: Rule,
    /// The median change over the techniques, where that is the yardstick: the host, or all of them. No claim.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub field: Option<f64>,
    /// The techniques that both sides have.
    pub techniques: Vec<Change>,
}
