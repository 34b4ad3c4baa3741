//! Deals out the time that is left after a look.

use crate::task::Task;
use crate::task::contest::Contest;
use crate::time::budget::Budget;
use crate::time::schedule::{entrants_ns, to_first_look_ns};

/// An open contest of a task: what its candidates cost to the next look, and to the last.
struct Open {
    task: usize,
    contest: usize,
    next_ns: f64,
    last_ns: f64,
}

/// Returns the open contests that have been looked at, those first that reach their next look soonest.
fn open(tasks: &[Task]) -> Vec<Open> {
    let mut open = Vec::new();
    for (index, task) in tasks.iter().enumerate() {
        let counted = task.counted();
        let looked_at = task.contests.iter().enumerate();
        for (nth, contest) in looked_at.filter(|(_, one)| !one.closed && one.assessment.look.is_some()) {
            let round_ns = entrants_ns(task, &contest.candidates());
            let [next_ns, last_ns] = [task.next_look(), task.last_look()]
                .map(|look| f64::from(look.saturating_sub(counted)) * round_ns);
            open.push(Open { task: index, contest: nth, next_ns, last_ns });
        }
    }
    open.sort_by(|a, b| a.next_ns.total_cmp(&b.next_ns));
    open
}

/// Deals to the next looks of open contests, to baselines with open factors, to later looks, then to other outsiders with open factors.
/// What is not paid to its next look leaves.
pub(crate) fn deal(tasks: &mut [Task], mut left_ns: f64) {
    left_ns -= tasks.iter().map(to_first_look_ns).sum::<f64>();
    let (mut wanted_ns, mut next_ns) = (0.0, 0.0);
    let open = open(tasks);
    // Looks are planned for time that others may leave over. Only its share is kept for each.
    let share_ns = left_ns / open.len().max(1) as f64;
    for one in open {
        if next_ns + one.next_ns > left_ns {
            tasks[one.task].contests[one.contest].closed = true;
        } else {
            next_ns += one.next_ns;
            wanted_ns += one.last_ns.min(share_ns).max(one.next_ns);
        }
    }
    left_ns -= deal_to_outsiders(tasks, left_ns - next_ns, Contest::is_baseline);
    deal_to_outsiders(tasks, left_ns - wanted_ns, |contest, entrant| !contest.is_baseline(entrant));
    tasks.iter_mut().for_each(Task::settle);
}

/// Keeps the outsiders that are meant, those of the cheapest contest first, as far as the time goes; returns what that costs.
fn deal_to_outsiders(tasks: &mut [Task], left_ns: f64, is_meant: fn(&Contest, usize) -> bool) -> f64 {
    let mut waiting = Vec::new();
    for (index, task) in tasks.iter().enumerate() {
        let rounds = f64::from(task.next_look().saturating_sub(task.counted()));
        for (nth, contest) in task.contests.iter().enumerate() {
            let meant = contest.outsiders(|entrant| is_meant(contest, entrant));
            let cost_ns = entrants_ns(task, &meant) * rounds;
            // At its last look there is no round left for them.
            waiting.push((if rounds > 0.0 { cost_ns } else { f64::INFINITY }, index, nth));
        }
    }
    waiting.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut paid_ns = 0.0;
    for (cost_ns, index, nth) in waiting {
        let contest = &mut tasks[index].contests[nth];
        if paid_ns + cost_ns <= left_ns { paid_ns += cost_ns } else { contest.drop_outsiders(is_meant) }
    }
    paid_ns
}

/// Ends what the next round cannot be paid for, the most costly task first. Returns whether any goes on.
pub(crate) fn goes_on(tasks: &mut [Task], budget: &Budget, between_ns: f64) -> bool {
    loop {
        let running = tasks.iter_mut().filter(|task| task.runs());
        let mut costs: Vec<(f64, &mut Task)> =
            running.map(|task| (entrants_ns(task, &task.live()), task)).collect();
        let pass_ns = between_ns + costs.iter().map(|(round_ns, _)| round_ns).sum::<f64>();
        // A run whose budget stretches answers: it takes its first look whatever it costs.
        costs.retain(|(_, task)| {
            !budget.stretches || task.counted() >= task.looks.first().copied().unwrap_or(0)
        });
        let most = costs.into_iter().max_by(|a, b| a.0.total_cmp(&b.0));
        let Some((_, most)) = most.filter(|_| !budget.pays_for(pass_ns)) else { break };
        most.contests.iter_mut().for_each(Contest::end);
        most.entrants.iter_mut().for_each(|entrant| entrant.live = false);
    }
    tasks.iter().any(Task::runs)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use model::{Design, Durability, Metric, Proof, Setting, Workload};
    use stats::contest::Assessment;

    use super::*;
    use crate::plan::planned::{Participant, PlannedTask};

    const LOOKS: [u32; 3] = [6, 8, 10];

    /// Returns a contest of three after its first look, whose turns take so long each; the last one is the baseline.
    fn task(turn_ns: f64) -> Task {
        let family = families::find("control").expect("a family");
        let setting = Setting::warm("/", Durability::Returned);
        let mut planned = PlannedTask::new(family, Workload::of_size(1), setting);
        planned.participants = ["a", "b", "plain"]
            .map(|name| Participant { name: name.to_owned(), ..Participant::default() })
            .to_vec();
        let mut task =
            Task::new(planned, Metric::WORK, "/".into(), Proof { bytes: 0, digest: String::new() }, false);
        let baselines = BTreeMap::from([(family.name().to_owned(), "plain".to_owned())]);
        let design = Design { baselines, ..Design::usual(Vec::new()) };
        task.rounds = 1 + LOOKS[0];
        task.looks = LOOKS.to_vec();
        for entrant in &mut task.entrants {
            (entrant.guess_ns, entrant.cost_ns) = (turn_ns, turn_ns);
        }
        task.form_contests(&design);
        task
    }

    fn looked_at(turn_ns: f64, candidates: &[usize]) -> Task {
        let mut task = task(turn_ns);
        task.contests[0].assessment = Assessment {
            look: Some(LOOKS[0]),
            leader: Some(0),
            candidates: candidates.to_vec(),
            ..Assessment::default()
        };
        task
    }

    /// Returns one that is decided for the first, while the factor of the baseline is open.
    fn decided(turn_ns: f64) -> Task {
        let mut task = looked_at(turn_ns, &[0]);
        (task.contests[0].closed, task.contests[0].kept) = (true, vec![2]);
        task
    }

    const ALL: &[usize] = &[0, 1, 2];

    #[test]
    fn the_time_that_candidates_leave_goes_to_outsiders() {
        let mut tasks = [decided(1.0), looked_at(1.0, ALL)];
        deal(&mut tasks, 100.0);
        assert_eq!(tasks[0].live(), [0, 2]);
        assert_eq!(tasks[1].live(), [0, 1, 2]);
    }

    #[test]
    fn the_baseline_comes_before_later_looks_and_others_after_them() {
        for (kept, live) in [(2, vec![0, 1, 2]), (1, vec![0, 2])] {
            let mut tasks = [looked_at(10.0, &[0, 3 - kept])];
            tasks[0].contests[0].kept = vec![kept];
            deal(&mut tasks, 70.0);
            assert_eq!(tasks[0].live(), live);
        }
    }

    #[test]
    fn where_nothing_pays_for_it_the_baseline_leaves() {
        let mut tasks = [decided(30.0), looked_at(10.0, ALL)];
        deal(&mut tasks, 100.0);
        assert!(tasks[0].is_over() && tasks[0].contests[0].is_over());
        assert_eq!(tasks[1].live(), [0, 1, 2]);
    }

    #[test]
    fn candidates_that_cannot_reach_their_next_look_end() {
        let mut tasks = [looked_at(10.0, ALL)];
        deal(&mut tasks, 50.0);
        assert!(tasks[0].is_over());
    }
}
