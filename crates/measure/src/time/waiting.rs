//! Which contests wait while the time goes to others.

use crate::task::Task;
use crate::time::budget::Budget;
use crate::time::{dealing, schedule};

/// Lets contests wait whose answer is good enough for now, as long as there is one whose answer is not: a few rounds more
/// are worth more there. The levels of a curve share their rounds, so they never wait; nor does a contest before its control, the twin, was looked at.
pub(crate) fn choose(tasks: &mut [Task]) {
    let is_coarse = |task: &Task| task.contests.iter().any(|one| !one.closed && !one.is_fine());
    let any_coarse = tasks.iter().any(|task| !task.is_over() && is_coarse(task));
    for task in tasks {
        let is_open = task.contests.iter().any(|contest| !contest.closed);
        task.waits =
            any_coarse && is_open && task.curve.is_none() && !is_coarse(task) && task.is_controlled();
    }
}

/// Whether something is to be measured in the next round. Those that wait go on when no other one does.
pub(crate) fn goes_on(tasks: &mut [Task], budget: &Budget, between_ns: f64) -> bool {
    dealing::end_unpaid(tasks, budget, between_ns);
    if tasks.iter().all(|task| task.is_over() || task.waits) && tasks.iter().any(|task| task.waits) {
        tasks.iter_mut().for_each(|task| task.waits = false);
        dealing::deal(tasks, budget.left_ns());
        dealing::end_unpaid(tasks, budget, between_ns);
    }
    tasks.iter().any(Task::runs)
}

/// What the candidates of contests that wait cost to their next look.
pub(crate) fn candidates_ns(tasks: &[Task]) -> f64 {
    let cost_ns = |task: &Task| {
        let rounds = f64::from(task.next_look().saturating_sub(task.counted()));
        let candidates =
            task.contests.iter().map(|contest| schedule::entrants_ns(task, &contest.candidates()));
        rounds * candidates.sum::<f64>()
    };
    tasks.iter().filter(|task| task.waits).map(cost_ns).sum()
}
