//! When nothing may be said, and why.

use model::{Class, FailureKind, Metric, Sample};
use stats::median;

use crate::contest::{Field, Unit};
use crate::wording::{names, percent};

/// A block shorter than so many steps of the clock is no measurement.
pub(crate) const STEPS_REFUSED: f64 = 100.0;

/// Why nothing may be said of a field, in a sentence with what to do.
pub(crate) fn refusal(field: &Field<'_>) -> Option<String> {
    let contest = field.contest;
    let known = contest.refused.clone();
    known
        .or_else(|| exhausted(field))
        .or_else(|| short_of_memory(field))
        .or_else(|| no_contest(field))
        .or_else(|| twins(field))
        .or_else(|| clock(field))
}

/// A full disk or a spent limit of open files spoils every technique that comes after.
fn exhausted(field: &Field<'_>) -> Option<String> {
    const SIGNS: [(&str, &str); 4] = [
        ("No space left on device", "the disk was full"),
        ("os error 28", "the disk was full"),
        ("Too many open files", "the limit of open files was reached"),
        ("os error 24", "the limit of open files was reached"),
    ];
    field.contest.entries.iter().find_map(|entry| {
        let reason = entry.failures.iter().find_map(|failure| {
            let during = failure.round.is_some() && failure.kind != FailureKind::Wrong;
            SIGNS.iter().find(|(sign, _)| during && failure.reason.contains(sign)).map(|(_, what)| what)
        })?;
        Some(format!("Refused: {reason} while {} ran. Make room and measure again.", entry.name))
    })
}

/// Where memory ran short, the time of whoever was swapped out or killed tells nothing of its technique.
fn short_of_memory(field: &Field<'_>) -> Option<String> {
    const TOPICS: [&str; 2] = ["swap", "out-of-memory"];
    let note = field.contest.notes.iter().find(|note| TOPICS.contains(&note.topic.as_str()))?;
    Some(format!("Refused: {}. Free some memory, or choose a smaller size, and measure again.", note.text))
}

fn no_contest(field: &Field<'_>) -> Option<String> {
    match field.competitors.as_slice() {
        [] if field.failed.is_empty() && !field.missing.is_empty() => {
            let (name, all) = (field.name(field.missing[0]), field.missing.len());
            let who = if all == 1 {
                format!("{name}, the only technique, is not available here")
            } else {
                format!("none of the {all} techniques is available here. The first is {name}")
            };
            let reason = field.contest.entries[field.missing[0]].failures.first();
            let why = reason.map_or(String::new(), |failure| format!(": {}", failure.reason));
            Some(format!("Refused: {who}{}.", why.trim_end_matches('.')))
        }
        [] if field.failed.is_empty() => Some("Refused: no technique took part.".to_owned()),
        [] => {
            let (first, reason) = &field.failed[0];
            let (name, all) = (field.name(*first), field.failed.len());
            let who =
                if all == 1 { "the only technique".to_owned() } else { format!("all {all} techniques") };
            Some(format!("Refused: {who} failed. The first was {name}: {reason}."))
        }
        [one] => {
            let name = field.name(*one);
            let out = match (field.failed.is_empty(), field.missing.is_empty()) {
                (false, _) => "was left without a failure",
                (true, false) => "is available here",
                (true, true) => "took part",
            };
            // Nothing went wrong where a class has one member.
            let (verdict, whose) = match field.contest.class {
                Class::MovesBytes => ("Refused", ""),
                Class::SharesExtents | Class::ReusesEarlierWork => ("No contest", " of its class"),
            };
            Some(format!(
                "{verdict}: {name} is the only technique{whose} that {out}; there is nothing to compare it with."
            ))
        }
        _ => None,
    }
}

fn twins(field: &Field<'_>) -> Option<String> {
    let (twin, original, outcome) = field.twins.iter().find(|(_, _, outcome)| outcome.differ)?;
    let again = if field.contest.attempt == 0 {
        "The cell was not measured a second time; measure it again."
    } else {
        "It did so in two attempts: something here favours one place or one process over another; \
         `bakeoff noise` shows what this host can tell apart."
    };
    let size = if outcome.floor.is_finite() { percent(outcome.floor) } else { "failures".to_owned() };
    Some(format!(
        "Refused: the instrument tells {} from itself ({}, by {size}). {again}",
        field.name(*original),
        field.name(*twin)
    ))
}

fn clock(field: &Field<'_>) -> Option<String> {
    let coarse: Vec<&str> = field
        .competitors
        .iter()
        .filter(|&&index| steps(field, index).is_some_and(|steps| steps < STEPS_REFUSED))
        .map(|&index| field.name(index))
        .collect();
    if coarse.is_empty() {
        return None;
    }
    let who = names(&coarse);
    Some(format!(
        "Refused: the timed stretch of {who} is shorter than 100 steps of the clock. Ask for a larger workload."
    ))
}

/// Length of an entry's timed stretch in steps of the clock. `None` where no clock read it, or its step is unknown.
pub(crate) fn steps(field: &Field<'_>, index: usize) -> Option<f64> {
    let step =
        field.contest.clock_step_ns.filter(|&step| step > 0 && field.contest.unit == Unit::Nanoseconds)?;
    let repeated = match field.contest.metric {
        Metric::Work => true,
        Metric::Process => false,
        _ => return None,
    };
    let stretch = |sample: &&Sample| {
        let value = field.contest.metric.of(sample)? as f64;
        Some(if repeated { value * sample.repetitions.max(1) as f64 } else { value })
    };
    let blocks: Vec<f64> = field.contest.entries[index].samples.iter().filter_map(stretch).collect();
    Some(median(&blocks)? / step as f64)
}
