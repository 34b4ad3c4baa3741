//! One contest as it was measured, wherever its samples came from.

pub(crate) mod entries;
pub(crate) mod field;
pub(crate) mod flags;
pub(crate) mod longer_run;
pub(crate) mod parameters;
pub(crate) mod ranking;
pub(crate) mod refusal;
pub(crate) mod tick;

use std::collections::BTreeMap;

use model::{
    Along, Class, Failure, FailureKind, Kind, Metric, Note, Sample, Setting, Shortfall, Unit, Workload,
};

/// One value, with its place in the order of the round where that is known.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Timed {
    pub(crate) inner: u32,
    pub(crate) position: Option<u32>,
    pub(crate) value: f64,
}

#[derive(Debug, Clone, Default)]
pub(crate) struct Series<'a> {
    pub(crate) name: String,
    pub(crate) aliases: Vec<String>,
    pub(crate) kind: Kind,
    pub(crate) twin_of: Option<String>,
    pub(crate) variant_of: Option<String>,
    /// By round, as it was numbered.
    pub(crate) rounds: BTreeMap<u32, Vec<Timed>>,
    pub(crate) samples: Vec<&'a Sample>,
    pub(crate) failures: Vec<Failure>,
}

/// The techniques of one class at one workload and setting, and the rules that they are judged by.
#[derive(Debug, Clone, Default)]
pub(crate) struct Contest<'a> {
    pub(crate) family: String,
    pub(crate) workload: Workload,
    pub(crate) setting: Setting,
    pub(crate) class: Class,
    pub(crate) metric: Metric,
    /// The unit of the values; `None` where another program took them and did not say.
    pub(crate) unit: Option<Unit>,
    pub(crate) others: Vec<Metric>,
    /// Chance of error in this contest.
    pub(crate) alpha: f64,
    pub(crate) contests: u32,
    pub(crate) delta: f64,
    pub(crate) looks: Vec<u32>,
    /// True if a run of an earlier version may have counted its first round too: it kept no looks with its trials.
    pub(crate) may_count_round_0: bool,
    /// The baseline, which the others are measured by.
    pub(crate) baseline: Option<String>,
    pub(crate) attempt: u32,
    pub(crate) series: Vec<Series<'a>>,
    pub(crate) processors: Option<u64>,
    pub(crate) threads: Option<u64>,
    pub(crate) clock_step_ns: Option<u64>,
    /// The cost of one reading of the clock.
    pub(crate) clock_reading_ns: Option<f64>,
    pub(crate) canaries: &'a [(u32, u64, u64)],
    pub(crate) notes: &'a [Note],
    /// The axis along which it is a level of a curve.
    pub(crate) along: Option<Along>,
    /// The reason why nothing may be said, when it is known before anything is computed.
    pub(crate) refused: Option<String>,
}

impl Series<'_> {
    /// Returns whether it never began because it does not exist here: that is no failure of its own.
    pub(crate) fn is_missing(&self) -> bool {
        let mut failures = self.failures.iter();
        let before = failures.all(|one| one.kind == FailureKind::Missing && one.round.is_none());
        before && !self.failures.is_empty() && self.rounds.is_empty() && self.samples.is_empty()
    }

    /// Returns how far the budget reached, when it did not pay for more than its first round.
    pub(crate) fn skipped(&self) -> Option<Shortfall> {
        let skipped = self.failures.iter().find(|failure| failure.kind == FailureKind::Skipped);
        skipped.map(|failure| failure.shortfall.unwrap_or_default())
    }

    /// Returns whether it was not tried here because it was far behind at a lower level of its curve.
    pub(crate) fn is_not_tried(&self) -> bool {
        self.failures.iter().any(|failure| failure.kind == FailureKind::TenfoldBehind)
    }

    /// Returns the timed stretch of each of its samples: its process, or the work of all repetitions.
    pub(crate) fn stretches(&self) -> Vec<f64> {
        let stretches = self.samples.iter().filter_map(|sample| {
            let inside = sample.work_ns.map(|ns| ns as f64 * sample.repetitions.max(1) as f64);
            sample.process_ns.map(|ns| ns as f64).or(inside)
        });
        stretches.collect()
    }

    pub(crate) fn competes(&self) -> bool {
        matches!(self.kind, Kind::BuiltIn | Kind::Command)
    }

    /// Returns the technique without the value of its parameter, and the value.
    pub(crate) fn technique_and_value(&self) -> (&str, Option<&str>) {
        self.kind.technique_and_value(&self.name)
    }
}

/// Returns the contests in which something competes; a class of which all is missing joins the contest of the same work.
pub(crate) fn without_empty(mut contests: Vec<Contest<'_>>) -> Vec<Contest<'_>> {
    contests.retain(|contest| contest.series.iter().any(Series::competes));
    let empty =
        |contest: &Contest<'_>| contest.series.iter().filter(|s| s.competes()).all(Series::is_missing);
    let mut joins: Vec<(usize, usize)> = Vec::new();
    for (from, contest) in contests.iter().enumerate().filter(|(_, contest)| empty(contest)) {
        let hosts = contests.iter().enumerate().filter(|(_, other)| {
            other.family == contest.family
                && other.workload == contest.workload
                && other.setting == contest.setting
        });
        let host = hosts.min_by_key(|(_, other)| (empty(other), other.class)).map(|(index, _)| index);
        joins.extend(host.filter(|&host| host != from).map(|host| (from, host)));
    }
    for &(from, host) in &joins {
        let series = std::mem::take(&mut contests[from].series);
        contests[host].series.extend(series.into_iter().filter(Series::competes));
    }
    contests.retain(|contest| !contest.series.is_empty());
    contests
}

/// Returns the first counted round of those that are whole. Round 0 counts only where there is no other.
pub(crate) fn first_counted(whole: &[u32]) -> Option<u32> {
    whole.get(usize::from(whole.len() > 1)).copied()
}

/// Returns what an entry has in counted rounds; all of it where it has nothing else.
pub(crate) fn counted<T>(
    all: impl Iterator<Item = T>, first: Option<u32>, round: impl Fn(&T) -> u32,
) -> Vec<T> {
    let (counted, others): (Vec<T>, Vec<T>) =
        all.partition(|one| first.is_none_or(|first| round(one) >= first));
    if counted.is_empty() { others } else { counted }
}

/// Returns the rounds that all who were in have, and those that lack one. Only competitors count, up to their last round.
pub(crate) fn whole_rounds(series: &[Series<'_>]) -> (Vec<u32>, Vec<u32>) {
    let mut rounds: Vec<u32> = series.iter().flat_map(|series| series.rounds.keys().copied()).collect();
    rounds.sort_unstable();
    rounds.dedup();
    rounds.into_iter().partition(|round| {
        let mut inside =
            series.iter().filter(|one| one.competes() && one.rounds.keys().next_back() >= Some(round));
        inside.all(|one| one.rounds.contains_key(round))
    })
}
