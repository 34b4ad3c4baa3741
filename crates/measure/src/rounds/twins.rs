//! The control of a run: which leaders are entered a second time, and what is measured again when one was told from itself.

use crate::plan::planned::units;
use crate::task::Task;

/// Enters the leaders that are due: task and entrant of each. A curve has one twin, at the level where most entries may
/// be fastest: there it is measured longest.
pub(crate) fn enter(tasks: &mut [Task]) -> Vec<(usize, usize)> {
    let mut entered = Vec::new();
    for unit in units(tasks.iter().map(|task| task.curve)) {
        let mut due: Vec<(usize, usize)> = unit
            .iter()
            .flat_map(|&task| tasks[task].due_for_twins().into_iter().map(move |one| (task, one)))
            .collect();
        if unit.len() > 1 {
            let is_watched = unit.iter().any(|&task| tasks[task].has_twin());
            let open = |&(task, one): &(usize, usize)| tasks[task].contests[one].assessment.candidates.len();
            due = due.into_iter().filter(|_| !is_watched).max_by_key(open).into_iter().collect();
        }
        for (task, contest) in due {
            entered.extend(tasks[task].enter_twin(contest).map(|entrant| (task, entrant)));
        }
    }
    entered
}

/// The tasks, and the curves with all their levels, in which a leader was told from itself.
pub(crate) fn differing(tasks: &[Task]) -> Vec<Vec<usize>> {
    let units = units(tasks.iter().map(|task| task.curve));
    let contests = |unit: &Vec<usize>| match unit.as_slice() {
        [one] => tasks[*one].contests.len(),
        // A twin that ended early may have been followed by another.
        levels => levels
            .iter()
            .map(|&level| tasks[level].contests.iter().filter(|one| one.twin.is_some()).count())
            .sum::<usize>()
            .max(1),
    };
    let count = units.iter().map(contests).sum();
    units.into_iter().filter(|unit| unit.iter().any(|&task| tasks[task].twins_differ(count))).collect()
}
