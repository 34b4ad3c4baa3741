//! How long a process may take: for its own sake, and until the budget is over.

use model::FailureKind;

use crate::sample::launch;
use crate::sample::runner::{Runner, Slot};
use crate::task::Task;

/// A process may take this many times what calibration saw before it counts as hanging...
const PATIENCE: f64 = 50.0;
/// ... but never less than this.
const LEAST_PATIENCE_NS: u64 = 10_000_000_000;

impl Runner<'_> {
    pub(crate) fn slot(&self, task: &Task, entrant: usize, slot: Slot) -> launch::Slot {
        self.slot_of(task.entrants[entrant].cost_ns, 1, slot)
    }

    /// The slot of a process for so many entries that is expected to take so long; 0 is "not known yet".
    pub(crate) fn slot_of(&self, expected_ns: f64, entries: u64, slot: Slot) -> launch::Slot {
        launch::Slot {
            round: slot.round,
            position: slot.position,
            padding_bytes: slot.padding_bytes,
            time_limit_ns: self.own_limit_ns(expected_ns, entries).min(self.left_ns),
        }
    }

    /// How long a process may take for its own sake, however much of the budget is left.
    fn own_limit_ns(&self, expected_ns: f64, entries: u64) -> u64 {
        let limit_ns = self.time_limit_ns.saturating_mul(entries);
        match expected_ns > 0.0 {
            true => ((PATIENCE * expected_ns) as u64).max(LEAST_PATIENCE_NS).min(limit_ns),
            false => limit_ns,
        }
    }

    /// Whether what did not end in time in a counted round had no time because the budget was over. That is the end of the round, and
    /// no failure of a technique. In round 0 such an entry is left out.
    pub(crate) fn was_stopped_by_the_budget(
        &mut self,
        kind: FailureKind,
        expected_ns: f64,
        entries: u64,
        slot: Slot,
    ) -> bool {
        let is_by_budget = self.left_ns < self.own_limit_ns(expected_ns, entries);
        self.is_out_of_time |= kind == FailureKind::Hang && slot.round > 0 && is_by_budget;
        self.is_out_of_time
    }
}
