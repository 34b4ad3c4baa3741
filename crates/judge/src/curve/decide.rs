//! From the levels of an axis to what may be said over them.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use crate::choice::{choices, ranges};
use crate::contest::field::Field;
use crate::contest::ranking::{Choice, Entry, Ranking, Standing};
use crate::curve::levels::{Levels, curves_of};
use crate::curve::spread::spread;
use crate::curve::{Absence, Absent, Curve, Level, Line, Point};

pub(crate) fn curves(fields: &[Field<'_>], rankings: &[Ranking]) -> Vec<Curve> {
    let curves = curves_of(fields);
    let levels = curves.iter().filter_map(|curve| Levels::new(curve, fields, rankings));
    levels.map(|levels| decided(&levels, rankings)).collect()
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
        workload: ranking.workload.without_axis(&levels.along.axis),
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

/// Returns the techniques that lead a contest of the same work, at a level of the curve or next to it.
fn rivals<'l>(levels: &'l Levels<'_>, all: &'l [Ranking]) -> BTreeSet<&'l str> {
    let first = levels.rankings[0];
    let same_work = all.iter().filter(|other| {
        other.family == first.family
            && other.setting == first.setting
            && other.class == first.class
            && other.metric == first.metric
            && (levels.rankings.iter().any(|level| std::ptr::eq(*level, *other))
                || other.workload.number(&levels.along.axis).is_some())
    });
    let judged = same_work.filter(|one| !one.candidates.is_empty());
    let leaders = judged.filter_map(|one| one.entry(one.leader.as_deref()?));
    leaders.map(|entry| levels.known_technique(entry)).collect()
}

fn level(levels: &Levels<'_>, place: usize, choice: Option<Choice>, rivals: &BTreeSet<&str>) -> Level {
    let ranking = levels.rankings[place];
    let mut not_compared = levels.all();
    not_compared.retain(|technique| levels.absence(technique, place).is_some_and(Absence::limits_the_answer));
    let unmeasured = rivals.iter().filter(|technique| {
        ranking.leader.is_some()
            && matches!(levels.absence(technique, place), Some(Absence::NotEntered | Absence::Skipped))
    });
    Level {
        at: levels.at[place],
        workload: ranking.workload.name.clone(),
        tied: if levels.is_contested(place) { ranking.candidates.clone() } else { Vec::new() },
        choice,
        rivals_not_measured: unmeasured.map(|name| (*name).to_owned()).collect(),
        compared: levels.standing(place).len() as u32,
        not_compared: not_compared.into_iter().map(str::to_owned).collect(),
        rounds: ranking.rounds,
    }
}

/// Returns the techniques: by the number of levels at which they may be fastest, the lowest such level, and the mean factor.
fn lines(levels: &Levels<'_>) -> Vec<Line> {
    let named: Vec<&str> = levels.along.named.iter().map(|entry| levels.technique(entry)).collect();
    let lines = levels.all().into_iter().map(|technique| Line {
        technique: technique.to_owned(),
        is_named: named.contains(&technique),
        points: (0..levels.at.len()).filter_map(|level| point(levels, technique, level)).collect(),
        absent: (0..levels.at.len())
            .filter_map(|level| Some(Absent { at: levels.at[level], why: levels.absence(technique, level)? }))
            .collect(),
        spread: spread(levels, technique),
    });
    let mut lines: Vec<Line> = lines.collect();
    let key = |line: &Line| {
        let wins = line.points.iter().filter(|point| point.may_be_fastest).count();
        let first = line.points.iter().position(|point| point.may_be_fastest);
        let factors: Vec<f64> = line.points.iter().filter_map(|point| point.factor).map(f64::ln).collect();
        ((Reverse(wins), first), if factors.is_empty() { f64::INFINITY } else { stats::mean(&factors) })
    };
    lines.sort_by(|a, b| {
        let ((a, mean), (b, other)) = (key(a), key(b));
        a.cmp(&b).then(mean.total_cmp(&other))
    });
    lines
}

fn point(levels: &Levels<'_>, technique: &str, level: usize) -> Option<Point> {
    let ranking = levels.rankings[level];
    let mut own: Vec<&Entry> = ranking.entries.iter().collect();
    own.retain(|entry| {
        !matches!(entry.standing, Standing::Skipped | Standing::Ceiling | Standing::Failed)
            && levels.technique(&entry.technique) == technique
    });
    let may_be_fastest = |entries: &[&Entry]| entries.iter().any(|entry| entry.standing.is_candidate());
    let mut called_so = own.clone();
    called_so.retain(|entry| entry.without_value() == technique);
    // What is shown is what has that name, unless only another variant may be fastest here.
    if may_be_fastest(&called_so) || !called_so.is_empty() && !may_be_fastest(&own) {
        own = called_so;
    }
    let factors = own.iter().map(|entry| (entry.factor.unwrap_or(f64::INFINITY), entry));
    let (_, best) = factors.min_by(|a, b| a.0.total_cmp(&b.0))?;
    let judged = levels.is_contested(level);
    let lows: Option<Vec<f64>> = own.iter().map(|entry| entry.factor_low).collect();
    Some(Point {
        at: levels.at[level],
        entry: best.technique.clone(),
        median: best.median,
        factor: best.factor,
        factor_low: lows.filter(|_| judged).and_then(|lows| lows.into_iter().reduce(f64::min)),
        // One entry with a limit is enough: the technique is as good as its best.
        factor_high: own.iter().filter_map(|entry| entry.factor_high).reduce(f64::min).filter(|_| judged),
        may_be_fastest: judged && may_be_fastest(&own),
    })
}
