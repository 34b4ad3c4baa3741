//! What is done before the clock starts, so that no sample pays for a first time.

use std::collections::BTreeSet;

use model::Increment;

use crate::error::MeasureError;
use crate::plan::planned::program;
use crate::request::Untimed;
use crate::sample::runner::{Reading, Runner, Slot, Step};
use crate::task::{Task, untimed_first};

/// So many times as long as the fastest process of the round is no first time that a second would put right.
const ENOUGH: f64 = 3.0;

/// The untimed processes of a run so far.
pub(crate) struct FirstTimes {
    untimed: Untimed,
    /// The programs that have run.
    programs: BTreeSet<String>,
    /// Untimed processes in the last turn.
    done: u32,
}

impl FirstTimes {
    pub(crate) fn new(untimed: Untimed) -> Self {
        Self { untimed, programs: BTreeSet::new(), done: 0 }
    }

    /// Untimed processes that come before a timed one.
    fn processes(&mut self, task: &Task, entrant: usize, round: u32) -> u32 {
        let program = program(task.family, &task.entrants[entrant].participant);
        let is_new = self.programs.insert(program.to_owned());
        match self.untimed {
            _ if round > 0 || task.setting.is_cold() => 0,
            Untimed::Each(processes) => processes,
            Untimed::OfEachProgram => u32::from(is_new),
        }
    }
}

impl Runner<'_> {
    /// One timed process, techniques and contenders alike. In round 0 an untimed one comes before the first of a program, so
    /// that what is read from the device for the first time is in no sample. Its result is not read: it is no sample, and
    /// reading can take longer than the work. One that is so slow that another would tell nothing new
    /// is the sample of round 0 itself.
    pub(crate) fn sample_outside(
        &mut self,
        task: &Task,
        entrant: usize,
        slot: Slot,
        increment: &Increment,
    ) -> Result<Reading, MeasureError> {
        let enough_ns = is_enough_from_ns(task, slot.round, increment);
        let processes = self.first_times.processes(task, entrant, slot.round);
        self.first_times.done = 0;
        while self.first_times.done < processes {
            let is_last = self.first_times.done + 1 == processes;
            match self.work_once(task, entrant, slot)? {
                Step::Done(worked) if is_last && worked.ended.elapsed_ns as f64 > enough_ns => {
                    return self.read(task, entrant, worked, slot);
                }
                Step::Done(_) => self.first_times.done += 1,
                Step::Failed(failure) => return Ok(Step::Failed(failure)),
                Step::Cancelled => return Ok(Step::Cancelled),
            }
        }
        self.read_once(task, entrant, slot)
    }

    /// How many times a turn of the round under way does the work more than one of a later round, untimed.
    pub(crate) fn untimed_more(&self, task: &Task, entrant: usize) -> u32 {
        let repetition = |round| u32::from(untimed_first(task, entrant, round));
        match self.from_outside {
            true => self.first_times.done,
            false => repetition(task.rounds) - repetition(task.rounds + 1),
        }
    }
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
