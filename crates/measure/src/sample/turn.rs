//! One turn of a round: what is done before the clock starts, and the sample; or a session: one process runs the whole task.
//!
//! Spawning a process for every sample would drown work of nanoseconds. Inner rounds of a session are no independent samples (they
//! share a layout), so that it contributes one value for each pair: the median of its differences.

use std::path::Path;

use model::{Class, Failure, FailureKind, Increment, Sample, SampleNote};

use crate::error::{End, Halt, MeasureError, Step};
use crate::files;
use crate::sample::launch::{self, Slot};
use crate::sample::outcome::{Outcome, TrialFailure, of_worker};
use crate::sample::reading::sample_of;
use crate::sample::runner::{Runner, fail, failure};
use crate::task::{PILOT_INNER_ROUNDS, Task, untimed_first};
use crate::worker::protocol::{Assignment, Timed};

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
                self.was_stopped_by_the_budget(kind, task.entrants[entrant].cost_ns, 1, slot);
                task.entrants[entrant].calibrated_ns = None;
                task.note_failure(entrant, true);
                task.forget_pending();
                Ok(Some(Failure::before_the_rounds(kind, reason)))
            }
            Err(Halt::End(end)) => Err(end),
        }
    }

    /// Takes a sample of one entrant, or a session of the task. Returns whether the round of the task may stand.
    pub(crate) fn turn(
        &mut self, task: &mut Task, entrant: Option<usize>, slot: Slot, increment: &mut Increment,
    ) -> Result<bool, End> {
        let Some(entrant) = entrant else { return session(self, task, slot, increment) };
        let reading = if self.from_outside {
            self.sample_outside(task, entrant, slot, increment)
        } else {
            let assignment = Assignment::Sample {
                trial: task.trial(entrant, self.seed),
                repetitions: task.repetitions,
                stretches: task.stretches,
                untimed_first: untimed_first(task, entrant, slot.round),
            };
            self.read_worker(task, entrant, &assignment, slot)
        };
        match reading {
            Ok(sample) => {
                task.note_sample(entrant, &sample);
                increment.samples.push((task.entrants[entrant].trial, sample));
                Ok(true)
            }
            Err(Halt::Failed(kind, reason)) => {
                let by_budget = self.was_stopped_by_the_budget(kind, task.entrants[entrant].cost_ns, 1, slot);
                let reason = self.clear_failed(task, reason);
                if !by_budget {
                    fail(task, entrant, (kind, reason), slot, increment);
                }
                Ok(!by_budget)
            }
            Err(Halt::End(end)) => Err(end),
        }
    }

    /// Times one process, technique or command. In round 0 an untimed one comes before the first of a program, so that what is read
    /// from the device for the first time is in no sample. Its result is not read: that can take longer than the work. One that is
    /// so slow that another would report nothing new is the sample of round 0 itself.
    pub(crate) fn sample_outside(
        &mut self, task: &Task, entrant: usize, slot: Slot, increment: &Increment,
    ) -> Step<Sample> {
        let enough_ns = is_enough_from_ns(task, slot.round, increment);
        let processes = self.first_times.processes(task, entrant, slot.round);
        self.first_times.done = 0;
        while self.first_times.done < processes {
            let is_last = self.first_times.done + 1 == processes;
            let worked = self.work_once(task, entrant, slot)?;
            if is_last && worked.ended.elapsed_ns as f64 > enough_ns {
                return self.read(task, entrant, Ok(worked), slot);
            }
            self.first_times.done += 1;
        }
        let worked = self.work_once(task, entrant, slot);
        self.read(task, entrant, worked, slot)
    }

    /// Returns how many times a turn of the round under way does the work more than one of a later round, untimed.
    pub(crate) fn untimed_more(&self, task: &Task, entrant: usize) -> u32 {
        if self.from_outside {
            return self.first_times.done;
        }
        let [now, later] = [task.rounds, task.rounds + 1].map(|round| untimed_first(task, entrant, round));
        u32::from(now) - u32::from(later)
    }
}

/// Returns the time of an untimed process in round 0 from which on no timed one need follow: round 0 shows what rounds cost and
/// which entries are likely to be fastest, and counts in no comparison.
fn is_enough_from_ns(task: &Task, round: u32, increment: &Increment) -> f64 {
    let of_round = increment.samples.iter().filter(|(_, sample)| sample.round == round);
    let of_task = of_round.filter(|(trial, _)| task.competing().any(|entrant| entrant.trial == *trial));
    let fastest_ns = of_task.filter_map(|(_, sample)| sample.process_ns).min();
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

/// Runs one session, the task's whole round. Returns whether it may stand.
fn session(
    runner: &mut Runner<'_>, task: &mut Task, slot: Slot, increment: &mut Increment,
) -> Result<bool, End> {
    let live = task.live();
    let Some(&first) = live.first() else { return Ok(true) };
    if slot.round == 0 {
        task.inner_rounds = PILOT_INNER_ROUNDS;
    }
    let observed = runner.prepare_files(task)?;
    let assignment = Assignment::Session {
        trials: live.iter().map(|&entrant| task.trial(entrant, runner.seed)).collect(),
        repetitions: task.repetitions,
        inner_rounds: task.inner_rounds,
        seed: runner.seed ^ (u64::from(task.attempt) << 32 | u64::from(slot.round)).wrapping_mul(0x9E37_79B9),
    };
    let expected_ns = live.iter().map(|&entrant| task.entrants[entrant].cost_ns).sum();
    let entries = live.len() as u64;
    let limited = runner.limited_for(expected_ns, entries, slot);
    let launch = launch::worker(&runner.worker, &assignment, task, limited)?;
    let ended = runner.launch(&launch).map_err(MeasureError::io("a session's worker cannot be started"))?;
    if let Some(path) = runner.restored(task)? {
        refuse_all(task, &live, &path, slot, increment);
        return Ok(false);
    }
    match of_worker(&ended, live.len()) {
        Outcome::Cancelled => Err(End::Interrupted),
        Outcome::Broken(TrialFailure { kind, reason, trial }) => {
            let reason = runner.clear_failed(task, reason);
            if !runner.was_stopped_by_the_budget(kind, expected_ns, entries, slot) {
                let entrant = live.get(trial).copied().unwrap_or(first);
                fail(task, entrant, (kind, reason), slot, increment);
                // No technique can be measured in a process that another one may take down.
                task.expel(entrant);
            }
            task.forget_pending();
            Ok(false)
        }
        Outcome::Whole { timed, failed } => {
            for TrialFailure { kind, reason, trial } in failed {
                if task.entrants[live[trial]].live {
                    fail(task, live[trial], (kind, reason), slot, increment);
                    task.expel(live[trial]);
                }
            }
            for one in timed {
                keep(task, live[one.trial], one, slot, &observed, increment);
            }
            Ok(true)
        }
    }
}

/// Takes no value of a session during which an input changed: which of them are right cannot be said, and no technique is to blame.
fn refuse_all(task: &mut Task, live: &[usize], input: &Path, slot: Slot, increment: &mut Increment) {
    let input = input.display();
    let reason = format!("the input {input} changed or vanished during the session, and was made again");
    for &entrant in live {
        let trial = task.entrants[entrant].trial;
        increment.failures.push((trial, failure(slot, FailureKind::Refused, &reason)));
    }
    task.forget_pending();
}

fn keep(
    task: &mut Task, entrant: usize, timed: Timed, slot: Slot, observed: &files::Observed,
    increment: &mut Increment,
) {
    let slot = Slot { position: timed.sample.position, ..slot };
    match sample_of(task, timed, slot, observed) {
        Ok(sample) => {
            if task.entrants[entrant].live {
                task.note_sample(entrant, &sample);
            }
            increment.samples.push((task.entrants[entrant].trial, sample));
        }
        Err(failed) => fail(task, entrant, failed, slot, increment),
    }
}
