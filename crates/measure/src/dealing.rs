//! What is measured after a look: who gets the time that is left.

use crate::budget::Budget;
use crate::schedule::{entrants_ns, to_first_look_ns};
use crate::task::Task;
use crate::waiting;

/// Up to this look, pairs of which it is asked where they change places come before all others.
const LAST_FOR_PAIRS: u32 = 16;

/// An open contest of a task: what its candidates cost to the next look, and to the last.
struct Open {
    task: usize,
    contest: usize,
    is_one_technique: bool,
    next_ns: f64,
    last_ns: f64,
}

/// The open contests that have been looked at.
fn open(tasks: &[Task]) -> Vec<Open> {
    let mut open = Vec::new();
    for (index, task) in tasks.iter().enumerate().filter(|(_, task)| !task.waits) {
        let counted = task.counted();
        let looked_at = task.contests.iter().enumerate();
        for (nth, contest) in looked_at.filter(|(_, one)| !one.closed && one.assessment.look.is_some()) {
            let technique = |entrant: usize| task.entrants[entrant].participant.technique();
            let round_ns = entrants_ns(task, &contest.candidates());
            let to = |look: u32| f64::from(look.saturating_sub(counted)) * round_ns;
            open.push(Open {
                task: index,
                contest: nth,
                is_one_technique: contest.is_one_technique(&technique),
                next_ns: to(task.next_look()),
                last_ns: to(task.last_look()),
            });
        }
    }
    // First those whose candidates are several techniques, and among each kind those that reach their next look soonest.
    open.sort_by(|a, b| a.is_one_technique.cmp(&b.is_one_technique).then(a.next_ns.total_cmp(&b.next_ns)));
    open
}

/// Deals out what is left after a look: first, in the early rounds, to pairs of which it is asked where they change places,
/// then to the candidates of contests that are open, then to those whose candidates are all one technique, then to outsiders
/// whose factor is open. What cannot be paid to its next look leaves, or ends.
pub(crate) fn deal(tasks: &mut [Task], mut left_ns: f64) {
    waiting::choose(tasks);
    left_ns -= tasks.iter().map(to_first_look_ns).sum::<f64>();
    left_ns -= deal_to_pairs(tasks, left_ns);
    let mut wanted_ns = 0.0;
    let mut next_ns = 0.0;
    let open = open(tasks);
    // Looks are planned for time that others may leave over. Only its share is kept for each.
    let share_ns = left_ns / open.len().max(1) as f64;
    for one in open {
        let reserved_ns = if one.is_one_technique { wanted_ns } else { next_ns };
        if reserved_ns + one.next_ns > left_ns {
            tasks[one.task].contests[one.contest].close();
        } else {
            next_ns += one.next_ns;
            wanted_ns += one.last_ns.min(share_ns).max(one.next_ns);
        }
    }
    deal_to_outsiders(tasks, left_ns - wanted_ns - waiting::candidates_ns(tasks));
    tasks.iter_mut().for_each(Task::settle);
}

/// A few rounds more tell most pairs apart, and no other time would: their entries may be slower than many. What it costs.
fn deal_to_pairs(tasks: &mut [Task], left_ns: f64) -> f64 {
    let mut spent_ns = 0.0;
    for task in tasks.iter_mut().filter(|task| !task.waits) {
        let rounds = f64::from(task.next_look().saturating_sub(task.counted()));
        for nth in 0..task.contests.len() {
            let cost_ns = rounds * entrants_ns(task, &task.contests[nth].of_pairs());
            let is_early = task.counted() < LAST_FOR_PAIRS && rounds > 0.0;
            let is_paid = is_early && spent_ns + cost_ns <= left_ns;
            spent_ns += if is_paid { cost_ns } else { 0.0 };
            task.contests[nth].pairs_are_paid = is_paid;
        }
    }
    spent_ns
}

/// The cheapest first; before all others a reference, and pairs of which it is asked where they change places.
fn deal_to_outsiders(tasks: &mut [Task], mut left_ns: f64) {
    let mut waiting = Vec::new();
    for (index, task) in tasks.iter().enumerate().filter(|(_, task)| !task.waits) {
        let rounds = f64::from(task.next_look().saturating_sub(task.counted()));
        for (nth, contest) in task.contests.iter().enumerate().filter(|(_, one)| !one.kept.is_empty()) {
            let is_asked_for = |&entrant: &usize| {
                contest.is_baseline(entrant) || !contest.pairs_are_paid && contest.is_of_open_pair(entrant)
            };
            let asked_for = contest.kept.iter().any(is_asked_for);
            let paid = if contest.pairs_are_paid { contest.of_pairs() } else { Vec::new() };
            let mut entrants = contest.outsiders();
            entrants.retain(|entrant| !paid.contains(entrant));
            let cost_ns = entrants_ns(task, &entrants) * rounds;
            // At its last look there is no round left for them.
            waiting.push((!asked_for, if rounds > 0.0 { cost_ns } else { f64::INFINITY }, index, nth));
        }
    }
    waiting.sort_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
    for (_, cost_ns, index, nth) in waiting {
        match cost_ns <= left_ns {
            true => left_ns -= cost_ns,
            false => tasks[index].contests[nth].keep_what_is_paid(),
        }
    }
}

/// Ends what the next round cannot be paid for, the most costly task first.
pub(crate) fn end_unpaid(tasks: &mut [Task], budget: &Budget, between_ns: f64) {
    loop {
        let round_ns = |task: &Task| entrants_ns(task, &task.live());
        let running: Vec<usize> = (0..tasks.len()).filter(|&index| tasks[index].runs()).collect();
        let pass_ns = between_ns + running.iter().map(|&index| round_ns(&tasks[index])).sum::<f64>();
        // A run whose budget stretches answers: it takes its first look whatever it costs.
        let due = |index: &&usize| {
            let task = &tasks[**index];
            !budget.stretches || task.counted() >= task.looks.first().copied().unwrap_or(0)
        };
        let most =
            running.iter().filter(due).max_by(|a, b| round_ns(&tasks[**a]).total_cmp(&round_ns(&tasks[**b])));
        let Some(&most) = most.filter(|_| !budget.pays_for(pass_ns)) else { return };
        for contest in &mut tasks[most].contests {
            contest.end();
        }
        for entrant in &mut tasks[most].entrants {
            entrant.live = false;
        }
    }
}
