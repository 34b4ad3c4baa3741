//! How what is found again joins what a profile says already.

use crate::{Certainty, Profile, Range, Task};

/// A part of the axis for which a profile keeps what it said, since that is better founded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kept {
    /// The lowest value on the axis.
    pub from: u64,
    /// The highest value, included.
    pub to: u64,
    /// What it rests on.
    pub known: Foundation,
    /// What the answer rests on that was not taken.
    pub refused: Foundation,
}

/// What an answer rests on: the more, the better.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Foundation {
    /// How sure it is; nothing is known of it in files of earlier versions.
    pub certainty: Option<Certainty>,
    /// Counted rounds that were judged, at least.
    pub rounds: u32,
}

impl Range {
    /// What it rests on.
    pub fn foundation(&self) -> Foundation {
        Foundation { certainty: self.certainty, rounds: self.rounds.unwrap_or_default() }
    }
}

impl Profile {
    /// Adds a task. Where the same task is known already, each part of its axis has the better founded answer: the surer one, then that
    /// of more rounds, then the new one. Gives the parts that stay as they were. What was measured by another
    /// version, or with another microcode, other caches or other huge pages, goes.
    pub fn merge(&mut self, task: Task) -> Vec<Kept> {
        let Some(known) = self.tasks.iter_mut().find(|known| known.is_like(&task)) else {
            self.tasks.push(task);
            return Vec::new();
        };
        if known.version != task.version || known.setup != task.setup {
            *known = task;
            return Vec::new();
        }
        let (ranges, kept) = joined(&known.ranges, &task.ranges);
        if ranges != known.ranges {
            *known = Task { ranges, ..task };
        }
        kept
    }

    /// Removes what it says of a family, or everything; gives the number of tasks that went.
    pub fn forget(&mut self, family: Option<&str>) -> usize {
        let before = self.tasks.len();
        self.tasks.retain(|task| family.is_some_and(|family| task.family != family));
        before - self.tasks.len()
    }
}

impl Task {
    /// Whether both answer the same question on the same kernel.
    fn is_like(&self, other: &Self) -> bool {
        self.family == other.family
            && self.kernel == other.kernel
            && self.cache == other.cache
            && self.durability == other.durability
            && self.file_system == other.file_system
            && self.metric == other.metric
            && self.axis == other.axis
            && self.among == other.among
            && self.workload == other.workload
    }
}

/// The better founded of both at each value of the axis, and where that is the known one.
fn joined(known: &[Range], new: &[Range]) -> (Vec<Range>, Vec<Kept>) {
    let span = |ranges: &[Range]| Some((ranges.first()?.from, ranges.last()?.to));
    let (Some(old), Some(own)) = (span(known), span(new)) else { return (new.to_vec(), Vec::new()) };
    // Nothing is known of what lies between two spans that do not meet: one of them answers.
    if old.1.checked_add(1).is_some_and(|end| end < own.0)
        || own.1.checked_add(1).is_some_and(|end| end < old.0)
    {
        let least = |ranges: &[Range]| ranges.iter().map(Range::foundation).min();
        return match least(known).zip(least(new)) {
            Some((known_least, refused)) if known_least > refused => {
                let kept = Kept { from: old.0, to: old.1, known: known_least, refused };
                (known.to_vec(), vec![kept])
            }
            _ => (new.to_vec(), Vec::new()),
        };
    }
    let mut starts: Vec<u64> = known.iter().chain(new).map(|range| range.from).collect();
    starts.extend(known.iter().chain(new).filter_map(|range| range.to.checked_add(1)));
    starts.sort_unstable();
    starts.dedup();
    let last = old.1.max(own.1);
    let (mut ranges, mut kept): (Vec<Range>, Vec<Kept>) = (Vec::new(), Vec::new());
    for (nth, &from) in starts.iter().enumerate().filter(|(_, from)| **from <= last) {
        let to = starts.get(nth + 1).map_or(last, |next| next - 1);
        let [old, own] = [known, new].map(|all| all.iter().find(|one| (one.from..=one.to).contains(&from)));
        let is_kept = match (old, own) {
            (Some(old), Some(own)) => old.foundation() > own.foundation(),
            (old, _) => old.is_some(),
        };
        if let (true, Some(old), Some(own)) = (is_kept, old, own) {
            keep(&mut kept, Kept { from, to, known: old.foundation(), refused: own.foundation() });
        }
        let Some(chosen) = (if is_kept { old } else { own }) else { continue };
        push(&mut ranges, Range { from, to, ..chosen.clone() });
    }
    (ranges, kept)
}

/// Puts a part behind the others; one that says the same as the last makes that longer.
fn push(ranges: &mut Vec<Range>, part: Range) {
    match ranges.last_mut() {
        Some(last) if Range { from: last.from, to: last.to, ..part.clone() } == *last => last.to = part.to,
        _ => ranges.push(part),
    }
}

fn keep(all: &mut Vec<Kept>, part: Kept) {
    match all.last_mut() {
        Some(last) if last.to.checked_add(1) == Some(part.from) => {
            *last = Kept {
                from: last.from,
                to: part.to,
                known: last.known.min(part.known),
                refused: last.refused.max(part.refused),
            }
        }
        _ => all.push(part),
    }
}
