//! The choice along the axis: which entry costs least at each level and between levels.

use super::levels::{EQUAL, Level, Levels};
use super::{Choice, Question, Stretch, choice};

/// The choice is kept from level to level until another entry costs less by this much, as a logarithm: where code lies in one
/// binary moves times by 1 %, and two that differ by less would take turns.
///
/// It is not kept by so much beside the plain way: nothing is advised that is not known to be better than that.
const KEPT_WITHIN: f64 = 0.01;

/// The choices, ascending and without a gap from the lowest measured level to the highest.
pub(super) fn stretches(levels: &Levels<'_>, question: &Question<'_>) -> Vec<Stretch> {
    let mut parts: Vec<(u64, u64, String)> = Vec::new();
    let mut current: Option<String> = None;
    for (index, level) in levels.all.iter().enumerate() {
        let at_level = current.take().filter(|entry| is_kept(levels, level, entry));
        let at_level = at_level.unwrap_or_else(|| levels.best_at(level).to_owned());
        push(&mut parts, level.at, level.at, &at_level);
        current = Some(at_level.clone());
        let Some(next) = levels.all.get(index + 1) else { break };
        for (from, to, entry) in between(levels, level, next, &at_level) {
            push(&mut parts, from, to, &entry);
            current = Some(entry);
        }
    }
    parts.into_iter().map(|part| stretch(levels, question, part)).collect()
}

/// Whether the choice up to a level is still one there.
fn is_kept(levels: &Levels<'_>, level: &Level<'_>, entry: &str) -> bool {
    let least = level.cost(levels.best_at(level)).unwrap_or(0.0);
    let is_near = level.cost(entry).is_some_and(|cost| cost <= least + KEPT_WITHIN + EQUAL);
    is_near && levels.plain().is_none_or(|plain| entry == plain || level.is_better(entry, plain))
}

fn stretch(levels: &Levels<'_>, question: &Question<'_>, (from, to, entry): (u64, u64, String)) -> Stretch {
    let used = levels.over(from, to);
    let choice: Choice = choice::over(levels, question, &entry, &used, (from, to));
    let origins = levels.origins(&used);
    Stretch {
        from,
        to,
        choice,
        interpolated: used.iter().all(|&index| !(from..=to).contains(&levels.all[index].at)),
        rounds: origins.iter().map(|origin| origin.rounds).min().unwrap_or_default(),
        started: origins.first().map_or(String::new(), |latest| latest.started.clone()),
        runs: origins.into_iter().map(|origin| origin.run).collect(),
    }
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
fn between(levels: &Levels<'_>, low: &Level<'_>, high: &Level<'_>, current: &str) -> Vec<(u64, u64, String)> {
    if high.at - low.at < 2 {
        return Vec::new();
    }
    let line = |entry| Some(Line { entry, low: low.cost(entry)?, high: high.cost(entry)? });
    let lines: Vec<Line<'_>> = low.choices().filter_map(line).collect();
    let (mut share, mut from) = (0.0, low.at + 1);
    let plain = levels.plain();
    let plain_line = plain.and_then(|plain| lines.iter().position(|line| line.entry == plain));
    // Nothing is known to be better than the plain way where one of both levels did not compare it.
    if let (Some(plain), None) = (plain, plain_line) {
        return vec![(from, high.at - 1, plain.to_owned())];
    }
    // Two levels that have no entry in common say nothing of what lies between: then the nearer one answers.
    let Some(mut own) = first(&lines, current, plain_line) else {
        let middle = at_share(low, high, 0.5);
        return vec![(from, middle, current.to_owned()), (middle + 1, high.at - 1, high.leader().to_owned())]
            .into_iter()
            .filter(|(from, to, _)| from <= to)
            .collect();
    };
    let mut parts = Vec::new();
    while let Some((at, next)) = overtaken(&lines, own, share, plain_line) {
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

/// The line that is followed behind the lower level: that of the choice there, or the cheapest. The choice is the plain way, or
/// better than that at the lower level.
fn first(lines: &[Line<'_>], current: &str, plain: Option<usize>) -> Option<usize> {
    let cheapest = (0..lines.len()).min_by(|&a, &b| {
        // Of two that are equal the plain way.
        let key = |index: usize| (lines[index].low, plain != Some(index), lines[index].high);
        let (a, b) = (key(a), key(b));
        a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)).then(a.2.total_cmp(&b.2))
    })?;
    let own = lines.iter().position(|line| line.entry == current);
    Some(own.filter(|&own| lines[own].low <= lines[cheapest].low + KEPT_WITHIN + EQUAL).unwrap_or(cheapest))
}

/// Where from `share` on another line first costs less by as much as a choice is kept within, and which. The plain way need not cost
/// less: it takes over where nothing is better any more.
fn overtaken(lines: &[Line<'_>], own: usize, share: f64, plain: Option<usize>) -> Option<(f64, usize)> {
    let mine = &lines[own];
    let crossing = |index: usize| {
        let is_plain = plain == Some(index);
        let (other, within) = (&lines[index], if is_plain { 0.0 } else { KEPT_WITHIN });
        let (start, end) = (mine.low - other.low, mine.high - other.high);
        if end - within <= EQUAL || end - start <= EQUAL {
            return None;
        }
        let at = ((within - start) / (end - start)).max(if is_plain { share } else { 0.0 });
        (at < 1.0 && (is_plain || at > share + EQUAL)).then_some(at)
    };
    let found = (0..lines.len()).filter(|index| *index != own);
    let found = found.filter_map(|index| Some((crossing(index)?, index)));
    found.min_by(|a, b| a.0.total_cmp(&b.0).then(lines[a.1].cost(1.0).total_cmp(&lines[b.1].cost(1.0))))
}

/// The last whole level up to a share of the way between two.
fn at_share(low: &Level<'_>, high: &Level<'_>, share: f64) -> u64 {
    let at = (low.log() + share * (high.log() - low.log())).exp().floor() as u64;
    at.clamp(low.at, high.at)
}
