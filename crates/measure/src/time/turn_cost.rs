//! What a turn tells of those to come.

use model::{Class, Increment, SampleNote};
use stats::median;

use crate::task::{Entrant, Task};
use crate::time::PILOT_SESSIONS;
use crate::time::repetitions::{plan_inner_rounds, repetitions_per_sample};

/// Learns from a turn what the next will cost, and from that of round 0 how long the work takes and its class. The work was
/// done `untimed` times more than it will be in later rounds, which do not pay for that.
pub(crate) fn learn(
    task: &mut Task,
    entrant: Option<usize>,
    (cost_ns, untimed): (f64, u32),
    increment: &Increment,
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

/// What the turns of round 0 let expect of later ones, by entrant; `None` where it was not measured. A turn is expected to take
/// no longer than its work and what turns of the task commonly take next to it: the first of a run waits for memory, or for
/// a device, that later ones find ready.
pub(crate) fn later_turns_ns(task: &Task) -> Vec<Option<f64>> {
    // Of work that is done many times in a turn, slower entries take more than their work once and what others take next to it.
    let is_once = repetitions_per_sample(task) == 1.0;
    let once_ns = |entrant: &Entrant| entrant.calibrated_ns.filter(|_| is_once);
    // A limit takes memory in ways of its own.
    let measured = task.competing().filter(|entrant| entrant.was_measured());
    let beside = measured.filter_map(|entrant| Some(entrant.cost_ns - once_ns(entrant)?));
    let commonly_ns = common(beside.collect());
    let later_ns = |entrant: &Entrant| match (once_ns(entrant), commonly_ns) {
        (Some(once_ns), Some(beside_ns)) if entrant.participant.competes() => {
            entrant.cost_ns.min(once_ns + beside_ns)
        }
        _ => entrant.cost_ns,
    };
    task.entrants.iter().map(|entrant| entrant.was_measured().then(|| later_ns(entrant))).collect()
}

/// The middle of some costs; of two, the smaller one.
fn common(mut costs_ns: Vec<f64>) -> Option<f64> {
    costs_ns.sort_unstable_by(f64::total_cmp);
    costs_ns.get(costs_ns.len().checked_sub(1)? / 2).copied()
}

/// Expects of later rounds what the turns of round 0 tell.
pub(crate) fn expect_later_rounds(task: &mut Task) {
    for (entrant, ns) in later_turns_ns(task).into_iter().enumerate() {
        let entrant = &mut task.entrants[entrant];
        entrant.cost_ns = ns.unwrap_or(entrant.cost_ns);
    }
}

/// What a turn costs that does the work this many times less. It takes at least as long as the work does once.
fn later_ns(cost_ns: f64, untimed: u32, once_ns: f64) -> f64 {
    (cost_ns - f64::from(untimed) * once_ns).max(once_ns.min(cost_ns))
}

/// Learns from a session what the next will cost: each technique its own work, and all of them alike what comes next to it.
/// Round 0 also tells how long the work takes, and the first sessions together how many inner rounds pay.
fn learn_from_session(task: &mut Task, session_ns: f64, increment: &Increment) {
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
        plan_inner_rounds(task, session_ns, inner_ns);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_later_turn_does_not_pay_for_the_untimed_repetition_of_the_first() {
        assert_eq!(later_ns(850.0, 1, 400.0), 450.0);
        assert_eq!(later_ns(850.0, 0, 400.0), 850.0);
    }

    #[test]
    fn what_turns_commonly_take_beside_their_work_is_the_middle_and_not_what_one_had_to_wait_for() {
        assert_eq!(common(vec![3600.0, 100.0]), Some(100.0));
        assert_eq!(common(vec![3600.0, 100.0, 150.0]), Some(150.0));
        assert_eq!(common(Vec::new()), None);
    }

    #[test]
    fn a_later_turn_takes_as_long_as_its_work_however_long_the_untimed_one_took() {
        assert_eq!(later_ns(850.0, 1, 500.0), 500.0);
        assert_eq!(later_ns(850.0, 3, 400.0), 400.0);
        assert_eq!(later_ns(300.0, 1, 400.0), 300.0);
    }
}
