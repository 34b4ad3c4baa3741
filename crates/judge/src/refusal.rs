//! When nothing may be said, and why.

use model::{Class, Failure, FailureKind, Note, Sample, Source, Topic, Unit};
use stats::median;

use crate::field::Field;
use crate::tick;
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
        .or_else(|| field.refused_with.clone())
        .or_else(|| clock(field))
        .or_else(|| tick::refusal(field))
}

/// A full disk or a spent limit of open files spoils every technique that comes after.
fn exhausted(field: &Field<'_>) -> Option<String> {
    let spent = |failure: &Failure| match failure.kind {
        FailureKind::DiskFull => Some("the disk was full"),
        FailureKind::TooManyFiles => Some("the limit of open files was reached"),
        _ => None,
    };
    field.contest.series.iter().find_map(|entry| {
        let reason = entry.failures.iter().filter(|failure| failure.round.is_some()).find_map(spent)?;
        Some(format!("Refused: {reason} while {} ran. Make room and measure again.", entry.name))
    })
}

/// Where memory ran short, the time of what was swapped out or killed says nothing about its technique.
fn short_of_memory(field: &Field<'_>) -> Option<String> {
    let is_short = |note: &&Note| matches!(note.topic, Topic::Swap | Topic::OutOfMemory);
    let note = field.contest.notes.iter().find(is_short)?;
    Some(format!("Refused: {}. Free some memory, or choose a smaller size, and measure again.", note.text))
}

fn no_contest(field: &Field<'_>) -> Option<String> {
    match field.standing_entries().as_slice() {
        [] if field.failed.is_empty() && !field.missing.is_empty() => {
            let (name, all) = (field.name(field.missing[0]), field.missing.len());
            let who = if all == 1 {
                format!("{name}, the only technique, is not available here")
            } else {
                format!("none of the {all} techniques is available here. The first is {name}")
            };
            let reason = field.contest.series[field.missing[0]].failures.first();
            let why = reason.map_or(String::new(), |failure| format!(": {}", failure.reason));
            Some(format!("Refused: {who}{}.", why.trim_end_matches('.')))
        }
        [] if field.failed.is_empty() && !field.without.is_empty() => {
            let what = &field.contest.quantity.what;
            Some(format!("Refused: no technique here has such a quantity: {what}."))
        }
        [] if field.failed.is_empty() => Some("Refused: no technique took part.".to_owned()),
        [] => {
            let (first, reason) = &field.failed[0];
            let (name, all) = (field.name(*first), field.failed.len());
            let who =
                if all == 1 { "the only technique".to_owned() } else { format!("all {all} techniques") };
            let reason = reason.trim_end_matches('.');
            Some(format!("Refused: {who} failed. The first was {name}: {reason}."))
        }
        _ => None,
    }
}

/// What is said where one entry is left.
pub(crate) fn only_one(field: &Field<'_>) -> Option<String> {
    let [one] = field.standing_entries()[..] else { return None };
    let name = field.name(one);
    let among = match field.contest.class {
        Class::MovesBytes => "",
        Class::SharesExtents => " among those that share the input's extents",
        Class::ReusesEarlierWork => " among those that reuse earlier work",
        Class::FlushesEachPiece => " among those that flush each piece",
        Class::Coarse => " among those with coarse results",
    };
    let (failed, missing) = (field.failed.len(), field.missing.len());
    let others = |count: usize, what: &str| match count {
        1 => format!("the other {what}"),
        _ => format!("the {count} others {what}"),
    };
    let why = match (failed, missing) {
        (0, 0) if !field.without.is_empty() => {
            let what = &field.contest.quantity.what;
            return Some(format!(
                "{name} is the only technique{among} that has such a quantity ({what}): nothing to compare it with."
            ));
        }
        (0, 0) if !field.left_out.is_empty() => {
            return Some(format!(
                "{name} is the only technique{among} that the budget paid for: nothing to compare it with."
            ));
        }
        (0, 0) => {
            return Some(format!(
                "{name} is the only technique{among} that took part: nothing to compare it with."
            ));
        }
        (0, missing) => others(missing, if missing == 1 { "is not available" } else { "are not available" }),
        (failed, 0) => others(failed, "failed"),
        (failed, missing) => {
            format!("{failed} failed, {missing} {} not available", if missing == 1 { "is" } else { "are" })
        }
    };
    Some(format!("{name} is the only technique that works here{among}: {why}."))
}

fn twins(field: &Field<'_>) -> Option<String> {
    let twin = field.twins.iter().find(|twin| twin.differ)?;
    let again = if field.contest.attempt == 0 {
        "The contest was not measured a second time; measure it again."
    } else {
        "It did so in two attempts: something here favours one place or one process over another; \
         `bakeoff noise` shows the smallest difference that this host can resolve."
    };
    let size = if twin.difference.is_finite() { percent(twin.difference) } else { "failures".to_owned() };
    let (original, twin) = (field.name(twin.original), field.name(twin.twin));
    Some(format!("Refused: {original}, entered twice, differed from itself ({twin}, by {size}). {again}"))
}

fn clock(field: &Field<'_>) -> Option<String> {
    let coarse: Vec<&str> = field
        .standing_entries()
        .into_iter()
        .filter(|&index| steps(field, index).is_some_and(|steps| steps < STEPS_REFUSED))
        .map(|index| field.name(index))
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
    let step = field.contest.clock_step_ns.filter(|&step| step > 0)?;
    Some(stretch_ns(field, index)? / step as f64)
}

/// Length of an entry's timed stretch. `None` where no clock read it.
pub(crate) fn stretch_ns(field: &Field<'_>, index: usize) -> Option<f64> {
    if field.contest.unit != Some(Unit::Nanoseconds) {
        return None;
    }
    let repeated = match field.contest.quantity.source {
        Source::Work => true,
        Source::Process => false,
        Source::Usage | Source::Value => return None,
    };
    let stretch = |sample: &&Sample| {
        let value = field.contest.quantity.of(sample)?;
        Some(if repeated { value * sample.repetitions.max(1) as f64 } else { value })
    };
    let blocks: Vec<f64> = field.contest.series[index].samples.iter().filter_map(stretch).collect();
    median(&blocks)
}
