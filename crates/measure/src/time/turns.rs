//! The expected cost of later turns, and the parts of a sample: repetitions in a stretch, stretches, inner rounds in a session. One
//! choice for all entries of a task: from a trial, again from round 0, and for inner rounds from the first sessions.

use families::Isolation;
use model::{Class, Increment, SampleNote};
use stats::contest::{BLOCK_NS, blocks_in_a_sample, calls_in_a_block};
use stats::{mean, median, variance};
use sys::clock;

use crate::task::{Entrant, PILOT_INNER_ROUNDS, Task, untimed_later};
use crate::time::{MOST_INNER_ROUNDS, PILOT_SESSIONS, SESSION_BLOCK_NS, TRIAL_NS};

/// Learns from a turn what the next will cost, and from that of round 0 how long the work takes and its class. The work was
/// done `untimed` times more than it will be in later rounds, which do not pay for that.
pub(crate) fn learn(
    task: &mut Task, entrant: Option<usize>, (cost_ns, untimed): (f64, u32), increment: &Increment,
) {
    let Some(entrant) = entrant else { return learn_from_session(task, cost_ns, increment) };
    let trial = task.entrants[entrant].trial;
    let Some((_, sample)) = increment.samples.last().filter(|(of, _)| *of == trial) else { return };
    let once_ns = sample.process_ns.or(sample.work_ns).unwrap_or(0) as f64;
    task.entrants[entrant].observe_cost(later_ns(cost_ns, untimed, once_ns));
    if task.rounds == 0 {
        let learnt = &mut task.entrants[entrant];
        learnt.least_ns = Some(learnt.calibrated_ns.map_or(once_ns, |before| before.min(once_ns)));
        learnt.calibrated_ns = Some(once_ns);
        if sample.notes.contains(&SampleNote::Reflinked) {
            task.entrants[entrant].participant.class = Class::SharesExtents;
        }
    }
}

/// Returns the expected cost of later turns, by entrant; `None` where it was not measured. It is no more than the work and what
/// turns commonly take next to it: the first of a run waits for memory, or for a device, that later ones find ready.
pub(crate) fn later_turns_ns(task: &Task) -> Vec<Option<f64>> {
    // Of work that is done many times in a turn, slower entries take more than their work once and what others take next to it.
    let is_once = repetitions_per_sample(task) == 1.0;
    let once_ns = |entrant: &Entrant| entrant.calibrated_ns.filter(|_| is_once);
    // A ceiling takes memory in ways of its own.
    let measured = task.competing().filter(|entrant| entrant.was_measured());
    let overheads_ns = measured.filter_map(|entrant| Some(entrant.cost_ns - once_ns(entrant)?));
    let commonly_ns = common(overheads_ns.collect());
    let later_ns = task.entrants.iter().map(|entrant| match (once_ns(entrant), commonly_ns) {
        _ if !entrant.was_measured() => None,
        (Some(once_ns), Some(overhead_ns)) if entrant.participant.competes() => {
            Some(entrant.cost_ns.min(once_ns + overhead_ns))
        }
        _ => Some(entrant.cost_ns),
    });
    later_ns.collect()
}

/// Returns the middle of some costs; of two, the smaller one.
fn common(mut costs_ns: Vec<f64>) -> Option<f64> {
    costs_ns.sort_unstable_by(f64::total_cmp);
    costs_ns.get(costs_ns.len().checked_sub(1)? / 2).copied()
}

pub(crate) fn expect_later_rounds(task: &mut Task) {
    for (entrant, ns) in later_turns_ns(task).into_iter().enumerate() {
        let entrant = &mut task.entrants[entrant];
        entrant.cost_ns = ns.unwrap_or(entrant.cost_ns);
    }
}

/// Returns what a turn costs that does the work this many times less. It takes at least as long as the work does once.
fn later_ns(cost_ns: f64, untimed: u32, once_ns: f64) -> f64 {
    (cost_ns - f64::from(untimed) * once_ns).max(once_ns.min(cost_ns))
}

/// Learns from a session what the next will cost: each technique its own work, and all of them alike what comes next to it.
/// Round 0 also shows how long the work takes, and the first sessions together how many inner rounds pay.
fn learn_from_session(task: &mut Task, session_ns: f64, increment: &Increment) {
    let times = repetitions_per_sample(task);
    let live = task.live();
    let known = live.iter().filter_map(|&entrant| {
        let own = increment.samples.iter().filter(|(of, _)| *of == task.entrants[entrant].trial);
        let times: Vec<f64> = own.filter_map(|(_, sample)| Some(sample.work_ns? as f64)).collect();
        Some((entrant, median(&times)?))
    });
    let known: Vec<(usize, f64)> = known.collect();
    let inner_ns: f64 = known.iter().map(|(_, once_ns)| times * once_ns).sum();
    let overhead_ns = (session_ns - inner_ns).max(0.0) / live.len().max(1) as f64;
    for (entrant, once_ns) in known {
        let entrant = &mut task.entrants[entrant];
        entrant.observe_cost(times * once_ns + overhead_ns);
        if task.rounds == 0 || entrant.calibrated_ns.is_none() {
            entrant.calibrated_ns = Some(once_ns);
        }
    }
    if task.rounds + 1 == PILOT_SESSIONS {
        plan_inner_rounds(task, session_ns, inner_ns);
    }
}

pub(crate) fn choose_after_trial(task: &mut Task) {
    choose(task, |entrant, once_ns| entrant.cost_ns - TRIAL_NS.max(2.0 * once_ns));
}

/// Chooses the repetitions from round 0, and corrects what a turn of a later round is expected to cost.
pub(crate) fn choose_after_round_0(task: &mut Task, from_outside: bool) {
    let before = repetitions_per_sample(task);
    if !from_outside {
        choose(task, |entrant, once_ns| entrant.cost_ns - before * once_ns);
    }
    correct_costs(task, before);
}

/// A turn does the work more or less often than with as many repetitions as `before`.
fn correct_costs(task: &mut Task, before: f64) {
    let more = repetitions_per_sample(task) - before;
    for entrant in &mut task.entrants {
        if let Some(once_ns) = entrant.calibrated_ns.filter(|_| more != 0.0) {
            entrant.change_cost(more * once_ns);
        }
    }
}

/// Returns how often the work is done in a round after round 0, the untimed repetitions included.
pub(crate) fn repetitions_per_sample(task: &Task) -> f64 {
    let timed = task.repetitions as f64 * f64::from(task.stretches);
    match task.family.isolation() {
        Isolation::Session => f64::from(task.inner_rounds) * (1.0 + timed),
        Isolation::Sample if untimed_later(task) => 1.0 + timed,
        Isolation::Sample => timed,
    }
}

/// Chooses repetitions and stretches. `overhead_ns` is the part of a turn's cost that is not the work.
fn choose(task: &mut Task, overhead_ns: impl Fn(&Entrant, f64) -> f64) {
    // Only the first repetition is cold: what it has read is in the cache for all that follow.
    if task.setting.is_cold() {
        return;
    }
    let competitors = task.competing().filter(|entrant| entrant.takes_part);
    let known = competitors.filter_map(|entrant| Some((entrant, entrant.calibrated_ns?)));
    let (times, processes): (Vec<f64>, Vec<f64>) =
        known.map(|(entrant, once_ns)| (once_ns, overhead_ns(entrant, once_ns))).unzip();
    let Some(process_ns) = median(&processes) else { return };
    let is_session = task.family.isolation() == Isolation::Session;
    let block_ns = if is_session { SESSION_BLOCK_NS } else { BLOCK_NS };
    task.repetitions = calls_in_a_block(&times, clock::step_ns() as f64, block_ns);
    if !is_session {
        let stretches: Vec<f64> = times.iter().map(|ns| ns * task.repetitions as f64).collect();
        task.stretches = blocks_in_a_sample(&stretches, process_ns);
    }
}

/// An estimate of the variance of what was found one after the other.
type Spread = fn(&[f64]) -> f64;

/// Fixes the number of inner rounds (Kalibera and Jones, ISMM 2013, equation 3), from the two entries that were fastest in round 0
/// and are still measured. One that is alone is compared with those of other tasks: what changes slowly is common to both.
pub(crate) fn plan_inner_rounds(task: &mut Task, session_ns: f64, inner_ns: f64) {
    // What is alone is no contest, and in no group.
    let mut group = task.groups().first().cloned().unwrap_or_else(|| task.live());
    group.retain(|&entrant| task.entrants[entrant].live);
    group.sort_by(|&a, &b| task.first_value(a).total_cmp(&task.first_value(b)));
    let logarithms =
        |entrant: usize, round: usize| task.matrix.times(entrant, round).iter().map(|ns| ns.ln());
    let rounds = 0..group.first().map_or(0, |&first| task.matrix.rounds_of(first) as usize);
    let (mut sessions, spread): (Vec<Vec<f64>>, Spread) = match *group.as_slice() {
        [] => return,
        [a] => (rounds.map(|round| logarithms(a, round).collect()).collect(), variance_of_steps),
        [a, b, ..] => {
            let pairs = rounds.map(|round| logarithms(a, round).zip(logarithms(b, round)));
            (pairs.map(|pairs| pairs.map(|(a, b)| b - a).collect()).collect(), variance)
        }
    };
    sessions.iter_mut().for_each(|inner| inner.retain(|value| value.is_finite()));
    let before = repetitions_per_sample(task);
    let one_ns = inner_ns / f64::from(task.inner_rounds);
    let costs_ns = ((session_ns - inner_ns).max(1.0), one_ns.max(1.0));
    task.inner_rounds = inner_rounds(&sessions, spread, costs_ns);
    correct_costs(task, before);
}

/// Returns the number of inner rounds that gives the least variance for the time. `sessions[session][inner]` is what was found;
/// `spread` estimates the variance of the sessions' means; the costs are those of a session next to its inner rounds, and of one
/// inner round.
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

/// Returns the variance of values without what changes slowly: from the steps between successive ones (von Neumann, "Distribution
/// of the Ratio of the Mean Square Successive Difference to the Variance", 1941).
fn variance_of_steps(values: &[f64]) -> f64 {
    let squares: Vec<f64> = values.windows(2).map(|pair| (pair[1] - pair[0]).powi(2)).collect();
    mean(&squares) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_later_turn_pays_for_its_work_and_for_no_untimed_one() {
        assert_eq!(later_ns(850.0, 1, 400.0), 450.0);
        assert_eq!(later_ns(850.0, 0, 400.0), 850.0);
        // It takes as long as its work, however long the untimed one took.
        assert_eq!(later_ns(850.0, 1, 500.0), 500.0);
        assert_eq!(later_ns(850.0, 3, 400.0), 400.0);
        assert_eq!(later_ns(300.0, 1, 400.0), 300.0);
    }

    #[test]
    fn the_common_cost_of_a_turn_is_the_middle_of_all() {
        assert_eq!(common(vec![3600.0, 100.0]), Some(100.0));
        assert_eq!(common(vec![3600.0, 100.0, 150.0]), Some(150.0));
        assert_eq!(common(Vec::new()), None);
    }

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
    fn an_expensive_session_is_prolonged() {
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
