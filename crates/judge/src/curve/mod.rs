//! What may be said of several contests that are the levels of one axis.

pub(crate) mod decide;
pub(crate) mod levels;
mod spread;

use model::{Class, Mark, Metric, Setting, Workload};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_with::{apply, skip_serializing_none};

use crate::choice::Range;
use crate::contest::ranking::{Choice, Median, Ratio};

/// One level.
#[skip_serializing_none]
#[apply(Vec => #[serde(default, skip_serializing_if = "Vec::is_empty")])]
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Level {
    /// Its value on the axis.
    pub at: u64,
    /// The name of its workload, by which its contest is found.
    pub workload: String,
    /// The entries that may be fastest at it, the leader first; empty where nothing may be said.
    pub tied: Vec<String>,
    /// The choice at it. Absent where nothing may be said, or the baseline was not measured.
    pub choice: Option<Choice>,
    /// Techniques that lead another contest of the same work and were not measured at this level.
    pub rivals_not_measured: Vec<String>,
    /// Techniques that were compared at it.
    #[serde(default)]
    pub compared: u32,
    /// Techniques of the curve that might have been faster and were not entered, paid for or tried at it, by name.
    pub not_compared: Vec<String>,
    /// Counted rounds that were judged.
    pub rounds: u32,
}

/// The reason why a technique was not compared at a level.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Absence {
    /// It was not entered there: a level that a family adds by itself has a part of the techniques.
    NotEntered,
    /// It cannot run there: what it needs is not here, or has no room.
    NotAvailable,
    /// The budget did not pay for more than one round.
    Skipped,
    /// It was far behind at a lower level.
    NotTried,
    /// It failed.
    Failed,
    /// It has no such metric.
    WithoutMetric,
}

impl Absence {
    /// Returns whether the technique might have been the fastest of the level, had it been compared.
    pub fn limits_the_answer(self) -> bool {
        matches!(self, Self::NotEntered | Self::Skipped | Self::NotTried)
    }
}

/// A level at which a technique was not compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Absent {
    /// The level's value on the axis.
    pub at: u64,
    /// The reason.
    pub why: Absence,
}

/// A technique at one level, by the best of its entries.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Point {
    /// The level's value on the axis.
    pub at: u64,
    /// The entry with the smallest factor.
    pub entry: String,
    /// Median of its values.
    #[serde(flatten)]
    pub median: Median,
    /// Its value over that of the level's leader.
    pub factor: Option<f64>,
    /// The technique's value over that of the fastest: at least this.
    pub factor_low: Option<f64>,
    /// At most this.
    pub factor_high: Option<f64>,
    /// True if it may be fastest at this level.
    pub may_be_fastest: bool,
}

impl Point {
    /// Returns the range of its typical value, next to that of the level's leader: what its factor's interval allows.
    pub fn range(&self, metric: &Metric) -> Option<(f64, f64)> {
        let of_leader = metric.cost(self.median.value()?) / self.factor?;
        let [one, other] =
            [self.factor_low?, self.factor_high?].map(|factor| metric.cost(of_leader * factor));
        Some((one.min(other), one.max(other)))
    }
}

/// The time of the same work at the highest level over its time at the base: the median over the rounds.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Overhead {
    /// The highest level.
    pub at: u64,
    /// The level it is compared with: as many workers as processors, or the nearest below.
    pub base: u64,
    /// Processors that the trial might run on.
    pub processors: u64,
    /// Of the two.
    #[serde(flatten)]
    pub ratio: Ratio,
}

/// Gunther's Universal Scalability Law, with 95 % ranges, where it misses no level by more than 10 %:
/// throughput = constant x N / (1 + contention (N - 1) + coherence N (N - 1)).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ScalabilityLaw {
    /// True if it is about the levels above the number of processors, and not about those up to it.
    pub is_oversubscribed: bool,
    /// The part of the work that is serial.
    pub contention: f64,
    /// Lower end.
    pub contention_low: f64,
    /// Upper end.
    pub contention_high: f64,
    /// The cost of every pair of workers.
    pub coherence: f64,
    /// Lower end.
    pub coherence_low: f64,
    /// Upper end.
    pub coherence_high: f64,
    /// Workers with which throughput is largest, where that is inside the levels.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub peak: Option<f64>,
    /// The largest miss, as a fraction.
    pub worst_residual: f64,
}

/// The cost of the same work at the highest level over its cost at the level to choose: the median over the rounds.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Gain {
    /// The level to choose.
    pub at: u64,
    /// The highest level.
    pub over: u64,
    /// Of the two.
    #[serde(flatten)]
    pub ratio: Ratio,
}

/// The result of a technique at levels that do the same work.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Spread {
    /// The entry of the technique that took part in most levels.
    pub entry: String,
    /// The levels that are tied for it: neither shown nor estimated to cost more than 5 %, or the tolerance if that is larger, over the
    /// best. Empty before the first look, and where no level is worse.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub best: Vec<u64>,
    /// The level to choose of those shown to cost at most this much: of numbers of workers the fewest, else the middle on a
    /// logarithmic scale. Absent where none is shown to.
    pub chosen: Option<u64>,
    /// The gain of the level to choose over the highest, where levels are not numbers of workers.
    pub gain: Option<Gain>,
    /// The cost of the highest level over one worker a processor.
    pub overhead: Option<Overhead>,
    /// The growth of throughput, where the law fits.
    pub law: Option<ScalabilityLaw>,
}

/// A technique over all levels.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Line {
    /// The technique, with all its values and variants.
    pub technique: String,
    /// True if the user named it, or a variant of it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_named: bool,
    /// Its values at each level where it took part.
    pub points: Vec<Point>,
    /// The levels at which it was not compared, each with the reason.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub absent: Vec<Absent>,
    /// The best levels for it, where all do the same work.
    pub spread: Option<Spread>,
}

/// The contests of one family that differ in one number of their workload.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Curve {
    /// Name of the family.
    pub family: String,
    /// The number that differs: `bytes`, `records`.
    pub axis: String,
    /// The shared part of the levels' workloads; without a name.
    pub workload: Workload,
    /// Conditions and place.
    pub setting: Setting,
    /// The kind of result that these techniques leave.
    pub class: Class,
    /// The compared metric.
    pub metric: Metric,
    /// True if the values are known to be counted in the metric's unit.
    #[serde(skip)]
    pub unit_is_known: bool,
    /// The answer, in a sentence or two.
    pub sentence: String,
    /// The chance that each of its levels is judged rightly, at least.
    pub confidence: Option<f64>,
    /// The choices, ascending: neighboring levels with one choice are a range. Between two ranges nothing is known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ranges: Vec<Range>,
    /// The levels, ascending.
    pub levels: Vec<Level>,
    /// Places on the axis that explain what happens there, ascending: the sizes of the caches.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub marks: Vec<Mark>,
    /// The techniques: those that may be fastest somewhere, then the others; each by its lowest factors.
    pub techniques: Vec<Line>,
    /// The technique of the baseline, where it took part.
    pub baseline: Option<String>,
}

impl Curve {
    /// Returns the line of an entry: its technique, or the entry itself where it has a line of its own.
    pub fn technique_of(&self, entry: &str) -> String {
        let mut lines = self.techniques.iter();
        let own = lines.find(|line| line.points.iter().any(|point| point.entry == entry));
        own.map_or(entry, |line| &line.technique).to_owned()
    }

    /// Returns whether a contest is one of its levels.
    pub fn holds(&self, ranking: &crate::Ranking) -> bool {
        self.family == ranking.family
            && self.setting == ranking.setting
            && self.class == ranking.class
            && self.levels.iter().any(|level| level.workload == ranking.workload.name)
            && self.workload == ranking.workload.without_axis(&self.axis)
    }
}
