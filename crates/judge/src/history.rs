//! One host over time: each run counts as one value, since runs are never paired.

use std::collections::{BTreeMap, BTreeSet};

use model::{Kind, Record, RunId, Setting, TrialRecord, Workload};
use serde::Serialize;
use stats::{expected_range, median};

use crate::rank::rounds;

/// What is followed over the runs of a host.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Followed {
    /// Name of the family.
    pub family: String,
    /// Size and shape.
    pub workload: Workload,
    /// Conditions and place.
    pub setting: Setting,
    /// What is compared: `work_ns`.
    pub quantity: String,
    /// The entry.
    pub technique: String,
}

impl Followed {
    fn of(record: &Record, trial: &TrialRecord) -> Self {
        Self {
            family: trial.family.clone(),
            workload: trial.workload.clone(),
            setting: trial.setting.clone(),
            quantity: record.design.compared(&trial.family).key.to_string(),
            technique: trial.technique.clone(),
        }
    }
}

/// What one run says of everything that is followed: the logarithm of the median cost.
#[derive(Debug, Clone, PartialEq)]
pub struct RunMedians {
    /// The run.
    pub id: RunId,
    /// When it began.
    pub started: String,
    medians: BTreeMap<Followed, f64>,
}

impl RunMedians {
    /// Whether a trial of another run is followed from this one: the same entry at the same work.
    pub fn follows(&self, record: &Record, trial: &TrialRecord) -> bool {
        self.medians.contains_key(&Followed::of(record, trial))
    }

    /// Whether it has nothing that could be followed.
    pub fn is_empty(&self) -> bool {
        self.medians.is_empty()
    }

    /// The medians over the counted rounds of a run, of the last attempt of each contest.
    pub fn of(record: &Record) -> Self {
        let mut last: BTreeMap<Followed, (u32, f64)> = BTreeMap::new();
        let own = |kind: Kind| matches!(kind, Kind::BuiltIn | Kind::Contender);
        for trial in record.trials.iter().filter(|trial| own(trial.kind)) {
            let quantity = record.design.compared(&trial.family);
            let values = rounds(&trial.samples, &trial.failures, quantity);
            let first = values.keys().next().copied();
            // Round 0 is never counted where there are others.
            let counted = values.iter().filter(|(round, _)| values.len() == 1 || Some(**round) != first);
            let costs: Vec<f64> =
                counted.flat_map(|(_, timed)| timed.iter().map(|timed| quantity.cost(timed.value))).collect();
            let Some(log) = median(&costs).map(f64::ln).filter(|log| log.is_finite()) else { continue };
            let followed = Followed::of(record, trial);
            let known = last.entry(followed).or_insert((trial.attempt, log));
            if trial.attempt >= known.0 {
                *known = (trial.attempt, log);
            }
        }
        let medians = last.into_iter().map(|(followed, (_, log))| (followed, log)).collect();
        Self { id: record.id.clone(), started: record.started.clone(), medians }
    }
}

/// What may be said of the latest run beside those before it.
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
    /// What is followed.
    #[serde(flatten)]
    pub followed: Followed,
    /// The runs that have it, the earliest first.
    pub runs: Vec<RunId>,
    /// Its median in each of them.
    pub medians: Vec<f64>,
    /// The geometric mean of the runs before the latest.
    pub before: f64,
    /// The latest over that.
    pub change: f64,
    /// The range in which the latest was expected, over the same.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected: Option<(f64, f64)>,
    /// What follows.
    pub course: Course,
}

/// A host over time.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct History {
    /// The technique that was asked for, with its family; absent where all are shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub technique: Option<String>,
    /// The runs, the earliest first, each with the time at which it began.
    pub runs: Vec<(RunId, String)>,
    /// What the latest run and at least one before it have.
    pub lines: Vec<HistoryLine>,
}

/// Compares the latest of some runs of one host with those before it; the earliest first. The techniques share `alpha`.
pub fn history(runs: &[RunMedians], alpha: f64) -> History {
    let told = runs.iter().map(|run| (run.id.clone(), run.started.clone())).collect();
    let Some((latest, earlier)) = runs.split_last() else {
        return History { technique: None, runs: told, lines: Vec::new() };
    };
    let followed: BTreeSet<&Followed> = latest
        .medians
        .keys()
        .filter(|followed| earlier.iter().any(|run| run.medians.contains_key(followed)))
        .collect();
    let share = alpha / followed.len().max(1) as f64;
    let line = |followed: &&Followed| {
        let known = || earlier.iter().filter_map(|run| Some((&run.id, *run.medians.get(followed)?)));
        let before: Vec<f64> = known().map(|(_, log)| log).collect();
        let runs = known().map(|(id, _)| id).chain([&latest.id]).cloned().collect();
        line(followed, runs, &before, latest.medians[*followed], share)
    };
    History { technique: None, runs: told, lines: followed.iter().map(line).collect() }
}

fn line(followed: &Followed, runs: Vec<RunId>, before: &[f64], latest: f64, alpha: f64) -> HistoryLine {
    let mean = before.iter().sum::<f64>() / before.len() as f64;
    let expected = expected_range(before, alpha);
    let course = match expected {
        None => Course::TooFew,
        Some((_, high)) if latest > high => Course::Slower,
        Some((low, _)) if latest < low => Course::Faster,
        Some(_) => Course::AsBefore,
    };
    HistoryLine {
        followed: followed.clone(),
        runs,
        medians: before.iter().chain([&latest]).map(|log| log.exp()).collect(),
        before: mean.exp(),
        change: (latest - mean).exp(),
        expected: expected.map(|(low, high)| ((low - mean).exp(), (high - mean).exp())),
        course,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(nth: usize, ns: f64) -> RunMedians {
        let followed = Followed {
            family: "copy".into(),
            workload: Workload::of_bytes("w", 1),
            setting: Setting::default(),
            quantity: "work_ns".into(),
            technique: "a".into(),
        };
        RunMedians {
            id: RunId(nth.to_string()),
            started: String::new(),
            medians: [(followed, ns.ln())].into(),
        }
    }

    fn course(values: &[f64]) -> (Course, f64) {
        let runs: Vec<RunMedians> = values.iter().enumerate().map(|(nth, &ns)| run(nth, ns)).collect();
        let found = history(&runs, 0.05);
        assert_eq!(found.lines.len(), 1);
        (found.lines[0].course, found.lines[0].change)
    }

    #[test]
    fn the_latest_run_is_flagged_where_the_earlier_ones_did_not_let_one_expect_it() {
        let steady = [100.0, 101.0, 99.0, 100.5, 99.5];
        let with = |latest: f64| course(&[&steady[..], &[latest]].concat());
        assert_eq!(with(100.2).0, Course::AsBefore);
        assert_eq!(with(95.0).0, Course::Faster);
        let (slower, change) = with(110.0);
        assert_eq!(slower, Course::Slower);
        assert!((change - 1.1).abs() < 0.001, "{change}");
    }

    #[test]
    fn nothing_is_claimed_of_fewer_than_five_earlier_runs() {
        assert_eq!(course(&[100.0, 100.0, 100.0, 100.0, 200.0]).0, Course::TooFew);
        assert!(history(&[run(0, 1.0)], 0.05).lines.is_empty());
        assert!(history(&[], 0.05).lines.is_empty());
    }
}
