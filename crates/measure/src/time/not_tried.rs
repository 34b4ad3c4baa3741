//! The techniques that are not tried at the upper levels of a curve that spreads the same work over ever more workers: a few take
//! hundreds of times as long as the others there, to show what the levels below have shown already.

use std::cmp::Reverse;

use model::{Design, Failure, FailureKind, axis_counted, format_ns};

use crate::task::{Entrant, Task};
use crate::time::{FAR_BEHIND, LONG_SAMPLE_NS};

/// Returns the level of a task on its curve, where the curve spreads the same work over this many workers.
fn level(task: &Task, design: &Design) -> Option<u64> {
    task.curve?;
    let along = design.curves.get(task.family.name()).filter(|along| along.is_spread)?;
    task.workload.number(&along.axis)
}

/// Sorts the first turns of a run: such levels come last, from the lowest one to the highest.
pub(crate) fn place_of_first_turn(task: &Task, design: &Design) -> u64 {
    let is_first = task.rounds == 0 && task.attempt == 0;
    level(task, design).filter(|_| is_first).unwrap_or(0)
}

/// Takes an entrant out of a level when it was far behind at a lower one; says whether it is out.
pub(crate) fn leave_out(tasks: &mut [Task], index: usize, entrant: usize, design: &Design) -> bool {
    let own = &tasks[index];
    if own.entrants[entrant].not_tried.is_none() {
        let Some(reason) = reason(tasks, index, entrant, design) else { return false };
        let failure = Failure::before_the_rounds(FailureKind::TenfoldBehind, reason);
        tasks[index].leave_out(entrant);
        tasks[index].entrants[entrant].not_tried = Some(failure);
    }
    true
}

/// Returns why an entrant is not tried at a level: what it took at the highest level below, if that was too long.
fn reason(tasks: &[Task], index: usize, entrant: usize, design: &Design) -> Option<String> {
    let (task, participant) = (&tasks[index], &tasks[index].entrants[entrant].participant);
    let own = level(task, design)?;
    if participant.is_named || !participant.competes() {
        return None;
    }
    let axis = &design.curves.get(task.family.name())?.axis;
    let below = tasks.iter().filter(|other| other.curve == task.curve);
    let mut below: Vec<(u64, &Task)> =
        below.filter_map(|other| Some((level(other, design)?, other))).filter(|(at, _)| *at < own).collect();
    below.sort_by_key(|(at, _)| Reverse(*at));
    below.into_iter().find_map(|(at, other)| {
        let (once_ns, fastest_ns) = far_behind(other, &participant.name)?;
        Some(format!(
            "far behind at a lower level: with {} it took {}, and the fastest {}",
            axis_counted(axis, at),
            format_ns(once_ns),
            format_ns(fastest_ns)
        ))
    })
}

/// Returns what an entry takes once at a level, and what the fastest takes, where the entry is far behind.
fn far_behind(task: &Task, name: &str) -> Option<(f64, f64)> {
    fn known_ns(entrant: &Entrant) -> Option<f64> {
        entrant.least_ns.or(entrant.calibrated_ns).filter(|_| entrant.takes_part)
    }
    let own = task.entrants.iter().find(|entrant| entrant.participant.name == name)?;
    let class = own.participant.class;
    let rivals = task.competing().filter(|one| one.participant.class == class);
    let fastest_ns = rivals.filter_map(known_ns).min_by(f64::total_cmp)?;
    let once_ns = known_ns(own)?;
    let sample_ns = once_ns * task.repetitions as f64 * f64::from(task.stretches);
    (sample_ns >= LONG_SAMPLE_NS && once_ns >= FAR_BEHIND * fastest_ns).then_some((once_ns, fastest_ns))
}
