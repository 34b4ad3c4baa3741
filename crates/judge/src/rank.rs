//! From a record to its rankings: one for each family, workload, setting and class.

use std::collections::BTreeMap;

use model::{Class, Failure, FailureKind, Host, Metric, Record, Sample, Setting, TrialRecord, Workload};

use crate::contest::{Contest, Entry, Field, Timed, Unit, gathered};
use crate::decide::decide;
use crate::flags::flags;
use crate::parameters::best_parameters;
use crate::places::{failure_lines, places};
use crate::ranking::{Ranking, Verdict};

/// What a technique says of itself when its result shares the extents of the input.
pub(crate) const REFLINKED: &str = "reflinked";

/// Judges a record: a pure function of its samples. Cells come in the order in which they were first entered. Only the
/// last attempt of a cell counts, but a wrong answer in any attempt disqualifies.
pub fn rank(record: &Record) -> Vec<Ranking> {
    let contests = cells(&record.trials).iter().map(|cell| contest(record, cell)).collect();
    gathered(contests).iter().map(judge).collect()
}

/// The trials of one cell.
struct Cell<'a> {
    family: &'a str,
    workload: &'a Workload,
    setting: &'a Setting,
    class: Class,
    attempt: u32,
    trials: Vec<&'a TrialRecord>,
    /// Wrong answers of earlier attempts.
    earlier: Vec<(&'a str, &'a Failure)>,
}

fn cells(trials: &[TrialRecord]) -> Vec<Cell<'_>> {
    let same_point = |a: &TrialRecord, b: &TrialRecord| {
        a.family == b.family && a.workload == b.workload && a.setting == b.setting
    };
    let mut cells: Vec<Cell<'_>> = Vec::new();
    for trial in trials {
        let point = || trials.iter().filter(|other| same_point(other, trial));
        let attempt = point().map(|other| other.attempt).max().unwrap_or(0);
        if trial.attempt != attempt {
            continue;
        }
        let class = class_of(trial, point());
        let known = cells.iter_mut().find(|cell| {
            cell.class == class
                && cell.family == trial.family
                && cell.workload == &trial.workload
                && cell.setting == &trial.setting
        });
        if let Some(cell) = known {
            cell.trials.push(trial);
            continue;
        }
        let of_earlier = point().filter(|other| other.attempt < attempt);
        let wrong =
            |other: &TrialRecord| other.failures.iter().filter(|f| f.kind == FailureKind::Wrong).count() > 0;
        let earlier = of_earlier.filter(|other| wrong(other)).flat_map(|other| {
            let wrong = other.failures.iter().find(|failure| failure.kind == FailureKind::Wrong);
            wrong.map(|failure| (other.technique.as_str(), failure))
        });
        cells.push(Cell {
            family: &trial.family,
            workload: &trial.workload,
            setting: &trial.setting,
            class,
            attempt,
            trials: vec![trial],
            earlier: earlier.collect(),
        });
    }
    cells
}

/// The declared class, unless a sample says that extents were shared. A twin is of the class of what it repeats.
fn class_of<'a>(trial: &'a TrialRecord, mut point: impl Iterator<Item = &'a TrialRecord>) -> Class {
    let shares = |trial: &TrialRecord| {
        trial.samples.iter().flat_map(|sample| &sample.notes).any(|note| note.starts_with(REFLINKED))
    };
    let original = trial
        .twin_of
        .as_ref()
        .and_then(|name| point.find(|other| &other.technique == name && other.attempt == trial.attempt));
    let trial = original.unwrap_or(trial);
    if shares(trial) { Class::SharesExtents } else { trial.class }
}

fn contest<'a>(record: &'a Record, cell: &Cell<'a>) -> Contest<'a> {
    let design = &record.design;
    let shared_by = if design.per_cell { 1 } else { design.cells.max(1) };
    Contest {
        family: cell.family.to_owned(),
        workload: cell.workload.clone(),
        setting: cell.setting.clone(),
        class: cell.class,
        metric: design.metric,
        unit: if design.metric == Metric::Memory { Unit::Bytes } else { Unit::Nanoseconds },
        alpha: design.alpha / f64::from(shared_by),
        asked_alpha: design.alpha,
        delta: design.delta,
        looks: design.looks.clone(),
        attempt: cell.attempt,
        entries: cell.trials.iter().map(|trial| entry(trial, cell, design.metric)).collect(),
        processors: processors(&record.host, cell.setting),
        clock_step_ns: record.host.clock_step_ns,
        canaries: &record.canaries,
        notes: &record.notes,
        refused: None,
    }
}

fn entry<'a>(trial: &'a TrialRecord, cell: &Cell<'a>, metric: Metric) -> Entry<'a> {
    let earlier = cell.earlier.iter().filter(|(technique, _)| *technique == trial.technique);
    let failures: Vec<Failure> =
        earlier.map(|(_, failure)| (*failure).clone()).chain(trial.failures.iter().cloned()).collect();
    Entry {
        name: trial.technique.clone(),
        aliases: trial.aliases.clone(),
        kind: trial.kind,
        twin_of: trial.twin_of.clone(),
        rounds: rounds(&trial.samples, &trial.failures, metric),
        samples: trial.samples.iter().collect(),
        failures,
    }
}

/// The values by round. A round with a failure is infinitely slow as a whole: what a session did before it crashed
/// would otherwise speak for what it did not do.
pub(crate) fn rounds(samples: &[Sample], failures: &[Failure], metric: Metric) -> BTreeMap<u32, Vec<Timed>> {
    let mut rounds: BTreeMap<u32, Vec<Timed>> = BTreeMap::new();
    for sample in samples {
        if let Some(value) = metric.of(sample) {
            // A count of ticks that is 0 is less than a tick; an elapsed time of 0 is no work, and refused elsewhere.
            let least = if matches!(metric, Metric::Work | Metric::Process) { 0 } else { 1 };
            let value = value.max(least) as f64;
            let timed = Timed { inner: sample.inner, position: Some(sample.position), value };
            rounds.entry(sample.round).or_default().push(timed);
        }
    }
    for values in rounds.values_mut() {
        values.sort_by_key(|timed| timed.inner);
    }
    for failure in failures.iter().filter(|failure| failure.kind != FailureKind::Wrong) {
        if let Some(round) = failure.round {
            let timed = Timed { inner: 0, position: failure.position, value: f64::INFINITY };
            rounds.insert(round, vec![timed]);
        }
    }
    rounds
}

/// Processors that a trial may use: those of its setting, else those the tool may use, and never more than a quota.
fn processors(host: &Host, setting: &Setting) -> Option<u64> {
    let count = |list: &[u32]| Some(list.len() as u64).filter(|&count| count > 0);
    let all = count(&setting.processors).or_else(|| count(&host.processor.allowed));
    let all = all.or(host.processor.logical.map(u64::from));
    let quota = host.limits.processor_quota_millis.map(|millis| millis.div_ceil(1000).max(1));
    match (all, quota) {
        (Some(all), Some(quota)) => Some(all.min(quota)),
        (one, other) => one.or(other),
    }
}

/// The ranking of one contest.
pub(crate) fn judge(contest: &Contest<'_>) -> Ranking {
    let field = Field::new(contest);
    let decision = decide(&field);
    let named = |index: usize| field.name(index).to_owned();
    Ranking {
        family: contest.family.clone(),
        workload: contest.workload.clone(),
        setting: contest.setting.clone(),
        class: contest.class,
        metric: contest.metric,
        verdict: decision.verdict,
        winner: decision.winner.map(named),
        tied: decision.tied.iter().copied().map(named).collect(),
        rounds: field.judged_rounds(),
        delta: field.rules.delta,
        alpha: contest.alpha,
        measured_floor: field.floor(),
        places: places(&field, &decision),
        failures: failure_lines(&field),
        flags: flags(&field, &decision),
        best_parameters: if decision.verdict == Verdict::Refused {
            Vec::new()
        } else {
            best_parameters(&field)
        },
        would_take: decision.would_take,
        sentence: decision.sentence,
    }
}
