//! The choice along the axis: which entry costs least at each level and between levels.

use super::levels::{Level, Levels};
use super::{Choice, Question, Stretch, choice};

/// The choice is kept from level to level until another entry costs less by this much, as a logarithm: where code lies in one
/// binary moves times by 1 %, and two that differ by less would take turns.
const KEPT_WITHIN: f64 = 0.01;
/// What is equal but for rounding.
const EQUAL: f64 = 1e-9;

/// The choices, ascending and without a gap from the lowest measured level to the highest.
pub(super) fn stretches(levels: &Levels<'_>, question: &Question<'_>) -> Vec<Stretch> {
    let mut parts: Vec<(u64, u64, String)> = Vec::new();
    let mut current: Option<String> = None;
    for (index, level) in levels.all.iter().enumerate() {
        let least = level.cost(level.leader()).unwrap_or(0.0);
        let kept = current
            .take()
            .filter(|entry| level.cost(entry).is_some_and(|cost| cost <= least + KEPT_WITHIN + EQUAL));
        let at_level = kept.unwrap_or_else(|| level.leader().to_owned());
        push(&mut parts, level.at, level.at, &at_level);
        current = Some(at_level.clone());
        let Some(next) = levels.all.get(index + 1) else { break };
        for (from, to, entry) in between(level, next, &at_level) {
            push(&mut parts, from, to, &entry);
            current = Some(entry);
        }
    }
    let stretch = |(from, to, entry): (u64, u64, String)| {
        let used = levels.over(from, to);
        let choice: Choice = choice::over(levels, question, &entry, &used, (from, to));
        let runs = levels.origins(&used).into_iter().map(|origin| origin.run).collect();
        Stretch { from, to, choice, runs }
    };
    parts.into_iter().map(stretch).collect()
}

fn push(parts: &mut Vec<(u64, u64, String)>, from: u64, to: u64, entry: &str) {
    match parts.last_mut() {
        Some((_, end, known)) if known == entry => *end = to,
        _ => parts.push((from, to, entry.to_owned())),
    }
}

/// An entry that both levels compared: what it costs at either.
struct Line<'a> {
    entry: &'a str,
    low: f64,
    high: f64,
}

impl Line<'_> {
    fn cost(&self, share: f64) -> f64 {
        self.low + share * (self.high - self.low)
    }
}

/// What lies between two measured levels, both excluded.
fn between(low: &Level<'_>, high: &Level<'_>, current: &str) -> Vec<(u64, u64, String)> {
    if high.at - low.at < 2 {
        return Vec::new();
    }
    let line = |entry| Some(Line { entry, low: low.cost(entry)?, high: high.cost(entry)? });
    let lines: Vec<Line<'_>> = low.choices().filter_map(line).collect();
    let (mut share, mut from) = (0.0, low.at + 1);
    // Two levels that have no entry in common say nothing of what lies between: then the nearer one answers.
    let Some(mut own) = first(&lines, current) else {
        let middle = at_share(low, high, 0.5);
        return vec![(from, middle, current.to_owned()), (middle + 1, high.at - 1, high.leader().to_owned())]
            .into_iter()
            .filter(|(from, to, _)| from <= to)
            .collect();
    };
    let mut parts = Vec::new();
    while let Some((at, next)) = overtaken(&lines, own, share) {
        let to = at_share(low, high, at).min(high.at - 1);
        if to >= from {
            parts.push((from, to, lines[own].entry.to_owned()));
            from = to + 1;
        }
        (share, own) = (at, next);
    }
    if from < high.at {
        parts.push((from, high.at - 1, lines[own].entry.to_owned()));
    }
    parts
}

/// The line that is followed behind the lower level: that of the choice there, or the cheapest.
fn first(lines: &[Line<'_>], current: &str) -> Option<usize> {
    let cheapest = (0..lines.len()).min_by(|&a, &b| {
        let ends = |index: usize| (lines[index].low, lines[index].high);
        ends(a).0.total_cmp(&ends(b).0).then(ends(a).1.total_cmp(&ends(b).1))
    })?;
    let own = lines.iter().position(|line| line.entry == current);
    Some(own.filter(|&own| lines[own].low <= lines[cheapest].low + KEPT_WITHIN + EQUAL).unwrap_or(cheapest))
}

/// Where behind `share` another line first costs less by as much as a choice is kept within, and which.
fn overtaken(lines: &[Line<'_>], own: usize, share: f64) -> Option<(f64, usize)> {
    let mine = &lines[own];
    let crossing = |other: &Line<'_>| {
        let (start, end) = (mine.low - other.low, mine.high - other.high);
        if end - KEPT_WITHIN <= EQUAL || end - start <= EQUAL {
            return None;
        }
        let at = (KEPT_WITHIN - start) / (end - start);
        (at > share + EQUAL && at < 1.0).then_some(at)
    };
    let found = lines.iter().enumerate().filter(|(index, _)| *index != own);
    let found = found.filter_map(|(index, other)| Some((crossing(other)?, index)));
    found.min_by(|a, b| a.0.total_cmp(&b.0).then(lines[a.1].cost(1.0).total_cmp(&lines[b.1].cost(1.0))))
}

/// The last whole level up to a share of the way between two.
fn at_share(low: &Level<'_>, high: &Level<'_>, share: f64) -> u64 {
    let at = (low.log() + share * (high.log() - low.log())).exp().floor() as u64;
    at.clamp(low.at, high.at)
}
