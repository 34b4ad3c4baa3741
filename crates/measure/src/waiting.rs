//! Which contests wait while the time goes to others.

use crate::task::Task;

/// Lets contests wait whose answer is good enough for now, as long as there is one whose answer is not: a few rounds more
/// are worth more there. The levels of a curve share their rounds, so they never wait.
pub(crate) fn choose(tasks: &mut [Task]) {
    let is_coarse = |task: &Task| task.contests.iter().any(|one| !one.closed && !one.is_fine());
    let any_coarse = tasks.iter().any(|task| !task.is_over() && is_coarse(task));
    for task in tasks {
        let is_open = task.contests.iter().any(|contest| !contest.closed);
        task.waits = any_coarse && is_open && task.curve.is_none() && !is_coarse(task);
    }
}
