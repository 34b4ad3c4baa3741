//! What may be said of one cell: decided here, only laid out by the reports.

use std::collections::BTreeMap;

use model::{Class, FailureKind, Kind, Metric, Setting, Workload};
use serde::{Deserialize, Serialize};

/// The outcome of a contest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// One technique is ahead of every other by more than the margin.
    Winner,
    /// One technique is ahead of every other, but perhaps by less than the margin.
    WinnerSmall,
    /// Several techniques are within the margin of each other and nobody is ahead of them.
    Tie,
    /// Some techniques are undecided among themselves; all of them beat the rest.
    Partial,
    /// The run ended before anything could be said.
    Inconclusive,
    /// The ratio itself moved while it was measured.
    Unstable,
    /// Nothing may be said: a control failed or a sample is no measurement.
    Refused,
}

/// Where a technique stands relative to the leader.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Standing {
    /// The winner, or the leader of a tie.
    Best,
    /// Within the margin of the leader.
    Tied,
    /// Slower than the leader.
    Slower,
    /// Cannot be told from the leader, nor be called alike.
    Undecided,
    /// Not ranked: it is the limit, not a competitor.
    Limit,
    /// Not ranked: it failed.
    Failed,
}

/// How much the values of one technique varied.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Noise {
    /// 1.4826 x median absolute deviation / median.
    pub robust_spread: f64,
    /// (Q3 - Q1) / (Q3 + Q1).
    pub quartile_dispersion: f64,
    /// 95th percentile / median.
    pub p95_over_median: f64,
    /// 99th percentile / median, from 100 values on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub p99_over_median: Option<f64>,
    /// Largest / median.
    pub max_over_median: f64,
    /// Samples beyond Q3 + 3 x (Q3 - Q1); they are kept.
    pub far_out: u32,
    /// Rank autocorrelation of neighbouring values.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lag1_autocorrelation: Option<f64>,
}

/// One line of a ranking.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Place {
    /// Name of the technique or contender.
    pub technique: String,
    /// Published programs that worked like this.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub aliases: Vec<String>,
    /// Where it comes from.
    pub kind: Kind,
    /// Where it stands.
    pub place: Standing,
    /// Median of the metric: nanoseconds, or bytes for memory. `None` when it has no sample.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub median: Option<f64>,
    /// Bytes of the workload over the median time, per second.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bytes_per_s: Option<f64>,
    /// Median over rounds of its value / the leader's value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ratio: Option<f64>,
    /// Lower end of the ratio's interval; `None` is "no lower bound yet".
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ratio_low: Option<f64>,
    /// Upper end of the ratio's interval; `None` is "no upper bound yet".
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ratio_high: Option<f64>,
    /// Mean of its values / mean of the leader's values over the common rounds ("total cost").
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mean_ratio: Option<f64>,
    /// Hodges-Lehmann estimate of the ratio: a second opinion, without a say in the verdict.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hodges_lehmann_ratio: Option<f64>,
    /// Rounds in which it took part.
    pub rounds: u32,
    /// How much its values varied.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub noise: Option<Noise>,
    /// Median user time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user_ns: Option<f64>,
    /// Median system time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub system_ns: Option<f64>,
    /// Median peak memory.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub peak_memory_bytes: Option<f64>,
    /// Median of minor and major faults together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub faults: Option<f64>,
    /// Median of voluntary and involuntary context switches together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub switches: Option<f64>,
    /// Median time of each part of the work that the technique tells apart, in nanoseconds.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub phases_ns: BTreeMap<String, f64>,
    /// The look after which it left, because the leader was more than 1.25 times as fast.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub left_after_round: Option<u32>,
    /// What a reader must know: left after round 10, fell back, coarse clock, how often it failed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

impl Place {
    /// The note that says that it left, for readers that list the leavers on their own.
    pub fn left_note(&self) -> Option<String> {
        self.left_after_round
            .map(|round| format!("left after round {round}: more than 1.25 times the leader"))
    }
}

/// A technique that failed, and how.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FailureLine {
    /// Name of the technique or contender.
    pub technique: String,
    /// What kind of failure.
    pub kind: FailureKind,
    /// How often.
    pub count: u32,
    /// The first reason, in a sentence.
    pub reason: String,
}

/// Something that bears on the verdict or explains it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Flag {
    /// `unstable`, `order`, `modes`, `clock`, `drift`, `steal`, `tagged`, `tail`, `twin`, `instant`, `oversubscribed`,
    /// `incomplete`.
    pub name: String,
    /// The sentence, with one action for the user where there is one.
    pub text: String,
}

/// The best value of a technique's own parameter, with the plateau around it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BestParameter {
    /// The technique without its value: `read_write`.
    pub technique: String,
    /// The value in the middle of the plateau on a log scale, as in the entry's name: `256K`.
    pub value: String,
    /// All values that are not separated from the best or within the margin of it, ascending.
    pub plateau: Vec<String>,
}

/// The techniques of one family at one workload and setting, ordered.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Ranking {
    /// Name of the family.
    pub family: String,
    /// Size and shape.
    pub workload: Workload,
    /// Conditions.
    pub setting: Setting,
    /// What kind of result these techniques leave.
    pub class: Class,
    /// What is compared.
    pub metric: Metric,
    /// The outcome.
    pub verdict: Verdict,
    /// The outcome in a sentence or two.
    pub sentence: String,
    /// The winner, when there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub winner: Option<String>,
    /// The members of the tie group, leader first, when there is no winner.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tied: Vec<String>,
    /// Whole rounds that were judged.
    pub rounds: u32,
    /// The margin that was used: the asked one, or the measured floor when that is larger.
    pub delta: f64,
    /// Chance of a false verdict in this cell.
    pub alpha: f64,
    /// Difference that the instrument saw between a technique and its twin, as a fraction.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub measured_floor: Option<f64>,
    /// The lines, best first; limits and failed techniques last.
    pub places: Vec<Place>,
    /// What failed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub failures: Vec<FailureLine>,
    /// What bears on the verdict.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub flags: Vec<Flag>,
    /// Best values of the techniques' own parameters.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub best_parameters: Vec<BestParameter>,
    /// What it would take to decide what is undecided.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub would_take: Option<String>,
}
