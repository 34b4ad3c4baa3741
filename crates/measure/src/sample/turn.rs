//! One turn of a round: what is done before the clock starts, so that no sample pays for a first time, and the sample.

use model::{Class, Failure, Increment, Sample, SampleNote};

use crate::error::{End, Halt, Step};
use crate::sample::launch::Slot;
use crate::sample::runner::{Runner, fail};
use crate::sample::session;
use crate::task::{Task, untimed_first};
use crate::worker::protocol::Assignment;

/// A warm-up this many times slower than the round's fastest process is not worth repeating.
const WARMUP_LIMIT: f64 = 3.0;

impl Runner<'_> {
    /// Runs an entrant once for the plan's sake: learns its time and its class, or why it failed.
    pub(crate) fn calibrate(&mut self, task: &mut Task, entrant: usize) -> Result<Option<Failure>, End> {
        let slot = Slot { position: 1, ..Slot::default() };
        let assignment = Assignment::Calibrate { trial: task.trial(entrant, self.seed) };
        match self.read_worker(task, entrant, &assignment, slot) {
            Ok(sample) => {
                learn(task, entrant, &sample);
                Ok(None)
            }
            Err(Halt::Failed(kind, reason)) => {
                task.entrants[entrant].calibrated_ns = None;
                task.note_failure(entrant, true);
                task.forget_pending();
                Ok(Some(Failure::before_the_rounds(kind, reason)))
            }
            Err(Halt::End(end)) => Err(end),
        }
    }

    /// One turn of a round: a sample of one entrant, or a session of the task. Returns whether the round of the task may stand.
    pub(crate) fn turn(
        &mut self,
        task: &mut Task,
        entrant: Option<usize>,
        slot: Slot,
        increment: &mut Increment,
    ) -> Result<bool, End> {
        let Some(entrant) = entrant else { return session::turn(self, task, slot, increment) };
        let reading = match self.from_outside {
            true => self.sample_outside(task, entrant, slot, increment),
            false => {
                let assignment = Assignment::Sample {
                    trial: task.trial(entrant, self.seed),
                    repetitions: task.repetitions,
                    stretches: task.stretches,
                    untimed_first: untimed_first(task, entrant, slot.round),
                };
                self.read_worker(task, entrant, &assignment, slot)
            }
        };
        match reading {
            Ok(sample) => {
                task.note_sample(entrant, &sample);
                increment.samples.push((task.entrants[entrant].trial, sample));
                Ok(true)
            }
            Err(Halt::Failed(kind, reason)) => {
                let by_budget = self.was_stopped_by_the_budget(kind, task.entrants[entrant].cost_ns, 1, slot);
                self.clear_failed(task);
                if !by_budget {
                    fail(task, entrant, kind, reason, slot, increment);
                }
                Ok(!by_budget)
            }
            Err(Halt::End(end)) => Err(end),
        }
    }

    /// One timed process, techniques and commands alike. In round 0 an untimed one comes before the first of a program, so
    /// that what is read from the device for the first time is in no sample. Its result is not read: it is no sample, and
    /// reading can take longer than the work. One that is so slow that another would tell nothing new
    /// is the sample of round 0 itself.
    pub(crate) fn sample_outside(
        &mut self,
        task: &Task,
        entrant: usize,
        slot: Slot,
        increment: &Increment,
    ) -> Step<Sample> {
        let enough_ns = is_enough_from_ns(task, slot.round, increment);
        let processes = self.first_times.processes(task, entrant, slot.round);
        self.first_times.done = 0;
        while self.first_times.done < processes {
            let is_last = self.first_times.done + 1 == processes;
            let worked = self.work_once(task, entrant, slot)?;
            if is_last && worked.ended.elapsed_ns as f64 > enough_ns {
                return self.read(task, entrant, worked, slot);
            }
            self.first_times.done += 1;
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
    fastest_ns.map_or(f64::INFINITY, |ns| WARMUP_LIMIT * ns as f64)
}

fn learn(task: &mut Task, entrant: usize, sample: &Sample) {
    let entrant = &mut task.entrants[entrant];
    let time_ns = sample.work_ns.or(sample.process_ns).map_or(0.0, |ns| ns as f64);
    entrant.calibrated_ns = Some(entrant.calibrated_ns.map_or(time_ns, |before| before.min(time_ns)));
    // A process costs about a millisecond next to its work, and the result is read once more for its proof.
    let process_ns = sample.process_ns.map_or(time_ns + 2e6, |ns| ns as f64);
    entrant.cost_ns = process_ns + 0.5 * time_ns.min(process_ns);
    if sample.notes.contains(&SampleNote::Reflinked) {
        entrant.participant.class = Class::SharesExtents;
    }
}
