//! Which kind of result a contest has: when nothing may be said, and why.

use model::{Class, FailureKind, Metric, Source, Topic, Unit};
use stats::median;

use crate::contest::Contest;
use crate::contest::field::{Field, LEAST_ROUNDS};
use crate::contest::ranking::State;
use crate::contest::tick;
use crate::wording::{names, percent};

/// A block shorter than this many steps of the clock is no measurement.
pub(crate) const STEPS_REFUSED: f64 = 100.0;

/// Returns the kind of a result, and why nothing may be compared where that is so.
pub(crate) fn state(field: &Field<'_>) -> (State, Option<String>) {
    if let Some(reason) = refusal(field) {
        return (State::Refused, Some(reason));
    }
    if let Some(reason) = only_one(field) {
        return (State::Alone, Some(reason));
    }
    if field.assessment.leader.is_none() {
        return (State::Refused, Some("Refused: no technique took part.".to_owned()));
    }
    let state = if field.assessment.look.is_none_or(|look| look < LEAST_ROUNDS) {
        State::TooFewRounds
    } else if field.candidates().len() == 1 {
        State::Wins
    } else if field.standing_entries().into_iter().all(|entry| field.is_within_tolerance(entry)) {
        State::Same
    } else {
        State::Tied
    };
    (state, None)
}

/// Explains why nothing may be said of a field, in a sentence with what to do.
fn refusal(field: &Field<'_>) -> Option<String> {
    let rules: [fn(&Field<'_>) -> Option<String>; 8] = [
        |field| field.contest.refused.clone(),
        |field| exhausted(field.contest),
        |field| short_of_memory(field.contest),
        no_contest,
        twins,
        |field| field.refused_with.clone(),
        clock,
        below_tick,
    ];
    rules.iter().find_map(|rule| rule(field))
}

/// Returns whether the host spoilt a contest: its times say nothing of a technique.
pub(crate) fn is_spoilt(contest: &Contest<'_>) -> bool {
    exhausted(contest).is_some() || short_of_memory(contest).is_some()
}

/// Refuses a contest with a full disk or a spent limit of open files, which spoils every later technique.
fn exhausted(contest: &Contest<'_>) -> Option<String> {
    contest.series.iter().find_map(|entry| {
        let mut failures = entry.failures.iter().filter(|failure| failure.round.is_some());
        let (reason, do_this) = failures.find_map(|failure| match failure.kind {
            FailureKind::DiskFull => Some(("the disk was full", "Make room")),
            FailureKind::TooManyFiles => {
                Some(("the limit of open files was reached", "Raise it (ulimit -n)"))
            }
            _ => None,
        })?;
        Some(format!("Refused: {reason} while {} ran. {do_this} and measure again.", entry.name))
    })
}

/// Refuses a contest in which memory ran short: times of swapped or killed work say nothing of a technique.
fn short_of_memory(contest: &Contest<'_>) -> Option<String> {
    let note = contest.notes.iter().find(|note| matches!(note.topic, Topic::Swap | Topic::OutOfMemory))?;
    Some(format!("Refused: {}. Free some memory, or choose a smaller size, and measure again.", note.text))
}

fn no_contest(field: &Field<'_>) -> Option<String> {
    if !field.standing_entries().is_empty() {
        return None;
    }
    let absent = absent(field);
    let first = field.failed.first();
    let first_failed =
        first.map(|(first, reason)| format!("was {}: {}.", field.name(*first), reason.trim_end_matches('.')));
    match (absent.only_kind(), first_failed) {
        (Some(Why::Missing), _) => {
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
        (Some(Why::Without), _) => {
            let what = &field.contest.metric.what;
            Some(format!("Refused: no technique here has such a metric: {what}."))
        }
        (_, Some(first)) if absent.total() == field.failed.len() => {
            let all = field.failed.len();
            let who =
                if all == 1 { "the only technique".to_owned() } else { format!("all {all} techniques") };
            Some(format!("Refused: {who} failed. The first {first}"))
        }
        _ if absent.total() == 0 => Some("Refused: no technique took part.".to_owned()),
        (_, first) => {
            let first = first.map_or(String::new(), |first| format!(" The first that failed {first}"));
            let skipped = field.skipped.first().map(|&index| &field.contest.series[index]);
            let skipped = skipped.and_then(|one| Some((&one.name, &one.failures.last()?.reason)));
            let skipped = skipped.map_or(String::new(), |(name, why)| format!(" {name}: {why}."));
            Some(format!("Refused: no technique is left to compare: {}.{skipped}{first}", absent.counted()))
        }
    }
}

/// The reason why an entry that belongs to a contest is not compared in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Why {
    Failed,
    /// Whenever it failed, it had not ended within its limit of time.
    Late,
    /// Whenever it failed, the system had refused something.
    Refused,
    Missing,
    Skipped,
    NotTried,
    Without,
}

impl Why {
    /// Returns the words for this many entries.
    fn words(self, count: usize) -> &'static str {
        let (one, more) = match self {
            Self::Failed => ("failed", "failed"),
            Self::Late => ("did not end in time", "did not end in time"),
            Self::Refused => ("was refused by the system", "were refused by the system"),
            Self::Missing => ("is not available", "are not available"),
            Self::Skipped => ("was not paid for by the budget", "were not paid for by the budget"),
            Self::NotTried => {
                ("was not tried, far behind at a lower level", "were not tried, far behind at a lower level")
            }
            Self::Without => ("has no such metric", "have no such metric"),
        };
        if count == 1 { one } else { more }
    }
}

/// The entries of a contest that are not compared in it: how many for which reason.
struct Absent(Vec<(Why, usize)>);

impl Absent {
    fn total(&self) -> usize {
        self.0.iter().map(|(_, count)| count).sum()
    }

    fn only_kind(&self) -> Option<Why> {
        let [(why, _)] = self.0[..] else { return None };
        Some(why)
    }

    /// Next to one that is left: `the other failed`, `the 3 others are not available`, `1 failed, 2 are not available`.
    fn beside_one(&self) -> String {
        match self.0[..] {
            [(why, 1)] => format!("the other {}", why.words(1)),
            [(why, count)] => format!("the {count} others {}", why.words(count)),
            _ => self.counted(),
        }
    }

    /// `1 failed, 2 were not paid for by the budget`.
    fn counted(&self) -> String {
        let parts = self.0.iter().map(|(why, count)| format!("{count} {}", why.words(*count)));
        parts.collect::<Vec<_>>().join(", ")
    }
}

fn absent(field: &Field<'_>) -> Absent {
    let mut all = [
        (Why::Failed, 0),
        (Why::Late, 0),
        (Why::Refused, 0),
        (Why::Missing, field.missing.len()),
        (Why::Skipped, field.skipped.len()),
        (
            Why::NotTried,
            field.contest.series.iter().filter(|one| one.competes() && one.is_not_tried()).count(),
        ),
        (Why::Without, field.without.len()),
    ];
    for (index, _) in &field.failed {
        let failures = field.contest.series[*index].failures.iter();
        let mut kinds: Vec<FailureKind> = failures.map(|failure| failure.kind).collect();
        kinds.dedup();
        let why = match kinds[..] {
            [FailureKind::Hang] => Why::Late,
            [FailureKind::Refused] => Why::Refused,
            _ => Why::Failed,
        };
        all.iter_mut().filter(|(other, _)| *other == why).for_each(|(_, count)| *count += 1);
    }
    Absent(all.into_iter().filter(|(_, count)| *count > 0).collect())
}

/// Says what techniques of a class do that is not the usual one: `that flush each piece`.
pub fn of_class(class: Class) -> Option<&'static str> {
    match class {
        Class::MovesBytes => None,
        Class::SharesExtents => Some("that share the input's extents"),
        Class::ReusesEarlierWork => Some("that reuse earlier work"),
        Class::FlushesEachPiece => Some("that flush each piece"),
        Class::Coarse => Some("in steps of 1 ms or more"),
    }
}

pub(crate) fn among(class: Class) -> String {
    of_class(class).map_or(String::new(), |class| format!(" among those {class}"))
}

/// Says that one entry is left, and why.
fn only_one(field: &Field<'_>) -> Option<String> {
    let [one] = field.standing_entries()[..] else { return None };
    let name = field.name(one);
    let among = among(field.contest.class);
    let absent = absent(field);
    let only = format!("{name} is the only technique");
    Some(match absent.only_kind() {
        Some(Why::Without) => {
            let what = &field.contest.metric.what;
            format!("{only}{among} that has such a metric ({what}): nothing to compare it with.")
        }
        Some(Why::Skipped) => format!("{only}{among} that the budget paid for: nothing to compare it with."),
        _ if absent.total() == 0 => format!("{only}{among} that took part: nothing to compare it with."),
        // Each of them was tried, or does not exist here: what is left is all that works.
        _ if !absent.0.iter().any(|(why, _)| matches!(why, Why::Skipped | Why::NotTried | Why::Without)) => {
            format!("{only} that works here{among}: {}.", absent.beside_one())
        }
        _ => format!("{only} left to compare{among}: {}.", absent.beside_one()),
    })
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
    let coarse = field.standing_names(|index| steps(field, index).is_some_and(|steps| steps < STEPS_REFUSED));
    let who = names(&coarse);
    (!coarse.is_empty()).then(|| {
        format!("Refused: the timed stretch of {who} is shorter than 100 steps of the clock. Ask for a larger workload.")
    })
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
    let repeated = match field.contest.metric.source {
        Source::Work => true,
        Source::Process => false,
        Source::Usage | Source::Value => return None,
    };
    let stretches = field.contest.series[index].samples.iter().filter_map(|sample| {
        let value = field.contest.metric.of(sample)?;
        Some(if repeated { value * sample.repetitions.max(1) as f64 } else { value })
    });
    median(&stretches.collect::<Vec<f64>>())
}

/// Explains why nothing may be said where the counter does not see an entry.
fn below_tick(field: &Field<'_>) -> Option<String> {
    let first = *field.below_tick.first()?;
    let who: Vec<&str> = field.below_tick.iter().map(|&index| field.name(index)).collect();
    let what = crate::wording::what(&field.contest.metric);
    let lie = if who.len() == 1 { "lies" } else { "lie" };
    let steps = field.tick_ns.filter(|tick_ns| *tick_ns >= tick::COARSE_NS);
    let steps = steps.map_or(String::new(), |tick_ns| format!(" of {}", model::format_ns(tick_ns)));
    let (all, nothing) = tick::readings(&field.contest.series[first]);
    let is_both = field.contest.metric == Metric::CPU;
    let other = if is_both { "" } else { ", or compare user and system time together (--metric cpu)" };
    Some(format!(
        "Refused: the {what} of {} {lie} below the tick{steps} of the system's counter, which shows 0 in {nothing} of \
         {all} samples of {}. Ask for a larger workload{other}.",
        names(&who),
        field.name(first)
    ))
}
