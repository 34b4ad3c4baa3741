//! Cheap techniques: one process runs the whole task for some inner rounds and counts as one round.
//!
//! Spawning a process for every sample would drown work of nanoseconds. Every technique is prepared once a session. Inner rounds are no independent
//! samples (they share a layout), so a session contributes one value for each pair: the median of its inner
//! differences. How many inner rounds pay is decided once, from the first sessions (Kalibera and Jones,
//! ISMM 2013, equation 3).

use std::path::Path;

use model::{FailureKind, Increment};
use stats::median;

use crate::error::MeasureError;
use crate::files::preparation;
use crate::sample::launch;
use crate::sample::outcome::{Outcome, TrialFailure, of_worker};
use crate::sample::reading::sample_of;
use crate::sample::runner::{NO_ASSIGNMENT, Runner, Slot, Step, fail, failure};
use crate::task::Task;
use crate::time::repetitions::repetitions_per_sample;
use crate::worker::protocol::{Assignment, Timed};

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
    let expected_ns = live.iter().map(|&entrant| task.entrants[entrant].cost_ns).sum();
    let entries = live.len() as u64;
    let limits = runner.slot_of(expected_ns, entries, slot);
    let launch =
        launch::worker(&runner.worker, &assignment, task, limits).map_err(MeasureError::io(NO_ASSIGNMENT))?;
    let ended = runner.launch(&launch).map_err(MeasureError::io("a session's worker cannot be started"))?;
    let Step::Done(restored) = runner.restored(task)? else { return Ok(Step::Cancelled) };
    if let Some(path) = restored {
        refuse_all(task, &live, &path, slot, increment);
        return Ok(Step::Failed(()));
    }
    let outcome = of_worker(&ended, live.len());
    if matches!(&outcome, Outcome::Broken(_)) {
        runner.clear_failed(task);
    }
    match outcome {
        Outcome::Cancelled => Ok(Step::Cancelled),
        Outcome::Broken(TrialFailure { kind, .. })
            if runner.was_stopped_by_the_budget(kind, expected_ns, entries, slot) =>
        {
            task.forget_pending();
            Ok(Step::Failed(()))
        }
        Outcome::Broken(TrialFailure { kind, reason, trial }) => {
            let entrant = live.get(trial).copied().unwrap_or(first);
            fail(task, entrant, kind, reason, slot, increment);
            // No technique can be measured in a process that another one may take down.
            task.expel(entrant);
            task.forget_pending();
            Ok(Step::Failed(()))
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
            Ok(Step::Done(()))
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

/// Learns from a session what the next will cost: each technique its own work, and all of them alike what comes beside it.
/// Round 0 also tells how long the work takes, and the first sessions together how many inner rounds pay.
pub(crate) fn learn(task: &mut Task, session_ns: f64, increment: &Increment) {
    let times = repetitions_per_sample(task);
    let once_ns = |trial: u32| {
        let own = increment.samples.iter().filter(|(of, _)| *of == trial);
        median(&own.filter_map(|(_, sample)| sample.work_ns).map(|ns| ns as f64).collect::<Vec<_>>())
    };
    let live = task.live();
    let known: Vec<(usize, f64)> = live
        .iter()
        .filter_map(|&entrant| once_ns(task.entrants[entrant].trial).map(|once_ns| (entrant, once_ns)))
        .collect();
    let inner_ns: f64 = known.iter().map(|(_, once_ns)| times * once_ns).sum();
    let beside_ns = (session_ns - inner_ns).max(0.0) / live.len().max(1) as f64;
    for (entrant, once_ns) in known {
        let entrant = &mut task.entrants[entrant];
        entrant.observe_cost(times * once_ns + beside_ns);
        if task.rounds == 0 || entrant.calibrated_ns.is_none() {
            entrant.calibrated_ns = Some(once_ns);
        }
    }
    if task.rounds + 1 == PILOT_SESSIONS {
        plan(task, session_ns, inner_ns);
    }
}

/// An estimate of the variance of what was found one after the other.
type Spread = fn(&[f64]) -> f64;

/// Fixes the number of inner rounds, from the two entries that were fastest in round 0 and are still measured. An entry that is alone
/// is compared with those of other tasks, measured at nearly the same time: what changes slowly is common to both.
fn plan(task: &mut Task, session_ns: f64, inner_ns: f64) {
    // What is alone is no contest, and in no group.
    let mut group = task.groups().first().cloned().unwrap_or_else(|| task.live());
    group.retain(|&entrant| task.entrants[entrant].live);
    group.sort_by(|&a, &b| task.first_value(a).total_cmp(&task.first_value(b)));
    let logarithms =
        |entrant: usize, round: usize| task.matrix().times(entrant, round).iter().map(|ns| ns.ln());
    let rounds = |entrant: usize| 0..task.matrix().rounds_of(entrant) as usize;
    let (sessions, spread): (Vec<Vec<f64>>, Spread) = match *group.as_slice() {
        [] => return,
        [a] => (rounds(a).map(|round| logarithms(a, round).collect()).collect(), variance_of_steps),
        [a, b, ..] => {
            let differences =
                |round| logarithms(a, round).zip(logarithms(b, round)).map(|(a, b)| b - a).collect();
            (rounds(a).map(differences).collect(), variance)
        }
    };
    let usable = |inner: Vec<f64>| inner.into_iter().filter(|value| value.is_finite()).collect();
    let sessions: Vec<Vec<f64>> = sessions.into_iter().map(usable).collect();
    let before = repetitions_per_sample(task);
    let one_ns = inner_ns / f64::from(task.inner_rounds);
    let costs_ns = ((session_ns - inner_ns).max(1.0), one_ns.max(1.0));
    task.inner_rounds = inner_rounds(&sessions, spread, costs_ns);
    let more = repetitions_per_sample(task) - before;
    for entrant in &mut task.entrants {
        if let Some(once_ns) = entrant.calibrated_ns.filter(|_| more != 0.0) {
            entrant.change_cost(more * once_ns);
        }
    }
}

/// The number of inner rounds that tells most for the time: what was found, `sessions[session][inner]`, how the variance of the sessions'
/// means is estimated, the cost of a session beside its inner rounds, and that of one inner round.
fn inner_rounds(sessions: &[Vec<f64>], spread: Spread, (session_cost_ns, inner_cost_ns): (f64, f64)) -> u32 {
    let usable: Vec<&Vec<f64>> = sessions.iter().filter(|inner| inner.len() >= 2).collect();
    if usable.len() < 2 {
        return PILOT_INNER_ROUNDS;
    }
    let means: Vec<f64> = usable.iter().map(|inner| mean(inner)).collect();
    let within = mean(&usable.iter().map(|inner| variance(inner)).collect::<Vec<_>>());
    let inner = mean(&usable.iter().map(|inner| inner.len() as f64).collect::<Vec<_>>());
    let between = spread(&means) - within / inner;
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

/// The variance of values without what changes slowly: from the steps between successive ones (von Neumann, "Distribution of the
/// Ratio of the Mean Square Successive Difference to the Variance", 1941).
fn variance_of_steps(values: &[f64]) -> f64 {
    let squares: Vec<f64> = values.windows(2).map(|pair| (pair[1] - pair[0]).powi(2)).collect();
    mean(&squares) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sessions_that_agree_get_as_many_inner_rounds_as_are_allowed() {
        let sessions = vec![vec![0.1, -0.1, 0.1, -0.1]; 5];
        assert_eq!(inner_rounds(&sessions, variance, (1e6, 1e6)), 20);
    }

    #[test]
    fn sessions_that_differ_are_better_repeated_than_prolonged() {
        let sessions: Vec<Vec<f64>> =
            (0..10).map(|session| vec![f64::from(session), f64::from(session) + 0.001]).collect();
        assert_eq!(inner_rounds(&sessions, variance, (1e6, 1e6)), 1);
    }

    #[test]
    fn what_changes_slowly_is_no_difference_between_sessions() {
        let drift = (0..9).map(|session| f64::from(session) / 4.0);
        let sessions: Vec<Vec<f64>> = drift.map(|level| vec![level - 1.0, level + 1.0]).collect();
        assert_eq!(inner_rounds(&sessions, variance_of_steps, (1e6, 1e6)), 20);
        let jumps = [0.0, 3.0, 0.0, 3.0, 0.0];
        let sessions: Vec<Vec<f64>> = jumps.iter().map(|level| vec![level - 0.1, level + 0.1]).collect();
        assert_eq!(inner_rounds(&sessions, variance_of_steps, (1e6, 1e6)), 1);
    }

    #[test]
    fn a_dear_session_is_prolonged() {
        // Within-variance 2, between-variance about 1 beyond it, a session costs 50 inner rounds: sqrt(50 x 2) = 10.
        let sessions: Vec<Vec<f64>> = [0.0, 2.0, 0.0, 2.0, 0.0, 2.0, 0.0, 2.0]
            .iter()
            .map(|shift| vec![shift + 1.0, shift - 1.0])
            .collect();
        let rounds = inner_rounds(&sessions, variance, (50e6, 1e6));
        assert!((10..=20).contains(&rounds), "{rounds}");
    }

    #[test]
    fn one_session_is_no_ground_for_a_plan() {
        assert_eq!(inner_rounds(&[vec![0.1, 0.2]], variance, (1e6, 1e6)), PILOT_INNER_ROUNDS);
    }
}
