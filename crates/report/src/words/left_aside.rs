//! What was not compared at levels of a curve: which technique, where, and why; and what is counted that should be none.

use std::collections::BTreeMap;

use judge::{Absence, Curve, FailureLine, Ranking};
use model::{FailureKind, axis_value};

use crate::words::curves::{levels, levels_of};
use crate::words::phrase::{self, MOST_NAMES, by_key, folded, joined};
use crate::words::units::three_digits;

/// A count of which techniques should have none: reported wherever one has some.
const BETTER_NONE: &str = "timed_out_waits";

/// Returns `at 16`, `at 1 and 16`, or `at 2 to 64` where no level between is left out.
fn places(curve: &Curve, at: &[u64]) -> String {
    levels_of(curve, at, "and").map_or(String::new(), |some| format!("at {some}"))
}

/// Returns lines of contests over the levels: those with the same reason at the same levels together, each as who, where and why.
pub(crate) fn gathered(
    curve: &Curve, rankings: &[Ranking], all: bool, of: fn(&Ranking) -> &[FailureLine],
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
        let is_of = |rest: &str| rest.is_empty() || rest.starts_with('@');
        let mut named = curve.techniques.iter().filter(|line| line.is_named);
        named.any(|line| name.strip_prefix(&*line.technique).is_some_and(is_of))
    };
    let texts = groups.into_iter().map(|((kind, reason, at), lines)| {
        let names: Vec<&str> = lines.iter().map(|line| line.technique.as_str()).collect();
        // The heading says that it failed, or was skipped.
        let is_said = matches!(kind, FailureKind::Crash | FailureKind::Skipped);
        let kind = if is_said { "" } else { phrase::kind_of(kind) };
        let head = [folded(&names, is_named, all), kind.to_owned(), places(curve, &at)];
        format!("{}: {reason}", phrase::filled(head, " "))
    });
    texts.collect()
}

/// Says how many techniques were not measured at some level, and what the budget has to do with it.
pub(crate) fn skipped_in_short(curve: &Curve, rankings: &[Ranking]) -> Option<String> {
    let lines = curve.techniques.iter();
    let count = lines.filter(|line| line.absent.iter().any(|one| one.why.limits_the_answer())).count();
    let levels = levels(curve, rankings);
    let reason = levels.iter().flat_map(|(_, one)| &one.skipped).map(|line| &line.reason).next();
    let budget = reason.map_or(String::new(), |reason| format!(" ({})", way_out(reason)));
    (count > 0).then(|| format!("{}{budget}", phrase::counted(count as u64, "technique")))
}

/// Returns the option that a reason advises behind its semicolon; all of it where it advises nothing.
pub(crate) fn way_out(reason: &str) -> &str {
    reason.rsplit_once("; ").map_or(reason, |(_, advised)| advised)
}

/// Says which levels a family adds with a part of its techniques, and how to enter all.
pub(crate) fn not_entered(curve: &Curve) -> Option<String> {
    let all = curve.techniques.len();
    let mut counts: BTreeMap<usize, Vec<u64>> = BTreeMap::new();
    for level in &curve.levels {
        let lacking = curve.techniques.iter().flat_map(|line| &line.absent);
        let lacking = lacking.filter(|one| one.at == level.at && one.why == Absence::NotEntered).count();
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
    let at = curve.levels.iter().map(|level| match level.at {
        at if is_bytes && at > 0 && at.is_multiple_of(1 << 20) => format!("{}M", at >> 20),
        at if is_bytes && at > 0 && at.is_multiple_of(1 << 10) => format!("{}K", at >> 10),
        at => at.to_string(),
    });
    let at: Vec<String> = at.collect();
    format!("; --set {}={} measures all at every level", curve.axis, at.join(","))
}

/// Returns what should be none and is not, at the levels of a curve: with its title, who has how many where.
pub(crate) fn above_zero(curve: &Curve, rankings: &[Ranking], all: bool) -> Option<(String, String)> {
    let levels = levels(curve, rankings);
    let counted = levels.iter().flat_map(|(at, ranking)| {
        let at = axis_value(&curve.axis, *at);
        counts(ranking).into_iter().map(move |(name, count)| (name, format!("{count} at {at}")))
    });
    let texts = by_key(counted).into_iter().map(|(name, texts)| format!("{name} {}", texts.join(", ")));
    Some((title(levels.first()?.1)?, separated(&texts.collect::<Vec<_>>(), all)?))
}

pub(crate) fn above_zero_in(ranking: &Ranking, all: bool) -> Option<(String, String)> {
    let texts = counts(ranking).into_iter().map(|(name, count)| format!("{name} {count}"));
    Some((title(ranking)?, separated(&texts.collect::<Vec<_>>(), all)?))
}

fn separated(texts: &[String], all: bool) -> Option<String> {
    let shown = if texts.len() > MOST_NAMES && !all { &texts[..MOST_NAMES - 1] } else { texts };
    let more = texts.len() - shown.len();
    let more = (more > 0).then(|| format!("{more} more have some"));
    joined(shown.iter().cloned().chain(more), "; ")
}

/// Returns the heading of the count, which a contest has next to what is compared.
fn title(ranking: &Ranking) -> Option<String> {
    ranking.others.iter().find(|other| other.key == BETTER_NONE).map(|other| other.what.to_string())
}

/// Returns who has some, and how many in a typical sample.
fn counts(ranking: &Ranking) -> Vec<(&str, String)> {
    let own = ranking.entries.iter().filter_map(|entry| {
        let count = *entry.values.get(BETTER_NONE)?;
        (count > 0.0).then(|| (entry.technique.as_str(), three_digits(count)))
    });
    own.collect()
}
