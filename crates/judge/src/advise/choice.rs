//! An entry as a choice: what it gains, what it can cost, and where that stops.

use super::levels::{Level, Levels, log_of};
use super::{Certainty, Choice, Limit, OverPlain, Question};
use crate::contest::ranking::Standing;

/// An entry chosen at one place: between two levels, figures are interpolated and their intervals are those of both levels together.
pub(super) fn at(levels: &Levels<'_>, question: &Question<'_>, entry: &str, at: u64) -> Choice {
    over(levels, question, entry, &levels.around(at), (at, at))
}

/// An entry chosen over some levels: the least favourable of their figures.
pub(super) fn over(
    levels: &Levels<'_>,
    question: &Question<'_>,
    entry: &str,
    used: &[usize],
    (from, to): (u64, u64),
) -> Choice {
    let own: Vec<&Level<'_>> = used.iter().map(|&index| &levels.all[index]).collect();
    let kind = own.iter().find_map(|level| level.entry(entry)).map_or(model::Kind::BuiltIn, |one| one.kind);
    let technique = kind.technique_and_value(entry).0.to_owned();
    // A level that did not compare it limits nothing.
    let costs: Option<Vec<f64>> = own.iter().map(|level| slower(level, entry)).collect();
    let at_most_slower =
        costs.filter(|costs| !costs.is_empty()).map(|all| all.into_iter().fold(0.0, f64::max));
    let delta = own.iter().map(|level| level.ranking.delta).fold(0.0, f64::max);
    let of_levels = || own.iter().find_map(|level| level.ranking.reference.clone());
    let reference = levels.plain().map(str::to_owned).or_else(of_levels);
    let beside = reference.as_deref().filter(|plain| *plain != entry);
    Choice {
        values: (question.values)(entry),
        is_plain: reference.as_deref() == Some(entry),
        plain_was_compared: reference
            .as_deref()
            .is_some_and(|plain| own.iter().all(|one| one.compares(plain))),
        over_plain: beside.and_then(|plain| over_plain(&own, entry, plain, (from, to))),
        certainty: match at_most_slower {
            Some(cost) if cost <= delta + 1e-9 => Certainty::Sure,
            Some(_) => Certainty::Limited,
            None => Certainty::Open,
        },
        at_most_slower,
        confidence: own.iter().filter_map(|level| level.ranking.confidence).reduce(f64::min),
        below: limit(levels, entry, from, Direction::Down),
        above: limit(levels, entry, to, Direction::Up),
        entry: entry.to_owned(),
        technique,
    }
}

/// By how much an entry can be slower than the fastest at a level.
fn slower(level: &Level<'_>, entry: &str) -> Option<f64> {
    if level.entry(entry)?.standing == Standing::Fastest {
        return Some(0.0);
    }
    let high = level.entry(entry)?.factor_high.map(|factor| factor - 1.0);
    match level.ranking.leader.as_deref() == Some(entry) {
        true => level.ranking.at_most_slower.or(high),
        false => high,
    }
    .filter(|cost| cost.is_finite())
}

/// The logarithm of what the plain way costs over the choice.
fn gap(level: &Level<'_>, entry: &str, reference: &str) -> Option<f64> {
    Some(level.cost(reference)? - level.cost(entry)?)
}

/// The plain way beside the choice; `None` where one of the levels did not compare both. Both are known beside the fastest, and that
/// at once: the interval of their ratio follows.
fn over_plain(own: &[&Level<'_>], entry: &str, plain: &str, (from, to): (u64, u64)) -> Option<OverPlain> {
    let gaps: Option<Vec<f64>> = own.iter().map(|level| gap(level, entry, plain)).collect();
    let gaps = gaps.filter(|gaps| !gaps.is_empty())?;
    let typical = match own {
        // Between two levels: in the middle of the part.
        [low, high] if low.at < from && to < high.at => {
            let share = (f64::midpoint(log_of(from), log_of(to)) - low.log()) / (high.log() - low.log());
            gaps[0] + share * (gaps[1] - gaps[0])
        }
        _ => gaps.iter().sum::<f64>() / gaps.len() as f64,
    };
    let low = |level: &&Level<'_>| Some(level.entry(plain)?.factor_low? / (1.0 + slower(level, entry)?));
    let high = |level: &&Level<'_>| {
        let least = level.entry(entry).and_then(|own| own.factor_low).unwrap_or(1.0).max(1.0);
        Some(level.entry(plain)?.factor_high? / least)
    };
    let ends = |end: &dyn Fn(&&Level<'_>) -> Option<f64>, pick: fn(f64, f64) -> f64| {
        let all: Option<Vec<f64>> = own.iter().map(end).collect();
        all?.into_iter().reduce(pick).filter(|end| end.is_finite())
    };
    Some(OverPlain {
        reference: plain.to_owned(),
        factor: typical.exp(),
        factor_low: ends(&low, f64::min),
        factor_high: ends(&high, f64::max),
    })
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Direction {
    Down,
    Up,
}

/// Walks from a place away while the entry may be fastest. `None` where it is not so at the levels around that place.
fn limit(levels: &Levels<'_>, entry: &str, from: u64, direction: Direction) -> Option<Limit> {
    let all = &levels.all;
    let way: Vec<&Level<'_>> = match direction {
        Direction::Up => {
            all[all.partition_point(|level| level.at <= from).saturating_sub(1)..].iter().collect()
        }
        Direction::Down => {
            all[..all.len().min(all.partition_point(|level| level.at < from) + 1)].iter().rev().collect()
        }
    };
    // Of the two levels around a place between them, the choice may be fastest at one alone.
    let is_behind = way.first().is_some_and(|level| level.at != from && !level.may_be_fastest(entry));
    let way = &way[usize::from(is_behind)..];
    // Nothing is known of it at levels that did not compare it.
    let known = way.iter().take_while(|level| level.cost(entry).is_some()).count();
    let holds = way[..known].iter().take_while(|level| level.may_be_fastest(entry)).count();
    let last = way.get(holds.checked_sub(1)?)?;
    let beyond = way[..known].get(holds);
    let instead = beyond.map(|level| level.leader().to_owned());
    let about = beyond.zip(instead.as_deref()).and_then(|(far, other)| equal_at(last, far, entry, other));
    Some(Limit { last: last.at, beyond: beyond.map(|level| level.at), about, instead })
}

/// Where the typical values of two entries are equal.
fn equal_at(near: &Level<'_>, far: &Level<'_>, entry: &str, other: &str) -> Option<f64> {
    let gap = |level: &Level<'_>| Some(level.cost(entry)? - level.cost(other)?);
    let (start, end) = (gap(near)?, gap(far)?);
    let crosses = start <= 0.0 && end > 0.0;
    crosses.then(|| (near.log() + (far.log() - near.log()) * start / (start - end)).exp())
}
