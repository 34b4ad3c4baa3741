//! What is done before the clock starts, so that no sample pays for a first time.

use model::Increment;

use crate::ports::MeasureError;
use crate::runner::{Reading, Runner, Slot, Step};
use crate::task::Task;

/// So many times as long as the fastest process of the round is no first time that a second would put right.
const ENOUGH: f64 = 3.0;

impl Runner<'_> {
    /// One timed process, techniques and contenders alike. In round 0 an untimed one comes before it, so that what is
    /// read from the device for the first time, the program file above all, is in no sample. Its result is not read:
    /// it is no sample, and reading can take longer than the work. One that is so slow that another would tell nothing new
    /// is the sample of round 0 itself.
    pub(crate) fn sample_outside(
        &mut self,
        task: &Task,
        entrant: usize,
        slot: Slot,
        increment: &Increment,
    ) -> Result<Reading, MeasureError> {
        let enough_ns = is_enough_from_ns(task, slot.round, increment);
        for left in (0..self.untimed_processes(task, slot.round)).rev() {
            match self.work_once(task, entrant, slot)? {
                Step::Done(worked) if left == 0 && worked.ended.elapsed_ns as f64 > enough_ns => {
                    return self.read(task, entrant, worked, slot);
                }
                Step::Done(_) => {}
                Step::Failed(failure) => return Ok(Step::Failed(failure)),
                Step::Cancelled => return Ok(Step::Cancelled),
            }
        }
        self.read_once(task, entrant, slot)
    }

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

/// An untimed process that takes longer than this in round 0 need not be followed by a timed one: round 0 tells what rounds cost
/// and which entries are likely to be fastest, and counts in no comparison.
fn is_enough_from_ns(task: &Task, round: u32, increment: &Increment) -> f64 {
    let is_of_task = |trial: u32| task.competing().any(|entrant| entrant.trial == trial);
    let of_round =
        increment.samples.iter().filter(|(trial, sample)| sample.round == round && is_of_task(*trial));
    let fastest_ns = of_round.filter_map(|(_, sample)| sample.process_ns).min();
    fastest_ns.map_or(f64::INFINITY, |ns| ENOUGH * ns as f64)
}
