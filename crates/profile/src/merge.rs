//! New answers that join those of a profile.

use crate::{Certainty, Profile, Range, Task};

/// A part of the axis for which a profile keeps what it said, since that is better founded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kept {
    /// The lowest value on the axis.
    pub from: u64,
    /// The highest value, included.
    pub to: u64,
    /// Foundation of the known answer, which stays.
    pub known: Foundation,
    /// Foundation of the new answer, which was not taken.
    pub refused: Foundation,
}

/// The foundation of an answer: the more, the better.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Foundation {
    /// Its certainty; unknown in files of earlier versions.
    pub certainty: Option<Certainty>,
    /// Counted rounds that were judged, at least.
    pub rounds: u32,
}

impl Range {
    /// Returns its foundation.
    pub fn foundation(&self) -> Foundation {
        Foundation { certainty: self.certainty, rounds: self.rounds.unwrap_or_default() }
    }
}

impl Profile {
    /// Adds a task. Each part of its axis keeps the better founded answer: the surer one, then that of more rounds, then the new
    /// one. Returns the parts where the known answer stays. A known task of another version or setup is replaced.
    pub fn merge(&mut self, task: Task) -> Vec<Kept> {
        let Some(known) = self.tasks.iter_mut().find(|known| known.question() == task.question()) else {
            self.tasks.push(task);
            return Vec::new();
        };
        if known.version != task.version || known.setup != task.setup {
            *known = task;
            return Vec::new();
        }
        let (ranges, kept) = joined(&known.ranges, &task.ranges);
        // What was said of the whole axis stays with answers that stay.
        if !kept.is_empty() {
            known.ranges = ranges;
        } else if ranges != known.ranges {
            *known = Task { ranges, ..task };
        }
        kept
    }

    /// Removes what it says of a family, or everything; returns the number of tasks that went.
    pub fn forget(&mut self, family: Option<&str>) -> usize {
        let before = self.tasks.len();
        self.tasks.retain(|task| family.is_some_and(|family| task.family != family));
        before - self.tasks.len()
    }
}

impl Task {
    /// Returns what it answers, and on which kernel.
    fn question(&self) -> impl PartialEq {
        let conditions = (&self.cache, &self.durability, &self.file_system);
        (&self.family, &self.kernel, conditions, &self.metric, &self.axis, &self.among, &self.workload)
    }
}

/// Returns the better founded of both at each value of the axis, and the parts where that is the known one.
fn joined(known: &[Range], new: &[Range]) -> (Vec<Range>, Vec<Kept>) {
    let mut starts: Vec<u64> = known.iter().chain(new).map(|range| range.from).collect();
    starts.extend(known.iter().chain(new).filter_map(|range| range.to.checked_add(1)));
    starts.sort_unstable();
    starts.dedup();
    let (mut ranges, mut kept): (Vec<Range>, Vec<Kept>) = (Vec::new(), Vec::new());
    for (nth, &from) in starts.iter().enumerate() {
        let to = starts.get(nth + 1).map_or(u64::MAX, |next| next - 1);
        let [old, own] = [known, new].map(|all| all.iter().find(|one| (one.from..=one.to).contains(&from)));
        let is_kept = match (old, own) {
            (Some(old), Some(own)) => old.foundation() > own.foundation(),
            (old, _) => old.is_some(),
        };
        if let (true, Some(old), Some(own)) = (is_kept, old, own) {
            keep(&mut kept, Kept { from, to, known: old.foundation(), refused: own.foundation() });
        }
        // Nothing is known of what lies between two ranges that do not meet.
        let Some(chosen) = (if is_kept { old } else { own }) else { continue };
        push(&mut ranges, Range { from, to, ..chosen.clone() });
    }
    (ranges, kept)
}

/// Puts a part behind the others; one that follows the last and says the same makes that longer.
fn push(ranges: &mut Vec<Range>, part: Range) {
    match ranges.last_mut() {
        Some(last)
            if last.to.checked_add(1) == Some(part.from)
                && Range { from: last.from, to: last.to, ..part.clone() } == *last =>
        {
            last.to = part.to;
        }
        _ => ranges.push(part),
    }
}

fn keep(all: &mut Vec<Kept>, part: Kept) {
    match all.last_mut() {
        Some(last) if last.to.checked_add(1) == Some(part.from) => {
            let (known, refused) = (last.known.min(part.known), last.refused.max(part.refused));
            *last = Kept { from: last.from, to: part.to, known, refused };
        }
        _ => all.push(part),
    }
}
