//! Cheap techniques: one process runs the whole task for some inner rounds and counts as one round.
//!
//! Spawning a process for every sample would drown work of nanoseconds. Every technique is prepared once a session. Inner rounds are
//! no independent samples (they share a layout), so a session contributes one value for each pair: the median of its differences.

use std::path::Path;

use model::{FailureKind, Increment};

use crate::error::{End, MeasureError};
use crate::files;
use crate::sample::launch::{self, Slot};
use crate::sample::outcome::{Outcome, TrialFailure, of_worker};
use crate::sample::reading::sample_of;
use crate::sample::runner::{Runner, fail, failure};
use crate::task::{PILOT_INNER_ROUNDS, Task};
use crate::worker::protocol::{Assignment, Timed};

/// One session: the task's whole round. Returns whether it may stand.
pub(crate) fn turn(
    runner: &mut Runner<'_>,
    task: &mut Task,
    slot: Slot,
    increment: &mut Increment,
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
    let outcome = of_worker(&ended, live.len());
    if matches!(&outcome, Outcome::Broken(_)) {
        runner.clear_failed(task);
    }
    match outcome {
        Outcome::Cancelled => Err(End::Interrupted),
        Outcome::Broken(TrialFailure { kind, .. })
            if runner.was_stopped_by_the_budget(kind, expected_ns, entries, slot) =>
        {
            task.forget_pending();
            Ok(false)
        }
        Outcome::Broken(TrialFailure { kind, reason, trial }) => {
            let entrant = live.get(trial).copied().unwrap_or(first);
            fail(task, entrant, kind, reason, slot, increment);
            // No technique can be measured in a process that another one may take down.
            task.expel(entrant);
            task.forget_pending();
            Ok(false)
        }
        Outcome::Whole { timed, failed } => {
            for TrialFailure { kind, reason, trial } in failed {
                if task.entrants[live[trial]].live {
                    fail(task, live[trial], kind, reason, slot, increment);
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

/// Takes no value of a session during which an input changed: which of them are right cannot be told, and no technique is to blame.
fn refuse_all(task: &mut Task, live: &[usize], input: &Path, slot: Slot, increment: &mut Increment) {
    let input = input.display();
    let reason = format!("the input {input} changed or vanished during the session, and was made anew");
    for &entrant in live {
        let trial = task.entrants[entrant].trial;
        increment.failures.push((trial, failure(slot, FailureKind::Refused, &reason)));
    }
    task.forget_pending();
}

fn keep(
    task: &mut Task,
    entrant: usize,
    timed: Timed,
    slot: Slot,
    observed: &files::Observed,
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
        Err((kind, reason)) => fail(task, entrant, kind, reason, slot, increment),
    }
}
