//! What is done before the clock starts, so that no sample pays for a first time.

use crate::runner::Runner;
use crate::task::Task;

impl Runner<'_> {
    /// How many times a turn of the round under way does the work more than one of a later round, untimed.
    pub(crate) fn untimed_more(&self, task: &Task) -> u32 {
        match (task.rounds, self.from_outside) {
            (0, true) => self.untimed_processes(task, 0),
            (round, false) => {
                u32::from(untimed_first(task, round)) - u32::from(untimed_first(task, round + 1))
            }
            (_, true) => 0,
        }
    }

    /// Untimed processes before a timed one.
    pub(crate) fn untimed_processes(&self, task: &Task, round: u32) -> u32 {
        if round == 0 && !task.setting.is_cold() { self.untimed } else { 0 }
    }
}

/// Whether an untimed repetition comes before the timed ones of a worker that times itself. It removes the cost of a
/// first time and the state of the caches that a neighbour left, where a sample is many short repetitions. A single
/// long one is a first time for every technique, and after round 0 another one would double what a sample costs. A cold
/// sample must be the first.
pub(crate) fn untimed_first(task: &Task, round: u32) -> bool {
    let is_short = task.repetitions > 1 || task.stretches > 1;
    !task.setting.is_cold() && (is_short || round == 0)
}
