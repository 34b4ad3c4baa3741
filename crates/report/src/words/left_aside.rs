//! What was not compared at levels of a curve: which technique, where, and why; and what is counted that should be none.

use std::collections::BTreeMap;

use judge::{Absence, Curve, FailureLine, Line, Ranking};
use model::axis_value;

use crate::words::curves::levels;
use crate::words::phrase::{self, MOST_NAMES, by_key, folded, joined};
use crate::words::units::three_digits;

/// What techniques count and should have none of: reported wherever one has some.
const BETTER_NONE: [&str; 1] = ["timed_out_waits"];

/// `at 16`, `at 1 and 16`, `at 2 to 64` where no level between is left out.
fn places(curve: &Curve, at: &[u64]) -> String {
    let value = |at: &u64| axis_value(&curve.axis, *at);
    let between = |low: u64, high: u64| {
        curve.levels.iter().filter(|level| (low..=high).contains(&level.at)).count() == at.len()
    };
    match at {
        [] => String::new(),
        [one] => format!("at {}", value(one)),
        [low, .., high] if at.len() > 2 && between(*low, *high) => {
            format!("at {} to {}", value(low), value(high))
        }
        [some @ .., last] => {
            let some: Vec<String> = some.iter().map(value).collect();
            format!("at {} and {}", some.join(", "), value(last))
        }
    }
}

/// Lines of contests over the levels: those with the same reason at the same levels together, each as who, where and why.
fn gathered(
    curve: &Curve,
    rankings: &[Ranking],
    all: bool,
    of: fn(&Ranking) -> &[FailureLine],
    told: impl Fn(&str, &str, &FailureLine) -> String,
) -> Vec<String> {
    let mut lines: Vec<(&FailureLine, Vec<u64>)> = Vec::new();
    for (at, line) in
        levels(curve, rankings).into_iter().flat_map(|(at, one)| of(one).iter().map(move |line| (at, line)))
    {
        match lines.iter_mut().find(|(known, _)| known.technique == line.technique && known.kind == line.kind)
        {
            Some((_, levels)) => levels.push(at),
            None => lines.push((line, vec![at])),
        }
    }
    let groups = by_key(lines.into_iter().map(|(line, at)| ((line.kind, &line.reason, at), line)));
    let is_named = |name: &str| {
        let technique = name.split('@').next().unwrap_or(name);
        let is_it = |line: &&Line| line.technique == name || line.technique == technique;
        curve.techniques.iter().find(is_it).is_some_and(|line| line.is_named)
    };
    let text = |((_, _, at), lines): ((_, _, Vec<u64>), Vec<&FailureLine>)| {
        let names: Vec<&str> = lines.iter().map(|line| line.technique.as_str()).collect();
        told(&folded(&names, is_named, all), &places(curve, &at), lines[0])
    };
    groups.into_iter().map(text).collect()
}

pub(crate) fn failures(curve: &Curve, rankings: &[Ranking], all: bool) -> Vec<String> {
    let told = |names: &str, places: &str, line: &FailureLine| {
        format!("{names} {} {places}: {}", phrase::kind_of(line.kind), line.reason)
    };
    gathered(curve, rankings, all, |ranking| &ranking.failures, told)
}

pub(crate) fn skipped(curve: &Curve, rankings: &[Ranking], all: bool) -> Vec<String> {
    let told = |names: &str, places: &str, line: &FailureLine| format!("{names} {places}: {}", line.reason);
    gathered(curve, rankings, all, |ranking| &ranking.skipped, told)
}

/// How many techniques were not measured at some level, and what the budget has to do with it.
pub(crate) fn skipped_in_short(curve: &Curve, rankings: &[Ranking]) -> Option<String> {
    let limits = |absent: &judge::Absent| absent.why.limits_the_answer();
    let count = curve.techniques.iter().filter(|line| line.absent.iter().any(limits)).count();
    let levels = levels(curve, rankings);
    let reason = levels.iter().flat_map(|(_, one)| &one.skipped).map(|line| &line.reason).next();
    let budget = reason.map_or(String::new(), |reason| format!(": {reason}"));
    let are = if count == 1 { "technique was" } else { "techniques were" };
    (count > 0).then(|| format!("{count} {are} not measured at every level (--verbose names them){budget}"))
}

/// The levels that a family adds with a part of its techniques, and how to enter all.
pub(crate) fn not_entered(curve: &Curve) -> Option<String> {
    let lacks = |line: &&Line, at: u64| {
        line.absent.iter().any(|absent| absent.at == at && absent.why == Absence::NotEntered)
    };
    let all = curve.techniques.len();
    let mut counts: BTreeMap<usize, Vec<u64>> = BTreeMap::new();
    for level in &curve.levels {
        let lacking = curve.techniques.iter().filter(|line| lacks(line, level.at)).count();
        if lacking > 0 {
            counts.entry(all - lacking).or_default().push(level.at);
        }
    }
    let told =
        counts.iter().map(|(entered, at)| format!("{entered} of {all} techniques {}", places(curve, at)));
    Some(joined(told, ", ")? + &how_to_enter_all(curve))
}

fn how_to_enter_all(curve: &Curve) -> String {
    let is_bytes = curve.axis.ends_with("_bytes");
    if !is_bytes && curve.axis.contains("_ns") {
        return String::new();
    }
    let typed = |at: u64| match at {
        at if is_bytes && at > 0 && at.is_multiple_of(1 << 20) => format!("{}M", at >> 20),
        at if is_bytes && at > 0 && at.is_multiple_of(1 << 10) => format!("{}K", at >> 10),
        at => at.to_string(),
    };
    let at: Vec<String> = curve.levels.iter().map(|level| typed(level.at)).collect();
    format!("; --set {}={} measures all at every level", curve.axis, at.join(","))
}

/// What should be none and is not, at the levels of a curve: with its title, who has how many where.
pub(crate) fn above_zero(curve: &Curve, rankings: &[Ranking], all: bool) -> Vec<(String, String)> {
    let levels = levels(curve, rankings);
    let told = |key: &str| {
        let counted = levels.iter().flat_map(|(at, ranking)| {
            let at = axis_value(&curve.axis, *at);
            counts(ranking, key).into_iter().map(move |(name, count)| (name, format!("{count} at {at}")))
        });
        let texts = by_key(counted).into_iter().map(|(name, texts)| format!("{name} {}", texts.join(", ")));
        Some((title(levels.first()?.1, key)?, separated(&texts.collect::<Vec<_>>(), all)?))
    };
    BETTER_NONE.iter().filter_map(|key| told(key)).collect()
}

/// The same of one contest.
pub(crate) fn above_zero_in(ranking: &Ranking, all: bool) -> Vec<(String, String)> {
    let told = |key: &str| {
        let texts = counts(ranking, key).into_iter().map(|(name, count)| format!("{name} {count}"));
        Some((title(ranking, key)?, separated(&texts.collect::<Vec<_>>(), all)?))
    };
    BETTER_NONE.iter().filter_map(|key| told(key)).collect()
}

fn separated(texts: &[String], all: bool) -> Option<String> {
    let told = if texts.len() > MOST_NAMES && !all { &texts[..MOST_NAMES - 1] } else { texts };
    let more = texts.len() - told.len();
    let more = (more > 0).then(|| format!("{more} more have some"));
    joined(told.iter().cloned().chain(more), "; ")
}

/// The heading of a metric that a contest has next to the one that is compared.
fn title(ranking: &Ranking, key: &str) -> Option<String> {
    ranking.others.iter().find(|other| other.key == key).map(|other| other.what.to_string())
}

/// Who has some, and how many in a typical sample.
fn counts<'a>(ranking: &'a Ranking, key: &str) -> Vec<(&'a str, String)> {
    let own = ranking.entries.iter().filter_map(|entry| {
        let count = *entry.values.get(key)?;
        (count > 0.0).then(|| (entry.technique.as_str(), three_digits(count)))
    });
    own.collect()
}
