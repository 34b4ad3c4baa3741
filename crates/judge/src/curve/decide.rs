//! From the levels of an axis to what may be said over them.

use stats::contest::{Crossover as Found, Reach as FoundReach, ahead, crossover, curve};
use stats::{Growth as FoundGrowth, power_law};

use crate::contest::field::Field;
use crate::contest::ranking::{Entry, Ranking, Standing};
use crate::curve::along::{Levels, curves_of, without_value};
use crate::curve::plain_way::plain_way;
use crate::curve::spread::spread;
use crate::curve::words::Words;
use crate::curve::{
    Absence, Absent, Crossover, CrossoverKind, Curve, Growth, GrowthKind, Level, Line, Point, Reach,
};

/// The curves of a run.
pub(crate) fn curves(fields: &[Field<'_>], rankings: &[Ranking]) -> Vec<Curve> {
    let of = |curve: Vec<usize>| Levels::new(&curve, fields, rankings).map(|levels| decided(&levels));
    curves_of(fields).into_iter().filter_map(of).collect()
}

fn decided(levels: &Levels<'_>) -> Curve {
    let ranking = levels.rankings[0];
    let (up, down) = reaches(levels);
    let shown: Vec<Level> = (0..levels.at.len()).map(|level| told(levels, level)).collect();
    let confidence = levels.rankings.iter().filter_map(|ranking| ranking.confidence).reduce(f64::min);
    let words = Words::new(levels, confidence);
    let techniques = lines(levels);
    let reference = ranking.reference.as_deref().map(|entry| levels.technique(entry).to_owned());
    Curve {
        family: ranking.family.clone(),
        axis: levels.along.axis.clone(),
        workload: ranking.workload.beside(&levels.along.axis),
        setting: ranking.setting.clone(),
        class: ranking.class,
        quantity: ranking.quantity.clone(),
        unit_is_known: ranking.unit_is_known,
        sentence: words.answer(up.as_ref(), down.as_ref(), &shown),
        confidence,
        plain_way: reference.as_deref().and_then(|name| plain_way(name, &techniques, &words)),
        techniques,
        reference,
        crossovers: crossovers(levels, up.as_ref(), down.as_ref(), &words),
        fastest_up_to: up,
        fastest_from: down,
        levels: shown,
        marks: levels.along.marks.clone(),
    }
}

/// How far from either end one technique is fastest.
fn reaches(levels: &Levels<'_>) -> (Option<Reach>, Option<Reach>) {
    let names: Vec<&str> = levels.all().into_iter().collect();
    let place = |technique: &str| names.iter().position(|name| *name == technique);
    let groups = |level| levels.curve_candidates(level).into_iter().filter_map(place).collect();
    let found = curve(&(0..levels.at.len()).map(groups).collect::<Vec<Vec<usize>>>());
    let told =
        |reach: FoundReach| Reach { technique: names[reach.group].to_owned(), level: levels.at[reach.level] };
    (found.up.map(told), found.down.map(told))
}

fn told(levels: &Levels<'_>, level: usize) -> Level {
    let ranking = levels.rankings[level];
    let mut fastest: Vec<String> = Vec::new();
    for candidate in ranking.candidates.iter().map(|entry| levels.technique(entry)) {
        if levels.is_contested(level) && !fastest.iter().any(|known| known == candidate) {
            fastest.push(candidate.to_owned());
        }
    }
    let limits = |technique: &&str| levels.absence(technique, level).is_some_and(Absence::limits_the_answer);
    Level {
        at: levels.at[level],
        workload: ranking.workload.name.clone(),
        fastest,
        compared: levels.standing(level).len() as u32,
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
        if factors.is_empty() { f64::INFINITY } else { factors.iter().sum::<f64>() / factors.len() as f64 }
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
        !matches!(entry.standing, Standing::LeftOut | Standing::Limit | Standing::Failed)
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
    let ends = law.local.first().zip(law.local.last()).map(|(low, high)| (low.exponent, high.exponent));
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

/// The pairs that the family asks for; without any, the techniques that are fastest at the two ends. Two that merely lead
/// there were chosen by the same values, and nothing would be sure of them.
fn crossovers(
    levels: &Levels<'_>,
    up: Option<&Reach>,
    down: Option<&Reach>,
    words: &Words<'_>,
) -> Vec<Crossover> {
    let declared = &levels.along.pairs;
    let ends = || match (up, down) {
        (Some(up), Some(down)) if up.technique != down.technique => {
            vec![(up.technique.clone(), down.technique.clone())]
        }
        _ => Vec::new(),
    };
    let pairs = if declared.is_empty() { ends() } else { declared.clone() };
    pairs.iter().filter_map(|(one, other)| between(levels, one, other, words)).collect()
}

fn between(levels: &Levels<'_>, one: &str, other: &str, words: &Words<'_>) -> Option<Crossover> {
    let (one, other) = (levels.best_entry(one)?, levels.best_entry(other)?);
    let pair = levels.pair(one, other);
    let places = levels.pair_levels(&pair);
    let (first, last) = (pair.first()?.0, pair.last()?.0);
    if first == last {
        return None;
    }
    let alpha = levels.fields[0].contest.alpha;
    let name = |which: usize| if which == 0 { one } else { other }.to_owned();
    let at = |level: usize| ahead(&places[level], 0, 1, alpha).map(name);
    let (below, above) = (at(0), at(places.len() - 1));
    let (kind, range, about) = match crossover(&places, 0, 1, alpha) {
        Found::Between { from, to, about, .. } => {
            let level = |value: f64| {
                pair.iter().map(|(level, _)| levels.at[*level]).find(|&at| (at as f64).max(0.5) == value)
            };
            (CrossoverKind::Between, level(from).zip(level(to)), about)
        }
        Found::AheadAtBothEnds { throughout: true, .. } => (CrossoverKind::Throughout, None, None),
        Found::AheadAtBothEnds { .. } => (CrossoverKind::AtBothEnds, None, None),
        Found::Open => (CrossoverKind::Open, None, None),
    };
    let mut found = Crossover {
        entries: (one.to_owned(), other.to_owned()),
        kind,
        ahead_below: below,
        ahead_above: above,
        from: range.map(|(from, _)| from),
        to: range.map(|(_, to)| to),
        about: about.filter(|about| about.is_finite()),
        sentence: String::new(),
    };
    found.sentence = words.crossover(&found, levels.at[first], levels.at[last]);
    Some(found)
}
