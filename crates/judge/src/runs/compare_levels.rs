//! Contests that are the levels of a curve, side by side: one table for all of them.

use model::{Conditions, Metric, Workload, axis_of};
use serde::Serialize;

use crate::runs::compare::means;
use crate::runs::side::{ComparedContest, ComparedTechnique, Showed, Side};
use crate::wording::once;

/// The levels of a curve over the runs.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ComparedCurve {
    /// Name of the family.
    pub family: String,
    /// The number that differs: `threads`.
    pub axis: String,
    /// The shared part of the workloads, in the first run.
    pub workload: Workload,
    /// The state of the file cache, the end point and the file system of the first run, as far as it has them.
    pub conditions: Conditions,
    /// The compared metric.
    #[serde(skip)]
    pub metric: Metric,
    /// The answers of the runs over their levels.
    pub answers: Vec<Option<String>>,
    /// The techniques that two or more runs have at a level: by their names in the first run, and as they were published.
    pub techniques: Vec<(String, Vec<String>)>,
    /// The levels, ascending.
    pub levels: Vec<ComparedLevel>,
    /// The geometric mean over techniques and levels of each run's value over that of the run `over`. No claim: the runs were not paired.
    pub means: Vec<Option<f64>>,
    /// The place of the run over whose values the others stand: the first that has a level.
    pub over: usize,
    /// Further differences between the runs, each in a sentence and once.
    pub marks: Vec<String>,
}

/// A level over the runs.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ComparedLevel {
    /// The value on the axis.
    pub at: u64,
    /// The median of what is compared: of each technique in each run; `null` where it took no part.
    pub medians: Vec<Vec<Option<f64>>>,
    /// Those of them that were extrapolated, in the same places.
    #[serde(skip)]
    pub extrapolated: Vec<Vec<Option<f64>>>,
    /// The median user time in the same places; `null` also where it was not reported, as below the tick of the system's counter.
    pub user_ns: Vec<Vec<Option<f64>>>,
    /// The median system time in the same places.
    pub system_ns: Vec<Vec<Option<f64>>>,
}

/// Gathers contests that are the levels of a curve, and marks them as such.
pub(crate) fn curves(contests: &mut [ComparedContest], sides: &[Side<'_>]) -> Vec<ComparedCurve> {
    let mut curves = Vec::new();
    for first in 0..contests.len() {
        if contests[first].is_level {
            continue;
        }
        let Some(axis) = axis(&contests[first], contests, sides) else { continue };
        let mut levels = levels(first, contests, &axis);
        if levels.len() < 2 {
            continue;
        }
        levels.sort_by_key(|&level| contests[level].work.number(&axis));
        levels.iter().for_each(|&level| contests[level].is_level = true);
        let levels: Vec<&ComparedContest> = levels.iter().map(|&level| &contests[level]).collect();
        curves.push(curve(axis, &levels, sides));
    }
    curves
}

/// Returns the axis of a family's curve: the one that a run had, else, next to published figures, the one that these differ in.
fn axis(of: &ComparedContest, all: &[ComparedContest], sides: &[Side<'_>]) -> Option<String> {
    let known = sides.iter().find_map(|side| side.record.design.curves.get(&of.family));
    known.map(|along| along.axis.clone()).or_else(|| {
        let own = all.iter().filter(|contest| contest.family == of.family);
        let works: Vec<&Workload> = own.map(|contest| &contest.work).collect();
        sides.iter().any(Side::is_published).then(|| axis_of(&works)).flatten()
    })
}

/// Returns the contests that differ from one of them in the axis alone, each value once.
fn levels(first: usize, all: &[ComparedContest], axis: &str) -> Vec<usize> {
    let of = &all[first];
    let Some(at) = of.work.number(axis) else { return Vec::new() };
    let (mut levels, mut known) = (vec![first], vec![at]);
    for (index, other) in all.iter().enumerate().skip(first + 1).filter(|(_, other)| !other.is_level) {
        let is_alike = other.family == of.family
            && other.conditions == of.conditions
            && other.metric.key == of.metric.key
            && other.work.without_axis(axis) == of.work.without_axis(axis);
        if let Some(at) = other.work.number(axis).filter(|at| is_alike && !known.contains(at)) {
            known.push(at);
            levels.push(index);
        }
    }
    levels
}

fn curve(axis: String, levels: &[&ComparedContest], sides: &[Side<'_>]) -> ComparedCurve {
    let first = levels[0];
    let mut techniques: Vec<(String, Vec<String>)> = Vec::new();
    let is_it = |(name, aliases): &(String, Vec<String>), one: &ComparedTechnique| {
        *name == one.technique || aliases.iter().any(|alias| one.aliases.contains(alias))
    };
    for one in levels.iter().flat_map(|level| &level.techniques) {
        if !techniques.iter().any(|known| is_it(known, one)) {
            techniques.push((one.technique.clone(), one.aliases.clone()));
        }
    }
    let values = |level: &ComparedContest, value: fn(&Showed) -> Option<f64>| -> Vec<Vec<Option<f64>>> {
        let values = techniques.iter().map(|known| {
            let found = level.techniques.iter().find(|one| is_it(known, one));
            (0..sides.len()).map(|side| value(found?.showed[side].as_ref()?)).collect()
        });
        values.collect()
    };
    let compared = levels.iter().map(|level| ComparedLevel {
        at: level.work.number(&axis).unwrap_or_default(),
        medians: values(level, |showed| showed.median),
        extrapolated: values(level, |showed| showed.median.filter(|_| showed.extrapolated)),
        user_ns: values(level, |showed| showed.user_ns),
        system_ns: values(level, |showed| showed.system_ns),
    });
    let compared: Vec<ComparedLevel> = compared.collect();
    let medians: Vec<Vec<Option<f64>>> = compared.iter().flat_map(|at| at.medians.clone()).collect();
    let marks = once(levels.iter().flat_map(|level| level.marks.clone()));
    let over = levels.iter().map(|level| level.over).min().unwrap_or_default();
    let answers = sides.iter().enumerate().map(|(place, side)| {
        let mut curves = levels.iter().filter_map(|level| side.decided.curves.get(level.curves[place]?));
        let own = curves.find(|curve| curve.axis == axis);
        // Published figures are means without samples, so they have no answer.
        own.filter(|_| !side.is_published()).map(|curve| curve.sentence.clone())
    });
    ComparedCurve {
        family: first.family.clone(),
        workload: first.work.without_axis(&axis),
        conditions: first.conditions.clone(),
        metric: first.metric.clone(),
        answers: answers.collect(),
        means: means(&medians, sides.len(), over),
        over,
        levels: compared,
        techniques,
        marks,
        axis,
    }
}
