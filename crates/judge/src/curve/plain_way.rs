//! How the plain way compares with the fastest over the levels of a curve.

use crate::curve::words::Words;
use crate::curve::{Line, PlainWay, Point};
use crate::words::terms::{Number, Terms};
use crate::words::wording::range;

/// The plain way over the levels at which it was judged. `None` where nothing is known of how far it is from the fastest.
pub(crate) fn plain_way(name: &str, lines: &[Line], words: &Words<'_>) -> Option<PlainWay> {
    let line = lines.iter().find(|line| line.technique == name)?;
    let judged: Vec<&Point> = line.points.iter().filter(|point| is_judged(point)).collect();
    let told = of_others(name, lines, &judged, words)
        .or_else(|| everywhere(name, &judged, words))
        .or_else(|| where_it_costs_most(name, &judged, words))
        .or_else(|| its_limit(name, &judged, words))?;
    let sentence = format!("{}{}.", told.sentence, words.sure_at_each());
    Some(PlainWay { sentence, ..told })
}

fn is_judged(point: &Point) -> bool {
    point.factor_low.is_some() || point.factor_high.is_some()
}

/// A lower end that is not known is that of the fastest itself.
fn least(point: &Point) -> f64 {
    point.factor_low.unwrap_or(1.0)
}

fn least_of(points: &[&Point]) -> Option<f64> {
    points.iter().map(|point| least(point)).reduce(f64::min)
}

/// `None` where a level has no upper end.
fn most_of(points: &[&Point]) -> Option<f64> {
    points.iter().map(|point| point.factor_high).collect::<Option<Vec<f64>>>()?.into_iter().reduce(f64::max)
}

/// Where the plain way is fastest at every level: what the others take beside it.
fn of_others(name: &str, lines: &[Line], judged: &[&Point], words: &Words<'_>) -> Option<PlainWay> {
    let is_at = |point: &&Point| judged.iter().any(|own| own.at == point.at);
    let is_alone =
        !judged.is_empty() && judged.iter().all(|own| own.factor_high.is_some_and(|high| high <= 1.0));
    let others = lines.iter().filter(|line| line.technique != name).flat_map(|line| &line.points);
    let others: Vec<&Point> = others.filter(is_at).collect();
    let factor_low = least_of(&others).filter(|_| is_alone)?;
    let bound = Terms::least(factor_low)?;
    let who = "every other technique that was compared";
    let told = words.terms().beside(who, Number::One, &bound);
    let sentence = format!("{name} is {}: {told}{}", words.plain_way(), words.over_levels(judged.len()));
    Some(PlainWay { is_of_others: true, at: None, factor_low, factor_high: None, sentence })
}

/// Where it is surely worse at every level.
fn everywhere(name: &str, judged: &[&Point], words: &Words<'_>) -> Option<PlainWay> {
    let (factor_low, factor_high) = (least_of(judged)?, most_of(judged));
    let least = Terms::least(factor_low)?;
    let sentence = match factor_high {
        Some(high) => {
            let told = words.terms().beside_the_best(name, &range(factor_low, high));
            format!("{told}, depending on the {}", words.kind())
        }
        None => {
            let told = words.terms().beside_the_best(name, &least);
            format!("{told}{}", words.over_levels(judged.len()))
        }
    };
    Some(PlainWay { is_of_others: false, at: None, factor_low, factor_high, sentence })
}

/// Where it is surely worse at some levels: what it costs at that where it surely costs most.
fn where_it_costs_most(name: &str, judged: &[&Point], words: &Words<'_>) -> Option<PlainWay> {
    let worst = judged.iter().max_by(|a, b| least(a).total_cmp(&least(b)))?;
    let (factor_low, factor_high) = (least(worst), worst.factor_high);
    let bound = Terms::least(factor_low).map(|least| match factor_high {
        Some(high) => range(factor_low, high),
        None => least,
    })?;
    let maybe = judged.iter().filter(|point| point.may_be_fastest).count();
    let elsewhere = match maybe {
        0 => String::new(),
        maybe => format!("; {name} {}{}", words.terms().may_be_best, words.over_levels(maybe)),
    };
    let told = words.terms().beside_the_best(name, &bound);
    let sentence = format!("{told} at {}{elsewhere}", words.place(worst.at));
    Some(PlainWay { is_of_others: false, at: Some(worst.at), factor_low, factor_high, sentence })
}

/// Where it is surely worse at no level: the most that it can cost.
fn its_limit(name: &str, judged: &[&Point], words: &Words<'_>) -> Option<PlainWay> {
    let high = most_of(judged)?;
    let told = words.terms().costs_at_most(name, high - 1.0);
    let sentence = format!("{told}{}", words.over_levels(judged.len()));
    Some(PlainWay { is_of_others: false, at: None, factor_low: 1.0, factor_high: Some(high), sentence })
}
