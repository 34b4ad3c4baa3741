//! One host over time: each run counts as one value, since runs are never paired.

use std::collections::BTreeMap;

use model::{FailureKind, Metric, Record, RunId, Setting, TrialRecord, Workload};
use serde::Serialize;
use stats::{expected_range, median};

use crate::contest::refusal::is_spoilt;
use crate::contest::{Series, counted, first_counted, whole_rounds};
use crate::decide::{contest, seats};
use crate::runs::changed::{Changed, Facts, changed, together};
use crate::wording::once;

/// A subject of the history of a host.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Followed {
    /// Name of the family.
    pub family: String,
    /// Size and shape.
    pub workload: Workload,
    /// Conditions and place.
    pub setting: Setting,
    /// The compared metric: `work_ns`.
    pub metric: String,
    /// The entry.
    pub technique: String,
}

impl Followed {
    fn of(record: &Record, trial: &TrialRecord) -> Self {
        let TrialRecord { family, workload, setting, technique, .. } = trial.clone();
        let metric = record.design.compared(&family).key.to_string();
        Self { family, workload, setting, metric, technique }
    }
}

/// The medians of one run: logarithms of the median cost of everything that is followed.
#[derive(Debug, Clone, PartialEq)]
pub struct RunMedians {
    /// The run.
    pub id: RunId,
    /// When it began.
    pub started: String,
    facts: Facts,
    /// The compared metric, by the name of the family.
    metrics: BTreeMap<String, Metric>,
    medians: BTreeMap<Followed, f64>,
}

impl RunMedians {
    /// Returns whether a trial of another run is followed from this one: the same entry at the same work.
    pub fn follows(&self, record: &Record, trial: &TrialRecord) -> bool {
        self.medians.contains_key(&Followed::of(record, trial))
    }

    /// Returns whether it has nothing that could be followed.
    pub fn is_empty(&self) -> bool {
        self.medians.is_empty()
    }

    /// Returns the medians over the counted rounds of a run, of the last attempt of each contest. What the host spoilt, gave a wrong
    /// answer or was skipped says nothing.
    pub fn of(record: &Record) -> Self {
        let mut medians: BTreeMap<Followed, f64> = BTreeMap::new();
        for seats in seats(&record.trials) {
            let contest = contest(record, &record.design, &seats);
            let first = first_counted(&whole_rounds(&contest.series).0);
            let is_wrong = |one: &Series<'_>| one.failures.iter().any(|one| one.kind == FailureKind::Wrong);
            let says_something =
                |one: &Series<'_>| one.competes() && one.skipped().is_none() && !is_wrong(one);
            let series = contest.series.iter().zip(&seats.trials);
            for (one, trial) in series.filter(|(one, _)| says_something(one) && !is_spoilt(&contest)) {
                let rounds = counted(one.rounds.iter(), first, |(round, _)| **round).into_iter();
                let costs = rounds.flat_map(|(_, all)| all).map(|timed| contest.metric.cost(timed.value));
                let log = median(&costs.collect::<Vec<f64>>()).map(f64::ln).filter(|log| log.is_finite());
                medians.extend(log.map(|log| (Followed::of(record, trial), log)));
            }
        }
        let families = medians.keys().map(|followed| &followed.family);
        let metrics = families.map(|family| (family.clone(), record.design.compared(family).clone()));
        Self {
            id: record.id.clone(),
            started: record.started.clone(),
            facts: Facts::of(record),
            metrics: metrics.collect(),
            medians,
        }
    }
}

/// The course of the latest run next to those before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Course {
    /// It lies where the earlier runs predict it.
    AsBefore,
    /// It is slower than that.
    Slower,
    /// It is faster than that.
    Faster,
    /// There are fewer than five earlier runs: nothing is claimed.
    TooFew,
}

/// One technique over the runs of a host.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct HistoryLine {
    /// The subject.
    #[serde(flatten)]
    pub followed: Followed,
    /// The runs that have it, the earliest first.
    pub runs: Vec<RunId>,
    /// Its median cost in each of them: the inverse where more is better.
    pub medians: Vec<f64>,
    /// The geometric mean of those of the runs before the latest.
    pub before: f64,
    /// The latest over that.
    pub change: f64,
    /// The range in which the latest was expected, over the same.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected: Option<(f64, f64)>,
    /// The course.
    pub course: Course,
    /// The compared metric, as the latest run declares it.
    #[serde(skip)]
    pub compared: Metric,
}

impl HistoryLine {
    /// Returns the runs that have it, each with its median as it was measured, and that over the first one's.
    pub fn over_time(&self) -> impl Iterator<Item = (&RunId, f64, f64)> {
        let first = self.medians.first().map_or(f64::NAN, |first| self.as_measured(*first));
        let values = self.medians.iter().map(|cost| self.as_measured(*cost));
        self.runs.iter().zip(values).map(move |(run, value)| (run, value, value / first))
    }

    /// Returns a cost, or the ratio of two, as it is of what was measured.
    pub fn as_measured(&self, cost: f64) -> f64 {
        self.compared.cost(cost)
    }

    /// Returns the range in which the latest was expected, over the mean before, of what was measured.
    pub fn expected_as_measured(&self) -> Option<(f64, f64)> {
        let (one, other) = self.expected?;
        let (one, other) = (self.as_measured(one), self.as_measured(other));
        Some((one.min(other), one.max(other)))
    }
}

/// A host over time.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct History {
    /// The technique that was asked for, with its family; absent where all are shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub technique: Option<String>,
    /// The runs, the earliest first, each with the time at which it began.
    pub runs: Vec<(RunId, String)>,
    /// The subjects that the latest run and at least one before it have.
    pub lines: Vec<HistoryLine>,
    /// The changes of the program and of facts of the host from run to run.
    pub changed: Vec<Changed>,
}

impl History {
    /// Returns, for each run of a line, what changed since its run before; nothing for the first one.
    pub fn changed_over(&self, line: &HistoryLine) -> Vec<Vec<Changed>> {
        let directory = line.followed.setting.directory();
        let concerns =
            |change: &&Changed| change.directory.is_none() || change.directory.as_deref() == directory;
        let mut new: Vec<&Changed> = Vec::new();
        let mut changes = self.changed.iter().peekable();
        let mut own = line.runs.iter().peekable();
        let mut found = Vec::new();
        for (run, _) in &self.runs {
            while let Some(change) = changes.next_if(|change| change.run == *run) {
                new.extend(Some(change).filter(concerns));
            }
            if own.next_if_eq(&run).is_some() {
                let is_first = found.is_empty();
                let since = std::mem::take(&mut new);
                found.push(if is_first { Vec::new() } else { together(since.into_iter()) });
            }
        }
        found
    }

    /// Returns what changed just before a line became slower or faster, and which facts differed in the runs before.
    pub fn coincident(&self) -> (Vec<Changed>, Vec<String>) {
        let (mut now, mut before): (Vec<Changed>, Vec<String>) = Default::default();
        for line in self.lines.iter().filter(|line| matches!(line.course, Course::Slower | Course::Faster)) {
            let mut over = self.changed_over(line);
            for change in over.pop().into_iter().flatten() {
                let is_known = now.iter().any(|known| {
                    (&known.fact, &known.directory, &known.before, &known.now)
                        == (&change.fact, &change.directory, &change.before, &change.now)
                });
                if !is_known {
                    now.push(change);
                }
            }
            before.extend(over.into_iter().flatten().map(|change| change.fact));
        }
        (now, once(before))
    }
}

/// Compares the latest of some runs of one host with those before it; the earliest first. The techniques share `alpha`.
pub fn history(runs: &[RunMedians], alpha: f64) -> History {
    let Some((latest, earlier)) = runs.split_last() else {
        return History::default();
    };
    let mut followed: Vec<&Followed> = latest.medians.keys().collect();
    followed.retain(|followed| earlier.iter().any(|run| run.medians.contains_key(followed)));
    let share = alpha / followed.len().max(1) as f64;
    let lines = followed.iter().map(|followed| {
        let known = earlier.iter().filter_map(|run| Some((run.id.clone(), *run.medians.get(followed)?)));
        let (mut runs, before): (Vec<RunId>, Vec<f64>) = known.unzip();
        runs.push(latest.id.clone());
        let latest_log = latest.medians[*followed];
        let mean = stats::mean(&before);
        let expected = expected_range(&before, share);
        let course = match expected {
            None => Course::TooFew,
            Some((_, high)) if latest_log > high => Course::Slower,
            Some((low, _)) if latest_log < low => Course::Faster,
            Some(_) => Course::AsBefore,
        };
        HistoryLine {
            followed: (*followed).clone(),
            runs,
            medians: before.iter().chain([&latest_log]).map(|log| log.exp()).collect(),
            before: mean.exp(),
            change: (latest_log - mean).exp(),
            expected: expected.map(|(low, high)| ((low - mean).exp(), (high - mean).exp())),
            course,
            compared: latest.metrics.get(&followed.family).cloned().unwrap_or_default(),
        }
    });
    History {
        technique: None,
        runs: runs.iter().map(|run| (run.id.clone(), run.started.clone())).collect(),
        lines: lines.collect(),
        changed: changed(runs.iter().map(|run| (&run.id, &run.facts))),
    }
}
