//! Fixes how many rounds the budget pays for, and who is still measured when it grows short.

use crate::plan::estimate::{FIRST_LOOK_OF_SHORT, soonest_look};
use crate::plan::planned::units;
use crate::task::{Entrant, FAR_BEHIND_ROUND, Task};
use crate::time::budget::Budget;
use crate::time::{FEWEST_ROUNDS, FIRST_LOOK_OF_CURVE, LAST_LOOK_OF_SHORT, PLENTY_OF_ROUNDS, STAYING, turns};
use model::Design;
use stats::contest::{LOOKS, RoundCosts, affordable_entries, likely_candidates, looks_between, looks_for};

/// Fixes after round 0 who takes part and the looks of each task, at least `least` and at most `rounds` counted rounds. Returns
/// task and entrant of those that are skipped for time. Levels of a curve share their looks: a sentence is about the same rounds.
pub(crate) fn fix(
    tasks: &mut [Task], design: &Design, budget: &mut Budget, (least, rounds): (u32, u32),
) -> Vec<(usize, usize)> {
    let units = units(tasks.iter().map(|task| task.curve));
    let costs: Vec<RoundCosts> = units.iter().map(|unit| costs_of(tasks, unit)).collect();
    if budget.stretches {
        budget.stretch(
            units.iter().zip(&costs).map(|(unit, costs)| least_ns(tasks, unit, costs, (least, rounds))).sum(),
        );
    }
    budget.needed_ns = Some(budget.elapsed_ns() + costs.iter().map(|costs| costs.of(8, 10)).sum::<f64>());
    let mut by_cost: Vec<usize> = (0..units.len()).collect();
    by_cost.sort_by(|&a, &b| costs[a].all.total_cmp(&costs[b].all));
    let (mut left_ns, mut leaving) = (budget.left_ns(), Vec::new());
    for (place, &index) in by_cost.iter().enumerate() {
        let waiting = by_cost[place..].iter();
        let waiting = waiting.map(|&index| costs[index].of(FIRST_LOOK_OF_SHORT, LAST_LOOK_OF_SHORT));
        let waiting: Vec<f64> = waiting.collect();
        let share_ns = share(left_ns, waiting[0], &waiting);
        let unit = &units[index];
        let all_stay = unit.iter().any(|&level| tasks[level].has_all_rounds());
        leaving.extend(leave_for_time(tasks, unit, design, share_ns, rounds));
        let far_ns = unit.iter().map(|&level| far_ns(&tasks[level])).sum();
        let paid = costs_of(tasks, unit);
        let least = if budget.stretches { least } else { least.min(paid.rounds_of_all(share_ns)) };
        let has_plenty =
            unit.len() > 1 || units.len() == 1 || paid.rounds_of_all(share_ns) >= PLENTY_OF_ROUNDS;
        let soonest = if has_plenty { soonest_look(design, rounds) } else { FIRST_LOOK_OF_SHORT.min(rounds) };
        let looks = if all_stay {
            vec![rounds]
        } else {
            looks(&paid, far_ns, share_ns, (least, soonest.max(least), rounds))
        };
        left_ns -= share_ns.min(paid.of(looks[0], looks.last().copied().unwrap_or(looks[0])));
        for &level in unit {
            tasks[level].looks = looks.clone();
            tasks[level].form_contests(design);
        }
    }
    leaving
}

/// Leaves out of a task or curve what its time does not pay for; returns task and entrant of each. Those that have all rounds stay.
fn leave_for_time(
    tasks: &mut [Task], unit: &[usize], design: &Design, share_ns: f64, rounds: u32,
) -> Vec<(usize, usize)> {
    let all_stay = unit.iter().any(|&level| tasks[level].has_all_rounds());
    let steps: &[fn(&Task) -> Vec<usize>] = match (all_stay, unit.len()) {
        (true, _) => &[others],
        (_, 1) => &[dominating],
        _ => &[dominating, far],
    };
    let enough = if all_stay { rounds } else { FIRST_LOOK_OF_CURVE.min(rounds) };
    let mut leaving = Vec::new();
    for step in steps {
        if costs_of(tasks, unit).rounds_of_all(share_ns) >= enough {
            break;
        }
        for &level in unit {
            let behind = step(&tasks[level]);
            let left = leave_out(&mut tasks[level], design, behind);
            leaving.extend(left.into_iter().map(|entrant| (level, entrant)));
        }
    }
    let all = costs_of(tasks, unit).all;
    for &level in unit.iter().filter(|_| !all_stay) {
        let task = &mut tasks[level];
        let part = if all > 0.0 { round_costs(task).all / all } else { 0.0 };
        leaving.extend(thin(task, share_ns * part).into_iter().map(|entrant| (level, entrant)));
    }
    leaving
}

/// Returns what a round of some tasks costs after round 0. A curve has one twin, whatever the number of its levels.
fn costs_of(tasks: &[Task], unit: &[usize]) -> RoundCosts {
    let mut sum = RoundCosts::default();
    for costs in unit.iter().map(|&index| round_costs(&tasks[index])) {
        sum.all += costs.all;
        sum.likely += costs.likely;
        sum.twin = sum.twin.max(costs.twin);
    }
    sum
}

/// Returns the share of the task whose short contest costs `own_ns`: by the square roots of the costs, which make the sum of the
/// intervals' squared widths least. With as many rounds for all, the most expensive contest took half of the time, and every cheap
/// one ended in doubt; with as much time for all, the expensive ones would get no answer.
pub(crate) fn share(left_ns: f64, own_ns: f64, all_ns: &[f64]) -> f64 {
    let sum: f64 = all_ns.iter().map(|cost_ns| cost_ns.sqrt()).sum();
    if sum > 0.0 { (left_ns * own_ns.sqrt() / sum).max(0.0) } else { left_ns.max(0.0) }
}

/// Returns the looks that are possible from the first on; the last is after `rounds`.
pub(super) fn ladder(first: u32, rounds: u32) -> impl Iterator<Item = u32> {
    LOOKS.into_iter().filter(move |&look| look >= first && look < rounds).chain([rounds])
}

/// Returns the looks of a task. `far_ns` is what the entries cost in a round that were far behind in round 0; the first look is
/// at the latest after `soonest` rounds and never before `least`, and the last after `rounds`. `share_ns` is the time that it has.
fn looks(
    costs: &RoundCosts, far_ns: f64, share_ns: f64, (least, soonest, rounds): (u32, u32, u32),
) -> Vec<u32> {
    // In a short contest, entries that are far behind leave after three rounds.
    let to_first_ns = |first: u32| {
        let far_rounds =
            if first <= FIRST_LOOK_OF_SHORT { first.saturating_sub(FAR_BEHIND_ROUND) } else { 0 };
        f64::from(first) * costs.all - f64::from(far_rounds) * far_ns
    };
    let mut first = match looks_for(costs, share_ns, rounds) {
        Some(looks) => looks[0],
        // A thinned field, or two entries that stay whatever they cost.
        None => costs.rounds_of_all(share_ns).clamp(1, FEWEST_ROUNDS),
    };
    if to_first_ns(FIRST_LOOK_OF_SHORT) <= share_ns {
        first = first.max(FIRST_LOOK_OF_SHORT);
    }
    let first = first.min(soonest).max(least).min(rounds);
    // Of the likely candidates some will leave too, and their time is better spent on further rounds than left over.
    let expected_ns =
        |last: u32| to_first_ns(first) + f64::from(last - first) * STAYING * (costs.likely + costs.twin);
    // More entries may leave than is expected. Then the time pays for one look more, and looks are fixed beforehand; if
    // it does not, the chance of error that was kept for that look is lost, and nothing else.
    let paid = ladder(first, rounds).filter(|&look| expected_ns(look) <= share_ns).max().unwrap_or(first);
    let hoped_for = ladder(first, rounds).find(|&look| look > paid).unwrap_or(rounds);
    looks_between(first, if first >= FIRST_LOOK_OF_SHORT { hoped_for } else { paid })
}

/// Returns the entries that took more than twice as long as the fastest of their class in round 0.
fn far(task: &Task) -> Vec<usize> {
    far_by(task, 2.2)
}

fn far_by(task: &Task, factor: f64) -> Vec<usize> {
    let groups = task.groups().into_iter().filter(|group| group.len() > 2);
    let far = groups.flat_map(|group| {
        let fastest = group.iter().map(|&entrant| task.first_value(entrant)).fold(f64::INFINITY, f64::min);
        group.into_iter().filter(move |&entrant| task.first_value(entrant) > factor * fastest)
    });
    far.collect()
}

fn far_ns(task: &Task) -> f64 {
    entrants_ns(task, &far(task))
}

/// Returns the least that a run for which no budget was given pays for. A curve needs a longer contest at each level than others:
/// no fewer rounds are enough for a sentence over its levels.
fn least_ns(tasks: &[Task], unit: &[usize], costs: &RoundCosts, (least, rounds): (u32, u32)) -> f64 {
    let [short, curve, last] = [FIRST_LOOK_OF_SHORT, FIRST_LOOK_OF_CURVE, LAST_LOOK_OF_SHORT]
        .map(|look| look.max(least).min(rounds));
    match unit {
        [_] => costs.of(short, last),
        levels => {
            let far_ns: f64 = levels.iter().map(|&level| far_ns(&tasks[level])).sum();
            RoundCosts { all: costs.all - far_ns, ..*costs }.of(curve, last)
        }
    }
}

/// Returns the entries that may leave where others stay.
fn others(task: &Task) -> Vec<usize> {
    task.live().into_iter().filter(|&entrant| !task.entrants[entrant].participant.stays).collect()
}

/// Returns the entry that takes longer than all others together and took ten times as long as the fastest of its class in round 0.
fn dominating(task: &Task) -> Vec<usize> {
    const FAR: f64 = 10.0;
    let half_ns = entrants_ns(task, &task.live()) / 2.0;
    let far = far_by(task, FAR).into_iter();
    far.filter(|&entrant| task.entrants[entrant].expected_ns() > half_ns).collect()
}

/// Leaves out what was far behind in round 0. The baseline stays, and what the user named.
fn leave_out(task: &mut Task, design: &Design, mut leaving: Vec<usize>) -> Vec<usize> {
    let family = task.family.name();
    leaving.retain(|&entrant| {
        let participant = &task.entrants[entrant].participant;
        !participant.is_named && !design.is_baseline(family, &participant.name)
    });
    leaving.iter().for_each(|&entrant| task.leave_out(entrant));
    leaving
}

/// Leaves entries out where not even three rounds of all can be paid; who left. Ceilings are not entries: they go first, as
/// soon as the leader may be left without a ceiling, which takes the rounds of a short contest.
fn thin(task: &mut Task, share_ns: f64) -> Vec<usize> {
    let (mut entries, idle): (Vec<usize>, Vec<usize>) =
        task.live().into_iter().partition(|&entrant| task.entrants[entrant].participant.competes());
    if round_costs(task).rounds_of_all(share_ns) < FIRST_LOOK_OF_SHORT {
        idle.into_iter().for_each(|entrant| task.entrants[entrant].live = false);
    }
    if round_costs(task).rounds_of_all(share_ns) >= FEWEST_ROUNDS {
        return Vec::new();
    }
    // What the user named comes before what the catalogue added.
    entries.sort_by(|&a, &b| {
        let [a_is_named, b_is_named] = [a, b].map(|one| task.entrants[one].participant.is_named);
        b_is_named.cmp(&a_is_named).then(task.first_value(a).total_cmp(&task.first_value(b)))
    });
    let costs: Vec<f64> = entries.iter().map(|&entrant| task.entrants[entrant].expected_ns()).collect();
    let leaving = entries.split_off(affordable_entries(&costs, share_ns));
    for &entrant in &leaving {
        task.leave_out(entrant);
    }
    leaving
}

pub(crate) fn entrants_ns(task: &Task, entrants: &[usize]) -> f64 {
    let live = entrants.iter().map(|&entrant| &task.entrants[entrant]).filter(|entrant| entrant.live);
    live.map(Entrant::expected_ns).sum()
}

fn round_costs(task: &Task) -> RoundCosts {
    let mut costs = RoundCosts { all: entrants_ns(task, &task.live()), ..RoundCosts::default() };
    for group in task.groups() {
        let times: Vec<f64> = group.iter().map(|&entrant| task.first_value(entrant)).collect();
        let likely: Vec<usize> = likely_candidates(&times).into_iter().map(|index| group[index]).collect();
        let likely_ns = entrants_ns(task, &likely);
        costs.likely += likely_ns;
        costs.twin += likely_ns / likely.len().max(1) as f64;
    }
    costs
}

/// Returns the expected costs of later turns of the entries that were measured, the lowest first.
fn measured_ns(task: &Task) -> Vec<f64> {
    let later_ns = turns::later_turns_ns(task).into_iter().zip(&task.entrants);
    let competing = later_ns.filter(|(_, entrant)| entrant.participant.competes());
    let mut costs_ns: Vec<f64> = competing.filter_map(|(ns, _)| ns).collect();
    costs_ns.sort_unstable_by(f64::total_cmp);
    costs_ns
}

/// Returns whether the user added this entry to those of a catalogue.
fn is_added(task: &Task, one: &Entrant) -> bool {
    let is_named = one.participant.is_named && !one.participant.stays;
    is_named && task.competing().any(|other| !other.participant.is_named)
}

/// Returns whether there is time in round 0 for an entry's first sample. Two entries of a task are always tried, the cheapest two
/// if that is known before, and what the user added to a catalogue; a further one when a few rounds of the cheapest can be paid
/// after it, and the first samples of what is always tried.
pub(crate) fn pays_for_first(tasks: &[Task], index: usize, entrant: usize, budget: &Budget) -> bool {
    const ROUNDS: f64 = 5.0;
    const ENTRIES: usize = 2;
    let (task, own) = (&tasks[index], measured_ns(&tasks[index]));
    let entrant = &task.entrants[entrant];
    let faster = match entrant.known_ns() {
        Some(ns) => task.competing().filter_map(Entrant::known_ns).filter(|&other| other < ns).count(),
        None => own.len(),
    };
    let is_sure = is_added(task, entrant) || faster < ENTRIES;
    let later_ns = tasks.iter().map(|task| {
        let added = task.competing().filter(|&one| is_added(task, one));
        let waiting = added.filter(|one| one.takes_part && !one.was_measured());
        let added_ns: f64 = waiting.map(Entrant::expected_ns).sum();
        ROUNDS * measured_ns(task).iter().take(ENTRIES).sum::<f64>() + added_ns
    });
    let later_ns: f64 = later_ns.sum();
    // What the first guess missed by shows in the entries that were measured.
    let expected_ns = match (entrant.known_ns(), own.as_slice()) {
        (Some(known_ns), _) => known_ns,
        (None, [.., most]) => entrant.expected_ns().min(*most).max(own[own.len() / 2]),
        (None, []) => 0.0,
    };
    // One that has all rounds comes before further rounds of others.
    let later_ns = if entrant.participant.stays { 0.0 } else { later_ns };
    is_sure && entrant.participant.competes() || expected_ns + later_ns <= budget.left_ns()
}

pub(crate) fn to_first_look_ns(task: &Task) -> f64 {
    let rounds = (task.looks.first().copied().unwrap_or(0) + 1).saturating_sub(task.rounds);
    f64::from(rounds) * entrants_ns(task, &task.live())
}

/// Returns whether there is time to measure a task or curve again to the first look. Time for others' first looks is reserved.
pub(crate) fn pays_for_another(tasks: &[Task], unit: &[usize], budget: &Budget) -> bool {
    let costs_ns = unit.iter().map(|&index| {
        let task = &tasks[index];
        let entries = task.entrants.iter().filter(|entrant| entrant.takes_part);
        let rounds = task.looks.first().copied().unwrap_or(0) + 1;
        f64::from(rounds) * entries.map(Entrant::expected_ns).sum::<f64>()
    });
    let others = (0..tasks.len()).filter(|index| !unit.contains(index));
    let promised_ns: f64 = others.map(|index| to_first_look_ns(&tasks[index])).sum();
    budget.stretches || costs_ns.sum::<f64>() + promised_ns <= budget.left_ns()
}

#[cfg(test)]
mod tests {
    use super::*;

    const COSTS: RoundCosts = RoundCosts { all: 10.0, likely: 3.0, twin: 1.0 };

    #[test]
    fn a_hundred_times_the_cost_gets_ten_times_the_time() {
        assert_eq!(share(110.0, 1.0, &[1.0, 100.0]), 10.0);
        assert_eq!(share(100.0, 100.0, &[100.0]), 100.0);
        assert_eq!(share(-1.0, 90.0, &[90.0]), 0.0);
        assert_eq!(share(5.0, 0.0, &[0.0, 0.0]), 5.0);
    }

    #[test]
    fn what_a_contest_leaves_over_is_shared_among_the_others() {
        let costs = [1.0, 4.0, 9.0];
        let first = share(60.0, costs[0], &costs);
        assert_eq!(first, 10.0);
        assert_eq!(share(60.0 - first, costs[1], &costs[1..]), 20.0);
        assert_eq!(share(60.0, costs[1], &costs[1..]), 24.0);
    }

    #[test]
    fn the_number_of_rounds_that_was_asked_for_is_the_last_look() {
        assert_eq!(looks(&COSTS, 0.0, 1e9, (0, 7, 7)), [7]);
        assert_eq!(looks(&COSTS, 0.0, 1e9, (0, 12, 12)), [8, 10, 12]);
        assert_eq!(looks(&COSTS, 0.0, 1e9, (0, 3, 3)), [3]);
        assert_eq!(looks(&COSTS, 0.0, 1e9, (0, 500, 500)).last(), Some(&500));
    }

    #[test]
    fn nothing_is_decided_before_the_least_rounds() {
        assert_eq!(looks(&COSTS, 0.0, 150.0, (10, 60, 60))[0], 10);
        assert_eq!(looks(&COSTS, 0.0, 1e9, (12, 12, 12)), [12]);
        assert_eq!(looks(&COSTS, 0.0, 15.0, (10, 60, 60))[0], 10);
    }

    #[test]
    fn a_coarse_limit_is_looked_for_after_six_rounds() {
        assert_eq!(looks(&COSTS, 0.0, 1e9, (0, FIRST_LOOK_OF_SHORT, 10)), [6, 8, 10]);
        assert_eq!(looks(&COSTS, 0.0, 1e9, (0, FIRST_LOOK_OF_SHORT, 3)), [3]);
        assert_eq!(looks(&COSTS, 0.0, 42.0, (0, FIRST_LOOK_OF_SHORT, 60)), [4]);
    }

    #[test]
    fn a_short_budget_ends_one_look_after_what_it_pays_for() {
        assert_eq!(looks(&COSTS, 0.0, 120.0, (0, 60, 60)), [8, 10, 13, 16, 20, 25]);
        assert_eq!(looks(&COSTS, 0.0, 64.0, (0, 60, 60)), [6, 8]);
        assert_eq!(looks(&COSTS, 0.0, 15.0, (0, 60, 60)), [1]);
        // Most of the cost is that of entries that leave after three of the six rounds.
        assert_eq!(looks(&COSTS, 8.0, 64.0, (0, 60, 60)), [6, 8, 10, 13, 16]);
    }
}
