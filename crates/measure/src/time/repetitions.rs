//! What a sample consists of: how many repetitions in a stretch, and how many stretches. One choice for all entries of a
//! task, from a trial and again from round 0.

use families::Isolation;
use stats::contest::{BLOCK_NS, blocks_in_a_sample, calls_in_a_block};
use stats::median;
use sys::clock;

use crate::task::{Entrant, Task, untimed_later};

/// A trial repeats the work until it takes so long, and as often before that.
const TRIAL_NS: f64 = 2e6;

/// A block in a session is at least this long. No process has just started, and several inner rounds are taken: a longer
/// one would tell no more, and the slowest techniques would take hundreds of times as long.
const SESSION_BLOCK_NS: f64 = 5e4;

/// Chooses the repetitions from the times of a trial.
pub(crate) fn choose_after_trial(task: &mut Task) {
    let beside = |entrant: &Entrant, once_ns: f64| entrant.cost_ns - TRIAL_NS.max(2.0 * once_ns);
    choose(task, beside);
}

/// Chooses the repetitions from round 0, and corrects what a turn of a later round is expected to cost.
pub(crate) fn choose_after_round_0(task: &mut Task, from_outside: bool) {
    let before = repetitions_per_sample(task);
    if !from_outside {
        choose(task, |entrant, once_ns| entrant.cost_ns - before * once_ns);
    }
    let more = repetitions_per_sample(task) - before;
    for entrant in task.entrants.iter_mut().filter(|_| more != 0.0) {
        if let Some(once_ns) = entrant.calibrated_ns {
            entrant.change_cost(more * once_ns);
        }
    }
}

/// How often the work is done in a round after round 0, the untimed repetitions included.
pub(crate) fn repetitions_per_sample(task: &Task) -> f64 {
    let timed = task.repetitions as f64 * f64::from(task.stretches);
    match task.family.isolation() {
        Isolation::Session => f64::from(task.inner_rounds) * (1.0 + timed),
        Isolation::Sample if untimed_later(task) => 1.0 + timed,
        Isolation::Sample => timed,
    }
}

/// `beside` tells what of a turn's cost is not the work, which takes so long once.
fn choose(task: &mut Task, beside: impl Fn(&Entrant, f64) -> f64) {
    // Only the first repetition is cold: what it has read is in the cache for all that follow.
    if task.setting.is_cold() {
        return;
    }
    let competitors = task.competing().filter(|entrant| entrant.takes_part);
    let known: Vec<(f64, f64)> = competitors
        .filter_map(|entrant| entrant.calibrated_ns.map(|once_ns| (once_ns, beside(entrant, once_ns))))
        .collect();
    let (times, processes): (Vec<f64>, Vec<f64>) = known.into_iter().unzip();
    let Some(process_ns) = median(&processes) else { return };
    let is_session = task.family.isolation() == Isolation::Session;
    let block_ns = if is_session { SESSION_BLOCK_NS } else { BLOCK_NS };
    task.repetitions = calls_in_a_block(&times, clock::step_ns() as f64, block_ns);
    if !is_session {
        let stretches: Vec<f64> = times.iter().map(|ns| ns * task.repetitions as f64).collect();
        task.stretches = blocks_in_a_sample(&stretches, process_ns);
    }
}
