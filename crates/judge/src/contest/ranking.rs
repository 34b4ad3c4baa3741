//! What may be said of one contest: decided here, only laid out by the reports.

use std::collections::BTreeMap;
use std::mem::take;

use model::{Class, FailureKind, Kind, Metric, Setting, Unit, Workload};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_with::{apply, skip_serializing_none};

use crate::wording::once;

/// A median in the unit of the compared metric. In files the unit stands in its key, and at most one of the keys is there.
#[skip_serializing_none]
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Median {
    /// Median of what is compared, where it is a time, in nanoseconds.
    median_ns: Option<f64>,
    /// Median in bytes, where an amount is compared.
    median_bytes: Option<f64>,
    /// Median in bytes per second, where a throughput is compared.
    median_bytes_per_second: Option<f64>,
    /// Median per second, where another rate is compared.
    median_per_second: Option<f64>,
    /// Median of a count, or of values whose unit is not known.
    median: Option<f64>,
    /// True if a part of the measurement stands for the whole.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub extrapolated: bool,
}

impl Median {
    /// Returns a value, `None` where there is no sample, and its unit, `None` where it is not known.
    pub fn new(unit: Option<Unit>, value: Option<f64>) -> Self {
        let mut known = Self::default();
        *match unit {
            Some(Unit::Nanoseconds) => &mut known.median_ns,
            Some(Unit::Bytes) => &mut known.median_bytes,
            Some(Unit::BytesPerSecond) => &mut known.median_bytes_per_second,
            Some(Unit::PerSecond) => &mut known.median_per_second,
            Some(Unit::Count) | None => &mut known.median,
        } = value;
        known
    }

    /// Returns the number, whatever its unit.
    pub fn value(&self) -> Option<f64> {
        let Self { median_ns, median_bytes, median_bytes_per_second, median_per_second, median, .. } = *self;
        median_ns.or(median_bytes).or(median_bytes_per_second).or(median_per_second).or(median)
    }
}

/// The ratio of two entries' times: the estimate with its interval.
#[skip_serializing_none]
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Ratio {
    /// The estimate.
    pub factor: f64,
    /// At least this. Absent while nothing is known.
    pub low: Option<f64>,
    /// At most this. Absent while there is no limit.
    pub high: Option<f64>,
}

/// The entry to use.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Choice {
    /// The entry.
    pub entry: String,
    /// True if it is the baseline.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_baseline: bool,
    /// The baseline over it. Absent where it is the baseline, or where the baseline has no figure.
    pub baseline: Option<Ratio>,
    /// By how much it can be slower than the fastest, as a fraction. Absent while nothing limits that.
    pub at_most_slower: Option<f64>,
}

/// The kind of result of a contest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// One entry is fastest, and every other one is slower.
    Wins,
    /// Several entries may be fastest.
    Tied,
    /// All entries are within the tolerance of the fastest.
    Same,
    /// Fewer than three rounds: who led in them, and nothing about the next ones.
    TooFewRounds,
    /// One entry is left: all others failed, were skipped or are not available here.
    Alone,
    /// Nothing may be said: a control failed, or there is nothing to compare.
    Refused,
}

impl State {
    /// Returns whether something may be said of the values.
    pub fn is_judged(self) -> bool {
        !matches!(self, Self::Refused | Self::TooFewRounds)
    }
}

/// The standing of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Standing {
    /// No other entry may be fastest.
    Wins,
    /// It may be fastest, like others, or is within the tolerance of the fastest.
    Tied,
    /// It is slower than the fastest: by its factor at least, where that has a lower end.
    Slower,
    /// Skipped for time: it has one round, and was not compared.
    Skipped,
    /// Not compared: it bounds the job, and is no competitor.
    Ceiling,
    /// Not compared: it failed.
    Failed,
    /// Measured, and nothing is said of it.
    Unjudged,
}

impl Entry {
    /// Returns its name without the value of its parameter.
    pub fn without_value(&self) -> &str {
        self.kind.technique_and_value(&self.technique).0
    }
}

impl Standing {
    /// Returns whether the entry may be fastest.
    pub fn is_candidate(self) -> bool {
        matches!(self, Self::Wins | Self::Tied)
    }
}

/// The variation of one entry's values.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Noise {
    /// 1.4826 x median absolute deviation / median.
    pub robust_spread: f64,
    /// 95th percentile / median.
    pub p95_over_median: f64,
    /// 99th percentile / median, from 100 values on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub p99_over_median: Option<f64>,
    /// Largest / median.
    pub max_over_median: f64,
    /// Samples beyond Q3 + 3 x (Q3 - Q1); they are kept.
    pub far_out: u32,
}

/// One entry of a contest: a technique at one value of its parameter, or a command.
#[skip_serializing_none]
#[apply(Vec => #[serde(default, skip_serializing_if = "Vec::is_empty")])]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Entry {
    /// Name of the technique or command, with its value behind an `@`.
    pub technique: String,
    /// Published programs that worked like this.
    pub aliases: Vec<String>,
    /// The origin.
    pub kind: Kind,
    /// The standing.
    pub standing: Standing,
    /// Typical value: that of the leader times the factor, so that all columns have one order; else its own median.
    #[serde(flatten)]
    pub median: Median,
    /// Its smallest value in the counted rounds, in the unit of what is compared.
    pub min: Option<f64>,
    /// Its largest one.
    pub max: Option<f64>,
    /// Bytes of the workload over the typical time, per second.
    pub bytes_per_s: Option<f64>,
    /// Median over the counted rounds of its value / the leader's value; the other way round where more is better.
    pub factor: Option<f64>,
    /// Its typical value over that of the fastest entry (inverse where more is better): at least this. `None` while it is unknown.
    pub factor_low: Option<f64>,
    /// At most this. `None` while there is no limit.
    pub factor_high: Option<f64>,
    /// Mean of its values / mean of the leader's over the common rounds ("total cost"); of their inverses where more is better.
    pub mean_ratio: Option<f64>,
    /// Counted rounds in which it took part.
    pub rounds: u32,
    /// The counted rounds after which it left.
    pub left_after_round: Option<u32>,
    /// The variation of its values.
    pub noise: Option<Noise>,
    /// Median of user and system time of one repetition together.
    pub cpu_ns: Option<f64>,
    /// Median user time of one repetition, where the timed stretch is longer than a tick of the system's accounting.
    pub user_ns: Option<f64>,
    /// Median system time of one repetition, where the timed stretch is longer than a tick of the system's accounting.
    pub system_ns: Option<f64>,
    /// Median peak memory.
    pub peak_memory_bytes: Option<f64>,
    /// Median of minor and major faults together.
    pub faults: Option<f64>,
    /// Median of voluntary and involuntary context switches together.
    pub switches: Option<f64>,
    /// Median of the times that its process was preempted.
    pub preemptions: Option<f64>,
    /// Median time that its main thread waited for a processor.
    pub run_delay_ns: Option<f64>,
    /// Medians of what the technique counted or timed itself, by the metric's key.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub values: BTreeMap<String, f64>,
    /// Notes for a reader: fell back, how often it failed.
    pub notes: Vec<String>,
}

/// An entry that did not work, or does not exist here.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FailureLine {
    /// Name of the technique or command.
    pub technique: String,
    /// The kind of failure.
    pub kind: FailureKind,
    /// The number of times.
    pub count: u32,
    /// The first reason, in a sentence.
    pub reason: String,
}

/// Something that bears on the answer or explains it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Flag {
    /// `ratio_moved`, `tail`, `modes`, `order`, `clock`, `drift`, `steal`, `twin`, `instant`, `oversubscribed` or `incomplete`.
    pub name: String,
    /// The sentence, with one action for the user where there is one.
    pub text: String,
    /// True if it may change what a reader does; the others are shown to those who ask.
    pub important: bool,
}

/// The best value of a technique's own parameter.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct BestParameter {
    /// The technique without its value: `read_write`.
    pub technique: String,
    /// The value with the smallest factor, of those that may be fastest where one may, as in the entry's name: `256K`.
    pub value: String,
    /// All values that are shown to be within the tolerance of it, itself among them, in their order.
    pub as_good: Vec<String>,
    /// Its values that may be fastest in the contest, in their order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tied: Vec<String>,
}

/// The forecast of a longer run of the same contest.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Further {
    /// Rounds in all.
    pub rounds: u32,
    /// The additional time, in nanoseconds.
    pub more_ns: f64,
    /// The most that choosing the leader would cost, as a fraction.
    pub at_most_slower: f64,
}

/// The entries of one family at one workload and setting, compared.
#[skip_serializing_none]
#[apply(Vec => #[serde(default, skip_serializing_if = "Vec::is_empty")])]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "Contest")]
pub struct Ranking {
    /// Name of the family.
    pub family: String,
    /// Size and shape.
    pub workload: Workload,
    /// Conditions and place.
    pub setting: Setting,
    /// The kind of result that these techniques leave.
    pub class: Class,
    /// The compared metric.
    pub metric: Metric,
    /// True if the values are known to be in the metric's unit: another program may not have said.
    #[serde(skip)]
    pub unit_is_known: bool,
    /// The first round that is counted; round 0 counts only where there is no other.
    #[serde(skip)]
    pub first_counted: Option<u32>,
    /// The other metrics of the family: each can be compared on its own.
    #[serde(rename = "other_metrics")]
    pub others: Vec<Metric>,
    /// The kind of answer.
    pub state: State,
    /// The choice. Absent where nothing may be said.
    pub choice: Option<Choice>,
    /// The reason why nothing may be compared, in a sentence.
    #[serde(skip)]
    pub reason: Option<String>,
    /// The result, in a sentence or two.
    pub sentence: String,
    /// The advice in one sentence.
    pub advice: Option<String>,
    /// The candidate that leads.
    pub leader: Option<String>,
    /// The entries that may be fastest, the leader first.
    #[serde(rename = "fastest")]
    pub candidates: Vec<String>,
    /// By how much the leader can be slower than the fastest, as a fraction (0.07 is 7 %); `None` while there is no limit.
    pub at_most_slower: Option<f64>,
    /// The same with a proof that covers a leader chosen from the same samples: wider.
    pub at_most_slower_proved: Option<f64>,
    /// The chance that all of this holds together.
    pub confidence: Option<f64>,
    /// Counted rounds that were judged.
    pub rounds: u32,
    /// The difference, as a fraction, that is too small to matter.
    pub delta: f64,
    /// Chance of error in this contest.
    pub alpha: f64,
    /// The baseline that the others are measured by, where it took part.
    pub baseline: Option<String>,
    /// Further results of the same samples, a sentence each: the time of a piece to the device, the gain of more processors.
    pub also_measured: Vec<String>,
    /// Single entries of other classes at the same work, a sentence each: one entry is no contest.
    pub alone: Vec<String>,
    /// Difference that was seen between an entry and its twin, as a fraction.
    pub twin_difference: Option<f64>,
    /// The entries: the leader, the others by their factor, then those that were not compared.
    #[serde_with(skip_apply)]
    pub entries: Vec<Entry>,
    /// The failures.
    pub failures: Vec<FailureLine>,
    /// The entries that were skipped for time, each with the reason.
    pub skipped: Vec<FailureLine>,
    /// The techniques that do not exist here.
    pub not_available: Vec<FailureLine>,
    /// The techniques that were not tried, because they were far behind at a lower level of the curve.
    pub not_tried: Vec<FailureLine>,
    /// The techniques that worked and have no such metric, by name.
    pub without_metric: Vec<String>,
    /// Remarks that bear on the answer.
    pub flags: Vec<Flag>,
    /// Best values of the techniques' own parameters.
    pub best_parameters: Vec<BestParameter>,
    /// The rounds that would narrow the result, where that is worth its time.
    pub further: Option<Further>,
}

impl Ranking {
    /// Returns the entry of that name.
    pub fn entry(&self, technique: &str) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.technique == technique)
    }

    /// Takes in a contest of one entry of another class, which these words say.
    pub(crate) fn take_in(&mut self, said: Option<String>, one: Self) {
        self.alone.extend(said);
        self.failures.extend(one.failures);
        self.skipped.extend(one.skipped);
        self.not_available.extend(one.not_available);
        self.not_tried.extend(one.not_tried);
        self.without_metric.extend(one.without_metric);
        self.flags.extend(one.flags);
        // Both may say what the host did.
        self.flags = once(take(&mut self.flags));
    }
}
