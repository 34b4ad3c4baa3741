//! From the levels of an axis to what may be said over them.

use std::collections::BTreeSet;

use stats::{Growth as FoundGrowth, power_law};

use crate::choice::{choices, ranges};
use crate::contest::field::Field;
use crate::contest::ranking::{Choice, Entry, Ranking, Standing};
use crate::curve::along::{Levels, curves_of, without_value};
use crate::curve::spread::spread;
use crate::curve::{Absence, Absent, Curve, Growth, GrowthKind, Level, Line, Point};

/// The curves of a run.
pub(crate) fn curves(fields: &[Field<'_>], rankings: &[Ranking]) -> Vec<Curve> {
    let of =
        |curve: Vec<usize>| Levels::new(&curve, fields, rankings).map(|levels| decided(&levels, rankings));
    curves_of(fields).into_iter().filter_map(of).collect()
}

fn decided(levels: &Levels<'_>, all: &[Ranking]) -> Curve {
    let ranking = levels.rankings[0];
    let choices = choices(&levels.rankings, &[]);
    let rivals = rivals(levels, all);
    let confidence = levels.rankings.iter().filter_map(|ranking| ranking.confidence).reduce(f64::min);
    let baseline = ranking.baseline.as_deref().map(|entry| levels.technique(entry).to_owned());
    Curve {
        family: ranking.family.clone(),
        axis: levels.along.axis.clone(),
        workload: ranking.workload.beside(&levels.along.axis),
        setting: ranking.setting.clone(),
        class: ranking.class,
        metric: ranking.metric.clone(),
        unit_is_known: ranking.unit_is_known,
        sentence: String::new(),
        confidence,
        ranges: ranges(&levels.at, &choices),
        levels: (0..levels.at.len())
            .map(|place| level(levels, place, choices[place].clone(), &rivals))
            .collect(),
        techniques: lines(levels),
        baseline,
        marks: levels.along.marks.clone(),
    }
}

/// The techniques that lead a contest of the same work, at a level of the curve or next to it.
fn rivals<'l>(levels: &'l Levels<'_>, all: &'l [Ranking]) -> BTreeSet<&'l str> {
    let first = levels.rankings[0];
    let is_same_work = |other: &&Ranking| {
        let is_level = |level: &&Ranking| std::ptr::eq(*level, *other);
        other.family == first.family
            && other.setting == first.setting
            && other.class == first.class
            && other.metric == first.metric
            && (levels.rankings.iter().any(is_level) || other.workload.number(&levels.along.axis).is_some())
    };
    let judged = all.iter().filter(is_same_work).filter(|one| !one.candidates.is_empty());
    judged.filter_map(|one| one.leader.as_deref()).map(|entry| levels.known_technique(entry)).collect()
}

fn level(levels: &Levels<'_>, place: usize, choice: Option<Choice>, rivals: &BTreeSet<&str>) -> Level {
    let ranking = levels.rankings[place];
    let limits = |technique: &&str| levels.absence(technique, place).is_some_and(Absence::limits_the_answer);
    let is_unmeasured = |technique: &&&str| {
        let is_missing =
            matches!(levels.absence(technique, place), Some(Absence::NotEntered | Absence::Skipped));
        is_missing && ranking.leader.is_some()
    };
    Level {
        at: levels.at[place],
        workload: ranking.workload.name.clone(),
        tied: if levels.is_contested(place) { ranking.candidates.clone() } else { Vec::new() },
        choice,
        rivals_not_measured: rivals.iter().filter(is_unmeasured).map(|name| (*name).to_owned()).collect(),
        compared: levels.standing(place).len() as u32,
        not_compared: levels.all().into_iter().filter(limits).map(str::to_owned).collect(),
        rounds: ranking.rounds,
    }
}

/// The techniques: those that may be fastest at most levels first, among them who is so from the lowest level on, then by
/// their mean factor.
fn lines(levels: &Levels<'_>) -> Vec<Line> {
    let named: Vec<&str> = levels.along.named.iter().map(|entry| levels.technique(entry)).collect();
    let line = |technique: &str| Line {
        technique: technique.to_owned(),
        is_named: named.contains(&technique),
        points: (0..levels.at.len()).filter_map(|level| point(levels, technique, level)).collect(),
        absent: (0..levels.at.len())
            .filter_map(|level| Some(Absent { at: levels.at[level], why: levels.absence(technique, level)? }))
            .collect(),
        growth: growth(levels, technique),
        spread: spread(levels, technique),
    };
    let mut lines: Vec<Line> = levels.all().into_iter().map(line).collect();
    let wins = |line: &Line| line.points.iter().filter(|point| point.may_be_fastest).count();
    let mean = |line: &Line| {
        let factors: Vec<f64> = line.points.iter().filter_map(|point| point.factor).map(f64::ln).collect();
        if factors.is_empty() { f64::INFINITY } else { stats::mean(&factors) }
    };
    let first = |line: &Line| line.points.iter().position(|point| point.may_be_fastest);
    let order = |a: &Line, b: &Line| {
        wins(b).cmp(&wins(a)).then(first(a).cmp(&first(b))).then(mean(a).total_cmp(&mean(b)))
    };
    lines.sort_by(order);
    lines
}

fn point(levels: &Levels<'_>, technique: &str, level: usize) -> Option<Point> {
    let ranking = levels.rankings[level];
    let took_part = |entry: &&Entry| {
        !matches!(entry.standing, Standing::Skipped | Standing::Ceiling | Standing::Failed)
            && levels.technique(&entry.technique) == technique
    };
    let mut own: Vec<&Entry> = ranking.entries.iter().filter(took_part).collect();
    // What is shown is what has that name, unless only another variant may be fastest here.
    let is_called_so = |entry: &&Entry| without_value(&entry.technique) == technique;
    let may_be_fastest = |entry: &&Entry| entry.standing.is_candidate();
    let called_so = || own.iter().copied().filter(is_called_so);
    if called_so().any(|entry| may_be_fastest(&entry))
        || called_so().count() > 0 && !own.iter().any(may_be_fastest)
    {
        own.retain(is_called_so);
    }
    let factor = |entry: &&&Entry| entry.factor.unwrap_or(f64::INFINITY);
    let best = own.iter().min_by(|a, b| factor(a).total_cmp(&factor(b)))?;
    let judged = levels.is_contested(level);
    let least = |end: fn(&Entry) -> Option<f64>| {
        own.iter().map(|entry| end(entry)).collect::<Option<Vec<f64>>>()?.into_iter().reduce(f64::min)
    };
    Some(Point {
        at: levels.at[level],
        entry: best.technique.clone(),
        median: best.median,
        factor: best.factor,
        factor_low: least(|entry| entry.factor_low).filter(|_| judged),
        // One entry with a limit is enough: the technique is as good as its best.
        factor_high: own.iter().filter_map(|entry| entry.factor_high).reduce(f64::min).filter(|_| judged),
        may_be_fastest: judged && own.iter().any(|entry| entry.standing.is_candidate()),
    })
}

/// Nothing grows where every level does the same work in another way.
fn growth(levels: &Levels<'_>, technique: &str) -> Option<Growth> {
    if levels.along.is_same_work {
        return None;
    }
    let entry = levels.best_entry(technique)?;
    let sizes: Vec<f64> = levels.at.iter().map(|&at| at as f64).collect();
    let alpha = levels.fields[0].contest.alpha;
    let law = power_law(&sizes, &levels.times(entry)?, alpha, &levels.looks())?;
    let ends = law.local.first().zip(law.local.last()).map(|(&low, &high)| (low, high));
    let finite = |end: f64| Some(end).filter(|end| end.is_finite());
    Some(Growth {
        entry: entry.to_owned(),
        kind: match law.growth {
            FoundGrowth::Linear => GrowthKind::Linear,
            FoundGrowth::FasterThanLinear => GrowthKind::Faster,
            FoundGrowth::SlowerThanLinear => GrowthKind::Slower,
            FoundGrowth::Bent => GrowthKind::Bent,
            FoundGrowth::Open => GrowthKind::Open,
        },
        exponent: law.exponent.estimate,
        exponent_low: finite(law.exponent.low),
        exponent_high: finite(law.exponent.high),
        ends: ends.filter(|_| law.growth == FoundGrowth::Bent),
    })
}
