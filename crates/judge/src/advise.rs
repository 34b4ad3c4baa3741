//! What a program should use for a task on this host, from kept runs.
//!
//! The answer is the choice at a measured level, or between two neighbouring levels with one choice. Elsewhere nothing is known, and
//! what is known nearby is given instead.

use model::{Class, Conditions, Metric, Point, RunId, Workload};
use serde::Serialize;
use serde_with::skip_serializing_none;

use crate::choice::{Range, choices, is_named, ranges};
use crate::contest::ranking::{Choice, Entry};
use crate::curve::{Curve, Gain, Spread};
use crate::decide::Decided;
use crate::words::curve::rivals;

mod levels;
mod words;

use levels::{Levels, is_judged};

/// A kept run with what may be said of it.
#[derive(Debug, Clone, Copy)]
pub struct KeptAnswers<'a> {
    /// The run.
    pub id: &'a RunId,
    /// When it began.
    pub started: &'a str,
    /// Its contests and curves.
    pub decided: &'a Decided,
}

/// A way to understand what is asked: the whole of a task, or a place on one of its axes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asked {
    /// The task with all its values.
    pub workload: Workload,
    /// The number of the workload along which measured levels are looked for; `None` asks for this workload alone.
    pub axis: Option<String>,
    /// True if the user named the value on that axis: then the answer is for that level, else for all of them.
    pub is_level: bool,
}

/// Constraints on the answer to a question.
#[derive(Clone, Copy)]
pub struct Question<'a> {
    /// Name of the family.
    pub family: &'a str,
    /// The conditions that must be equal. Without a limit of memory, that of the family's own question is taken.
    pub conditions: &'a Conditions,
    /// The key of what is compared.
    pub metric: &'a str,
    /// The techniques, or entries, that the user can choose from; all where it is empty.
    pub among: &'a [String],
    /// The values of an entry's parameters, by the entry's name.
    pub values: &'a dyn Fn(&str) -> Point,
}

/// The basis of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Basis {
    /// This very level was measured, or there is no axis.
    Measured,
    /// It lies between two measured levels.
    Between {
        /// The next measured level below.
        below: u64,
        /// The next measured level above.
        above: u64,
    },
    /// It lies outside of what was measured: there is no answer.
    Outside {
        /// The nearest measured level.
        nearest: u64,
    },
    /// No level was asked for: the answer is about all that were measured.
    AllLevels {
        /// The lowest.
        from: u64,
        /// The highest.
        to: u64,
    },
}

/// The choice at neighboring levels, both ends included.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Advised {
    /// The levels and the choice.
    #[serde(flatten)]
    pub range: Range,
    /// The technique of the chosen entry.
    pub technique: String,
    /// The values of its parameters by their names, the unit last.
    #[serde(skip_serializing_if = "Point::is_empty")]
    pub values: Point,
    /// True if choosing it costs no more than the tolerance of its runs.
    pub is_sure: bool,
    /// The chance that each of its levels is judged rightly, at least.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub confidence: Option<f64>,
    /// Counted rounds that were judged, at least.
    pub rounds: u32,
    /// When the latest of its runs began.
    pub started: String,
    /// The runs that it was taken from.
    pub runs: Vec<RunId>,
}

/// The best levels, where all levels do the same work.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BestLevels {
    /// The entry that is best at them.
    pub entry: String,
    /// The levels that are tied for it.
    pub levels: Vec<u64>,
    /// The one to choose.
    pub chosen: u64,
    /// The gain of the chosen level over the highest, where levels are not numbers of workers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gain: Option<Gain>,
}

/// A run that an answer was taken from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Origin {
    /// The run.
    pub run: RunId,
    /// When it began.
    pub started: String,
    /// The levels that were taken from it; empty where there is no axis.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub levels: Vec<u64>,
    /// The number of entries it compared there, at least.
    pub compared: usize,
    /// Counted rounds that were judged, at least.
    pub rounds: u32,
}

/// The advice for a task on this host, and its basis.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Advice {
    /// Name of the family.
    pub family: String,
    /// The task; without the number on the axis where all levels were asked for.
    pub workload: Workload,
    /// Under which conditions.
    pub conditions: Conditions,
    /// The kind of result that these techniques leave.
    pub class: Class,
    /// The compared metric.
    pub metric: Metric,
    /// The baseline, where it was compared.
    pub baseline: Option<String>,
    /// The advice in a sentence.
    pub sentence: String,
    /// Remarks on its basis, in sentences.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub remarks: Vec<String>,
    /// The number along which levels were looked for.
    pub axis: Option<String>,
    /// The level that was asked for.
    pub at: Option<u64>,
    /// The basis of the answer.
    pub basis: Basis,
    /// The choice at the level that was asked for; absent where it is unknown, and where all levels were asked for.
    pub choice: Option<Choice>,
    /// The choices along the axis, ascending. Between two of these nothing is known.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub ranges: Vec<Advised>,
    /// The measured levels, ascending.
    #[serde(skip)]
    pub levels: Vec<u64>,
    /// The best levels, where all do the same work and none was asked for.
    pub best_levels: Option<BestLevels>,
    /// The runs that it was taken from, the latest first.
    pub origins: Vec<Origin>,
}

impl Advice {
    /// Returns whether it says what to use.
    pub fn is_answer(&self) -> bool {
        self.choice.is_some() || matches!(self.basis, Basis::AllLevels { .. }) && !self.ranges.is_empty()
    }
}

/// Answers what to use from the kept runs, the latest first; `None` where nothing relevant was measured. Of the ways to understand a
/// question, the first with a whole answer counts, then the first of which anything is known.
pub fn advise(question: &Question<'_>, asked: &[Asked], kept: &[KeptAnswers<'_>]) -> Option<Advice> {
    let mut partial = None;
    for one in asked {
        let Some(levels) = Levels::of(question, one, kept) else { continue };
        let advice = advice(question, one, &levels, kept);
        // A single level where all were meant is less than was asked.
        let is_whole = !matches!(advice.basis, Basis::AllLevels { from, to } if from == to);
        // A level without an answer has none when it is looked at alone.
        if advice.is_answer() && is_whole || advice.basis == Basis::Measured && advice.at.is_some() {
            return Some(advice);
        }
        partial = partial.or(Some(advice));
    }
    partial
}

fn advice(question: &Question<'_>, asked: &Asked, levels: &Levels<'_>, kept: &[KeptAnswers<'_>]) -> Advice {
    let rankings: Vec<_> = levels.all.iter().map(|level| level.ranking).collect();
    let choices = choices(&rankings, question.among);
    let at_levels: Vec<u64> = levels.all.iter().map(|level| level.at).collect();
    let ranges: Vec<Advised> =
        ranges(&at_levels, &choices).into_iter().map(|range| advised(question, levels, range)).collect();
    let axis = asked.axis.clone();
    let at = axis.as_deref().filter(|_| asked.is_level).and_then(|axis| asked.workload.number(axis));
    let basis = levels.basis(at);
    let used = match (basis, at) {
        (Basis::AllLevels { .. }, _) | (_, None) => (0..levels.all.len()).collect(),
        (_, Some(at)) => levels.around(at),
    };
    let choice = match basis {
        Basis::AllLevels { .. } | Basis::Outside { .. } => None,
        Basis::Measured | Basis::Between { .. } => common(used.iter().map(|&index| choices[index].as_ref())),
    };
    let whole = axis.as_deref().filter(|_| matches!(basis, Basis::AllLevels { .. }));
    let curve = axis.as_deref().and_then(|axis| curve_of(question, asked, axis, levels, kept));
    let best_levels =
        curve.filter(|_| whole.is_some()).and_then(|curve| best_levels(question, curve, levels));
    let first = &levels.all[0];
    let mut advice = Advice {
        family: question.family.to_owned(),
        workload: whole.map_or_else(|| asked.workload.clone(), |axis| asked.workload.without_axis(axis)),
        conditions: first.ranking.setting.conditions.clone(),
        class: first.ranking.class,
        metric: first.ranking.metric.clone(),
        baseline: levels.all.iter().find_map(|level| level.ranking.baseline.clone()),
        sentence: String::new(),
        remarks: Vec::new(),
        axis,
        at,
        basis,
        choice,
        ranges,
        levels: at_levels,
        best_levels,
        origins: levels.origins(&used),
    };
    let open = match (basis, &used[..]) {
        (Basis::Measured, [index]) => Some(rankings[*index]).filter(|one| !is_judged(one, question.among)),
        _ => None,
    };
    let there = used.first().and_then(|&index| choices[index].as_ref());
    advice.sentence = words::sentence(&advice, question.among, open, there);
    advice.remarks = words::remarks(&advice);
    let used: Vec<u64> = used.into_iter().map(|index| advice.levels[index]).collect();
    advice.remarks.extend(curve.and_then(|curve| rivals(curve, &used)));
    advice.remarks.extend(levels.set_aside());
    advice
}

/// Returns the choice that some levels share, with the least favourable of their figures.
fn common<'c>(mut all: impl Iterator<Item = Option<&'c Choice>>) -> Option<Choice> {
    let first = all.next()??.clone();
    all.try_fold(first, |known, next| {
        let next = next.filter(|next| next.entry == known.entry)?;
        Some(known.and(next))
    })
}

fn advised(question: &Question<'_>, levels: &Levels<'_>, range: Range) -> Advised {
    let mut used: Vec<usize> = (0..levels.all.len()).collect();
    used.retain(|&index| (range.from..=range.to).contains(&levels.all[index].at));
    let rankings: Vec<_> = used.iter().map(|&index| levels.all[index].ranking).collect();
    let entry = range.choice.entry.as_str();
    let line = rankings.iter().find_map(|ranking| ranking.entry(entry));
    let tolerance = rankings.iter().map(|ranking| ranking.delta).fold(f64::INFINITY, f64::min);
    let origins = levels.origins(&used);
    Advised {
        technique: line.map_or(entry, Entry::without_value).to_owned(),
        values: (question.values)(entry),
        is_sure: range.choice.at_most_slower.is_some_and(|cost| cost <= tolerance + 1e-9),
        confidence: rankings.iter().filter_map(|ranking| ranking.confidence).reduce(f64::min),
        rounds: origins.iter().map(|origin| origin.rounds).min().unwrap_or_default(),
        started: origins.first().map_or(String::new(), |latest| latest.started.clone()),
        runs: origins.into_iter().map(|origin| origin.run).collect(),
        range,
    }
}

/// Returns the latest curve with some of the levels.
fn curve_of<'k>(
    question: &Question<'_>, asked: &Asked, axis: &str, levels: &Levels<'_>, kept: &[KeptAnswers<'k>],
) -> Option<&'k Curve> {
    let mut curves = kept.iter().flat_map(|run| &run.decided.curves);
    curves.find(|curve| {
        curve.family == question.family
            && curve.axis == axis
            && curve.metric.key == question.metric
            && curve.workload == asked.workload.without_axis(axis)
            && levels.all.iter().any(|level| curve.holds(level.ranking))
    })
}

/// Returns the levels that are best for the technique that takes least at any of them, of those that are chosen at some level; `None`
/// where no level is shown to be best.
fn best_levels(question: &Question<'_>, curve: &Curve, levels: &Levels<'_>) -> Option<BestLevels> {
    let entries = || levels.all.iter().flat_map(|level| &level.ranking.entries);
    let named = curve.techniques.iter().filter(|line| {
        let own = |entry: &&Entry| line.points.iter().any(|point| point.entry == entry.technique);
        question.among.is_empty() || entries().filter(own).any(|entry| is_named(entry, question.among))
    });
    let all = named.filter_map(|line| {
        let Spread { entry, best, chosen, gain, .. } = line.spread.clone()?;
        let chosen = chosen?;
        if !curve.ranges.iter().any(|range| range.choice.entry == entry) {
            return None;
        }
        let point = line.points.iter().find(|point| point.at == chosen);
        let median = point.and_then(|point| point.median.value());
        let cost = median.map_or(f64::INFINITY, |value| curve.metric.cost(value));
        Some((cost, BestLevels { entry, levels: best, chosen, gain }))
    });
    all.min_by(|(one, _), (other, _)| one.total_cmp(other)).map(|(_, best)| best)
}
