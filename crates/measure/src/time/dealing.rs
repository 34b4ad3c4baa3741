//! What is measured after a look: who gets the time that is left.

use crate::task::Task;
use crate::time::LAST_FOR_BASELINE;
use crate::time::budget::Budget;
use crate::time::schedule::{entrants_ns, to_first_look_ns};

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

/// Deals out what is left after a look: first, in the early rounds, to the baseline until its factor is known, then to the candidates
/// of open contests, then to those whose candidates are all one technique, then to outsiders whose factor is open. What cannot be paid
/// to its next look leaves, or ends.
pub(crate) fn deal(tasks: &mut [Task], mut left_ns: f64) {
    choose_waiting(tasks);
    left_ns -= tasks.iter().map(to_first_look_ns).sum::<f64>();
    left_ns -= deal_to_baselines(tasks, left_ns);
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
    deal_to_outsiders(tasks, left_ns - wanted_ns - waiting_candidates_ns(tasks));
    tasks.iter_mut().for_each(Task::settle);
}

/// Deals to baselines whose factor is open, and returns what that costs: a few rounds more settle most of them.
fn deal_to_baselines(tasks: &mut [Task], left_ns: f64) -> f64 {
    let mut spent_ns = 0.0;
    for task in tasks.iter_mut().filter(|task| !task.waits) {
        let rounds = f64::from(task.next_look().saturating_sub(task.counted()));
        for nth in 0..task.contests.len() {
            let cost_ns = rounds * entrants_ns(task, &task.contests[nth].open_baseline());
            let is_early = task.counted() < LAST_FOR_BASELINE && rounds > 0.0;
            let is_paid = is_early && spent_ns + cost_ns <= left_ns;
            spent_ns += if is_paid { cost_ns } else { 0.0 };
            task.contests[nth].baseline_is_paid = is_paid;
        }
    }
    spent_ns
}

/// The cheapest first; before all others those with a baseline.
fn deal_to_outsiders(tasks: &mut [Task], mut left_ns: f64) {
    let mut waiting = Vec::new();
    for (index, task) in tasks.iter().enumerate().filter(|(_, task)| !task.waits) {
        let rounds = f64::from(task.next_look().saturating_sub(task.counted()));
        for (nth, contest) in task.contests.iter().enumerate().filter(|(_, one)| !one.kept.is_empty()) {
            let baseline = contest.open_baseline();
            let paid = if contest.baseline_is_paid { baseline.as_slice() } else { &[] };
            let mut entrants = contest.outsiders();
            entrants.retain(|entrant| !paid.contains(entrant));
            let cost_ns = entrants_ns(task, &entrants) * rounds;
            let is_first = !baseline.is_empty() && paid.is_empty();
            // At its last look there is no round left for them.
            waiting.push((!is_first, if rounds > 0.0 { cost_ns } else { f64::INFINITY }, index, nth));
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
fn end_unpaid(tasks: &mut [Task], budget: &Budget, between_ns: f64) {
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

/// Lets contests wait whose answer is good enough for now, as long as there is one whose answer is not: a few rounds more
/// are worth more there. The levels of a curve share their rounds, so they never wait; nor does a contest before its control, the twin, was looked at.
fn choose_waiting(tasks: &mut [Task]) {
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
    end_unpaid(tasks, budget, between_ns);
    if tasks.iter().all(|task| task.is_over() || task.waits) && tasks.iter().any(|task| task.waits) {
        tasks.iter_mut().for_each(|task| task.waits = false);
        deal(tasks, budget.left_ns());
        end_unpaid(tasks, budget, between_ns);
    }
    tasks.iter().any(Task::runs)
}

/// What the candidates of contests that wait cost to their next look.
fn waiting_candidates_ns(tasks: &[Task]) -> f64 {
    let cost_ns = |task: &Task| {
        let rounds = f64::from(task.next_look().saturating_sub(task.counted()));
        let candidates = task.contests.iter().map(|contest| entrants_ns(task, &contest.candidates()));
        rounds * candidates.sum::<f64>()
    };
    tasks.iter().filter(|task| task.waits).map(cost_ns).sum()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use model::{Design, Durability, Proof, Quantity, Setting, Workload};
    use stats::contest::Assessment;

    use super::*;
    use crate::plan::planned::PlannedTask;
    use crate::task::contest::tests::participant;

    const LOOKS: [u32; 3] = [6, 8, 10];

    /// A contest of three after its first look, whose turns take so long each; the last one is the plain way.
    fn task(turn_ns: f64) -> Task {
        let family = families::find("control").expect("a family");
        let planned = PlannedTask {
            family,
            workload: Workload::of_size(1),
            setting: Setting::warm("/", Durability::Returned),
            participants: ["a", "b", "plain"].map(|name| participant(name, None)).to_vec(),
            reserve: Vec::new(),
            refused: Vec::new(),
            left_out: Vec::new(),
            curve: None,
            is_extra: false,
        };
        let mut task =
            Task::new(planned, Quantity::WORK, "/".into(), Proof { bytes: 0, digest: String::new() }, false);
        let references = BTreeMap::from([(family.name().to_owned(), "plain".to_owned())]);
        let design = Design { references, ..Design::usual(Vec::new()) };
        task.rounds = 1 + LOOKS[0];
        task.looks = LOOKS.to_vec();
        for entrant in &mut task.entrants {
            (entrant.guess_ns, entrant.cost_ns) = (turn_ns, turn_ns);
        }
        task.form_contests(&design);
        task
    }

    /// It is decided for the first one, and by how much the plain way is slower is open.
    fn decided(turn_ns: f64) -> Task {
        let mut task = task(turn_ns);
        let contest = &mut task.contests[0];
        contest.assessment = Assessment {
            look: Some(LOOKS[0]),
            leader: Some(0),
            candidates: vec![0],
            ..Assessment::default()
        };
        (contest.closed, contest.kept) = (true, vec![2]);
        task
    }

    fn open_contest(turn_ns: f64) -> Task {
        let mut task = task(turn_ns);
        task.contests[0].assessment = Assessment {
            look: Some(LOOKS[0]),
            leader: Some(0),
            candidates: vec![0, 1, 2],
            ..Assessment::default()
        };
        task
    }

    #[test]
    fn the_plain_way_is_measured_on_beside_the_leader_where_open_contests_want_all_the_time() {
        let mut tasks = [decided(1.0), open_contest(10.0)];
        deal(&mut tasks, 100.0);
        assert_eq!(tasks[0].live(), [0, 2]);
        assert_eq!(tasks[1].live(), [0, 1, 2]);
    }

    #[test]
    fn where_nothing_pays_for_it_the_plain_way_leaves() {
        let mut tasks = [decided(30.0), open_contest(10.0)];
        deal(&mut tasks, 100.0);
        assert!(tasks[0].is_over() && tasks[0].contests[0].is_over());
        assert_eq!(tasks[1].live(), [0, 1, 2]);
    }

    #[test]
    fn a_plain_way_that_is_paid_for_goes_on_where_the_time_of_the_candidates_is_over() {
        let mut tasks = [open_contest(10.0)];
        let contest = &mut tasks[0].contests[0];
        (contest.assessment.candidates, contest.kept) = (vec![0, 1], vec![2]);
        deal(&mut tasks, 50.0);
        assert_eq!(tasks[0].live(), [0, 2]);
    }
}
