//! What a sample consists of: how many repetitions in a stretch, and how many stretches. One choice for all entries of a
//! task, from a trial and again from round 0.

use families::Mode;
use model::Cache;
use stats::contest::{blocks_in_a_sample, calls_in_a_block};
use stats::median;
use sys::clock;

use crate::runner::untimed_first;
use crate::task::{Seat, Task};

/// A trial repeats the work until it takes so long, and as often before that.
const TRIAL_NS: f64 = 2e6;

/// Chooses the repetitions from the times of a trial.
pub(crate) fn choose_after_trial(task: &mut Task) {
    let beside = |seat: &Seat, once_ns: f64| seat.cost_ns - TRIAL_NS.max(2.0 * once_ns);
    choose(task, beside);
}

/// Chooses the repetitions from round 0, and corrects what a turn is expected to cost: in round 0, an untimed repetition
/// or process came first.
pub(crate) fn choose_after_round_0(task: &mut Task, from_outside: bool) {
    let before = repetitions_per_sample(task, 0);
    if !from_outside {
        choose(task, |seat, once_ns| seat.cost_ns - before * once_ns);
    }
    let more = repetitions_per_sample(task, 1) - before;
    for seat in task.seats.iter_mut().filter(|_| more != 0.0) {
        if let Some(once_ns) = seat.calibrated_ns {
            seat.change_cost(more * once_ns);
        }
    }
}

/// How often a sample does the work in a round, the untimed repetition included.
fn repetitions_per_sample(task: &Task, round: u32) -> f64 {
    let untimed = if untimed_first(task, round) { 1.0 } else { 0.0 };
    untimed + task.repetitions as f64 * f64::from(task.stretches)
}

/// `beside` tells what of a turn's cost is not the work, which takes so long once.
fn choose(task: &mut Task, beside: impl Fn(&Seat, f64) -> f64) {
    // Only the first repetition is cold: what it has read is in the cache for all that follow.
    if task.setting.cache == Cache::Cold {
        return;
    }
    let competitors = task.seats.iter().filter(|seat| seat.takes_part && seat.participant.competes());
    let known: Vec<(f64, f64)> = competitors
        .filter_map(|seat| seat.calibrated_ns.map(|once_ns| (once_ns, beside(seat, once_ns))))
        .collect();
    let (times, processes): (Vec<f64>, Vec<f64>) = known.into_iter().unzip();
    let Some(process_ns) = median(&processes) else { return };
    task.repetitions = calls_in_a_block(&times, clock::step_ns() as f64);
    if task.family.mode() == Mode::Process {
        let stretches: Vec<f64> = times.iter().map(|ns| ns * task.repetitions as f64).collect();
        task.stretches = blocks_in_a_sample(&stretches, process_ns);
    }
}
