//! Cheap techniques: one process runs the whole task for some inner rounds and counts as one round.
//!
//! Spawning a process for every sample would drown work of nanoseconds. Inner rounds are no independent
//! samples (they share a layout), so a session contributes one value for each pair: the median of its inner
//! differences. How many inner rounds pay is decided once, from the first sessions (Kalibera and Jones,
//! ISMM 2013, equation 3).

use model::{FailureKind, Increment};

use crate::launch;
use crate::outcome::{Outcome, TrialFailure, of_worker};
use crate::ports::MeasureError;
use crate::preparation;
use crate::protocol::{Assignment, Timed};
use crate::runner::{NO_ASSIGNMENT, Runner, Slot, Step, fail, failure, sample_of};
use crate::task::Task;

/// Inner rounds of the sessions from which their number is planned.
const PILOT_INNER_ROUNDS: u32 = 5;
/// Sessions from which the number of inner rounds is planned; before the first look.
const PILOT_SESSIONS: u32 = 9;
const MOST_INNER_ROUNDS: f64 = 20.0;

/// One session: the task's whole round.
pub(crate) fn turn(
    runner: &mut Runner<'_>,
    task: &mut Task,
    slot: Slot,
    increment: &mut Increment,
) -> Result<Step<(), ()>, MeasureError> {
    let live = task.live();
    let Some(&first) = live.first() else { return Ok(Step::Done(())) };
    if slot.round == 0 {
        task.inner_rounds = PILOT_INNER_ROUNDS;
    }
    let Step::Done(observed) = runner.prepare_files(task)? else { return Ok(Step::Cancelled) };
    let assignment = Assignment::Session {
        trials: live.iter().map(|&entrant| task.trial(entrant, runner.seed)).collect(),
        repetitions: task.repetitions,
        inner_rounds: task.inner_rounds,
        seed: runner.seed ^ (u64::from(slot.attempt) << 32 | u64::from(slot.round)).wrapping_mul(0x9E37_79B9),
    };
    let mut limits = runner.slot(task, first, slot);
    limits.time_limit_ns = limits.time_limit_ns.saturating_mul(live.len() as u64);
    let launch =
        launch::worker(&runner.worker, &assignment, task, limits).map_err(MeasureError::io(NO_ASSIGNMENT))?;
    let ended = runner.launch(&launch).map_err(MeasureError::io("a session's worker cannot be started"))?;
    let Step::Done(restored) = runner.restored(task)? else { return Ok(Step::Cancelled) };
    if let Some(path) = restored {
        let path = path.display();
        let reason = format!("the input {path} changed or vanished during the session, and was made anew");
        // Which of the values are right cannot be told, and no technique is to blame.
        for &entrant in &live {
            increment
                .failures
                .push((task.entrants[entrant].trial, failure(slot, FailureKind::Refused, &reason)));
        }
        task.forget_pending();
        return Ok(Step::Failed(()));
    }
    match of_worker(&ended, live.len()) {
        Outcome::Cancelled => Ok(Step::Cancelled),
        Outcome::Broken(TrialFailure { kind, reason, trial }) => {
            let entrant = live.get(trial).copied().unwrap_or(first);
            fail(task, entrant, kind, reason, slot, increment);
            // No technique can be measured in a process that another one may take down.
            task.expel(entrant);
            task.forget_pending();
            Ok(Step::Failed(()))
        }
        Outcome::Whole { timed, failed } => {
            let session_ns = ended.elapsed_ns as f64;
            let inner_ns: f64 = timed.iter().map(|one| one.work_ns as f64 * one.repetitions as f64).sum();
            for TrialFailure { kind, reason, trial } in failed {
                if task.entrants[live[trial]].live {
                    fail(task, live[trial], kind, reason, slot, increment);
                    task.expel(live[trial]);
                }
            }
            for one in timed {
                keep(task, live[one.trial], one, slot, &observed, increment);
            }
            if slot.round + 1 == PILOT_SESSIONS {
                plan(task, session_ns, inner_ns);
            }
            Ok(Step::Done(()))
        }
    }
}

fn keep(
    task: &mut Task,
    entrant: usize,
    timed: Timed,
    slot: Slot,
    observed: &preparation::Observed,
    increment: &mut Increment,
) {
    let slot = Slot { position: timed.position, ..slot };
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

fn plan(task: &mut Task, session_ns: f64, inner_ns: f64) {
    let groups = task.groups();
    let Some(&[a, b, ..]) = groups.first().map(Vec::as_slice) else { return };
    let differences: Vec<Vec<f64>> = (0..task.matrix().rounds_of(a) as usize)
        .map(|round| {
            let times = task.matrix().times(a, round).iter().zip(task.matrix().times(b, round));
            times.map(|(a, b)| b.ln() - a.ln()).collect()
        })
        .collect();
    let one_ns = inner_ns / f64::from(task.inner_rounds);
    task.inner_rounds = inner_rounds(&differences, (session_ns - inner_ns).max(1.0), one_ns.max(1.0));
}

/// The number of inner rounds that tells most for the time: `differences[session][inner]`, the cost of a
/// session beside its inner rounds, and the cost of one inner round.
fn inner_rounds(differences: &[Vec<f64>], session_cost_ns: f64, inner_cost_ns: f64) -> u32 {
    let usable: Vec<&Vec<f64>> = differences.iter().filter(|inner| inner.len() >= 2).collect();
    if usable.len() < 2 {
        return PILOT_INNER_ROUNDS;
    }
    let means: Vec<f64> = usable.iter().map(|inner| mean(inner)).collect();
    let within = mean(&usable.iter().map(|inner| variance(inner)).collect::<Vec<_>>());
    let inner = mean(&usable.iter().map(|inner| inner.len() as f64).collect::<Vec<_>>());
    let between = variance(&means) - within / inner;
    if between <= 0.0 || !between.is_finite() {
        return MOST_INNER_ROUNDS as u32;
    }
    (session_cost_ns / inner_cost_ns * within / between).sqrt().ceil().clamp(1.0, MOST_INNER_ROUNDS) as u32
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

fn variance(values: &[f64]) -> f64 {
    let mean = mean(values);
    values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (values.len() as f64 - 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sessions_that_agree_get_as_many_inner_rounds_as_are_allowed() {
        let sessions = vec![vec![0.1, -0.1, 0.1, -0.1]; 5];
        assert_eq!(inner_rounds(&sessions, 1e6, 1e6), 20);
    }

    #[test]
    fn sessions_that_differ_are_better_repeated_than_prolonged() {
        let sessions: Vec<Vec<f64>> =
            (0..10).map(|session| vec![f64::from(session), f64::from(session) + 0.001]).collect();
        assert_eq!(inner_rounds(&sessions, 1e6, 1e6), 1);
    }

    #[test]
    fn a_dear_session_is_prolonged() {
        // Within-variance 2, between-variance about 1 beyond it, a session costs 50 inner rounds: sqrt(50 x 2) = 10.
        let sessions: Vec<Vec<f64>> = [0.0, 2.0, 0.0, 2.0, 0.0, 2.0, 0.0, 2.0]
            .iter()
            .map(|shift| vec![shift + 1.0, shift - 1.0])
            .collect();
        let rounds = inner_rounds(&sessions, 50e6, 1e6);
        assert!((10..=20).contains(&rounds), "{rounds}");
    }

    #[test]
    fn one_session_is_no_ground_for_a_plan() {
        assert_eq!(inner_rounds(&[vec![0.1, 0.2]], 1e6, 1e6), PILOT_INNER_ROUNDS);
    }
}
