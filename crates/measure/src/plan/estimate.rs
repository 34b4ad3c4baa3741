//! Estimates how long a run takes, before anything is measured: from what earlier runs on this host took, else from sizes.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use families::Isolation;
use model::{Along, Design, Volume};
use stats::contest::{COARSE_DELTA, LOOKS, RoundCosts, likely_candidates};

use crate::plan::planned::{Estimate, Participant, Plan, PlannedTask, program, units};
use crate::request::{Refusal, Request};

/// Starting, preparing and ending a process.
const PROCESS_NS: f64 = 6e6;
/// Work of which nothing is known.
const UNKNOWN_NS: f64 = 2e6;
/// Work shorter than this needs several repetitions in a sample, and a trial that finds out how many.
const SMALL_WORK_NS: f64 = 1e6;
/// Inputs are made and read back at this speed.
const INPUT_BYTES_PER_SECOND: f64 = 4e8;
/// The results of samples are looked at with this speed.
const PROOF_BYTES_PER_SECOND: f64 = 1.2e10;
/// Cold inputs and flushed outputs pass through the device at this speed next to the work.
const DEVICE_BYTES_PER_SECOND: f64 = 3e9;
/// A run for which no budget was given gets at least this many rounds of all entries.
pub(crate) const FIRST_LOOK_OF_SHORT: u32 = 6;
/// Work that takes so long is not done untimed first once it was tried.
pub(crate) const LONG_NS: f64 = 1e8;
/// Of the budget, the part that samples may take: the rest is for the report and for what was estimated badly.
const USABLE: f64 = 0.9;
/// The best entries of a task get at least so many rounds after round 0.
const ROUNDS: f64 = 5.0;

/// Time that a run of one contest may take when no budget was given, in nanoseconds, as those that follow. It gets
pub const ONE_CONTEST_NS: u64 = 25_000_000_000;
/// this much more for each further contest,
pub const FURTHER_CONTEST_NS: u64 = 13_000_000_000;
/// for each contest whose entries share a process, which is over in seconds,
pub const SESSION_CONTEST_NS: u64 = 3_000_000_000;
/// for each further level of a curve,
pub const FURTHER_LEVEL_NS: u64 = 4_000_000_000;
/// for each further level that does the same work as the others, and so it is about techniques that are known from them,
pub const SAME_WORK_LEVEL_NS: u64 = 200_000_000;
/// and for each level that a family asks for by itself, with few entries.
const EXTRA_LEVEL_NS: u64 = 1_500_000_000;

/// An estimate of what a run will take.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Outlook {
    /// Entries and ceilings of all tasks.
    pub trials: usize,
    /// Time until the answer, in nanoseconds.
    pub elapsed_ns: f64,
    /// The work of each contest is known: earlier runs took a time, or it has a size. Otherwise that time is a guess.
    pub is_known: bool,
    /// Time that the run may take, in nanoseconds: the budget, or what it has been stretched to.
    pub budget_ns: f64,
    /// The first and the last look that the budget is expected to pay for.
    pub rounds: (u32, u32),
}

pub(crate) fn fill_in(task: &mut PlannedTask, earlier: &BTreeMap<String, u64>) {
    let bytes = task.family.scratch_bytes(&task.workload) as f64;
    let by_size = task.family.usual_bytes_per_second().map(|speed| (bytes / speed as f64 * 1e9) as u64);
    for one in &mut task.participants {
        let known = earlier.get(&one.name).copied();
        one.estimate = Estimate { work_ns: known.or(by_size), from_earlier: known.is_some() };
    }
}

/// Returns the time of a run for which no budget was given, from that of one contest.
pub(crate) fn usual_budget_ns(tasks: &[PlannedTask], curves: &BTreeMap<String, Along>, one_ns: u64) -> u64 {
    let extra = tasks.iter().filter(|task| task.is_extra).count() as u64;
    let (mut contests, mut sessions, mut levels_ns) = (0_u64, 0_u64, 0_u64);
    for unit in units(tasks.iter().map(|task| task.curve)) {
        // Levels that the family asks for may belong to the curve of a workload that the user asked for.
        let asked = unit.iter().filter(|&&task| !tasks[task].is_extra).count() as u64;
        let Some(further) = asked.checked_sub(1) else { continue };
        let family = tasks[unit[0]].family;
        match family.isolation() {
            Isolation::Sample => contests += 1,
            Isolation::Session => sessions += 1,
        }
        let along = curves.get(family.name());
        let is_same_work = along.is_some_and(|along| along.is_spread || along.is_same_work);
        levels_ns += further * if is_same_work { SAME_WORK_LEVEL_NS } else { FURTHER_LEVEL_NS };
    }
    one_ns
        + FURTHER_CONTEST_NS * contests.saturating_sub(1)
        + SESSION_CONTEST_NS * sessions
        + levels_ns
        + EXTRA_LEVEL_NS * extra
}

/// Returns what one turn of an entry costs after round 0, everything included.
pub(crate) fn turn_ns(task: &PlannedTask, one: &Participant) -> f64 {
    let uses_device = task.setting.is_cold() || task.setting.is_durable();
    let device_ns = if uses_device { 1e9 / DEVICE_BYTES_PER_SECOND } else { 0.0 };
    let proof_ns =
        task.family.scratch_bytes(&task.workload) as f64 * (1e9 / PROOF_BYTES_PER_SECOND + device_ns);
    match task.family.isolation() {
        Isolation::Sample => PROCESS_NS + work_ns(one) + proof_ns,
        // One process for all; each repeats its work in every inner round.
        Isolation::Session => PROCESS_NS / task.participants.len() as f64 + work_ns(one) + proof_ns,
    }
}

/// Returns what a turn costs in round 0, where an untimed repetition or process comes first unless the work is long and was tried.
fn first_turn_ns(task: &PlannedTask, one: &Participant, (from_outside, is_new): (bool, bool)) -> f64 {
    let was_long = is_small(task, from_outside) && work_ns(one) >= LONG_NS;
    let untimed_ns = match (task.setting.is_cold() || was_long, from_outside) {
        (true, _) => 0.0,
        (false, true) if is_new => PROCESS_NS + work_ns(one),
        (false, true) => 0.0,
        (false, false) => work_ns(one),
    };
    turn_ns(task, one) + untimed_ns
}

fn work_ns(one: &Participant) -> f64 {
    one.estimate.work_ns.map_or(UNKNOWN_NS, |ns| ns as f64)
}

/// Returns whether the number of repetitions must be found by a trial. Work that consumes its input, or whose input must be
/// cold, is done once; so is work that is timed from outside.
pub(crate) fn is_small(task: &PlannedTask, from_outside: bool) -> bool {
    let competitors = task.participants.iter().filter(|one| one.competes());
    let shortest = competitors.map(|one| one.estimate.work_ns.unwrap_or(0)).min().unwrap_or(0);
    !from_outside && !task.setting.is_cold() && (shortest as f64) < SMALL_WORK_NS
}

/// Returns what a process of an entry costs; `None` where nothing is known of its work.
pub(crate) fn known_process_ns(one: &Participant) -> Option<f64> {
    one.estimate.work_ns.map(|ns| PROCESS_NS + ns as f64)
}

fn is_known(task: &PlannedTask) -> bool {
    task.participants.iter().any(|one| one.estimate.work_ns.is_some())
}

/// Returns the time until the first sample: the inputs, each once, and the trials of small work.
fn preparation_ns(tasks: &[PlannedTask], from_outside: bool) -> f64 {
    let small = tasks.iter().filter(|task| is_small(task, from_outside));
    let tried = small.flat_map(|task| &task.participants);
    let tried_ns: f64 = tried.map(|one| PROCESS_NS + work_ns(one).max(2.0 * SMALL_WORK_NS)).sum();
    let bytes: f64 = inputs(tasks).iter().map(|(_, bytes)| *bytes as f64).sum();
    bytes / 2.0 / INPUT_BYTES_PER_SECOND * 1e9 + tried_ns
}

/// Returns a task for each input, the first of those that share it, with the most scratch space that one of them needs.
fn inputs(tasks: &[PlannedTask]) -> Vec<(&PlannedTask, u64)> {
    let mut inputs: Vec<(&PlannedTask, u64)> = Vec::new();
    for task in tasks {
        let bytes = task.family.scratch_bytes(&task.workload);
        let known = inputs.iter_mut().find(|(known, _)| {
            known.setting.place == task.setting.place
                && known.family.name() == task.family.name()
                && task.family.have_same_inputs(&known.workload, &task.workload)
        });
        match known {
            Some((_, most)) => *most = bytes.max(*most),
            None => inputs.push((task, bytes)),
        }
    }
    inputs
}

fn round_0_ns(task: &PlannedTask, from_outside: bool) -> f64 {
    let mut programs = BTreeSet::new();
    let new = task.participants.iter().map(|one| (one, programs.insert(program(task.family, one))));
    new.map(|(one, is_new)| first_turn_ns(task, one, (from_outside, is_new))).sum()
}

fn costs(task: &PlannedTask) -> RoundCosts {
    let all: Vec<f64> = task.participants.iter().map(|one| turn_ns(task, one)).collect();
    let competitors = task.participants.iter().zip(&all).filter(|(one, _)| one.competes());
    let competitors: Vec<f64> = competitors.map(|(_, &turn_ns)| turn_ns).collect();
    let likely = likely_candidates(&competitors);
    let likely_ns: f64 = likely.iter().map(|&index| competitors[index]).sum();
    RoundCosts { all: all.iter().sum(), likely: likely_ns, twin: likely_ns / likely.len().max(1) as f64 }
}

impl Plan {
    /// Returns what the run will take.
    pub fn outlook(&self) -> Outlook {
        let Request { rounds, least_rounds, .. } = self.request;
        let from_outside = self.request.is_timed_from_outside();
        let before_ns = preparation_ns(&self.tasks, from_outside);
        let mut sum = RoundCosts::default();
        for task in &self.tasks {
            let costs = costs(task);
            sum.all += costs.all;
            sum.likely += costs.likely;
            sum.twin += costs.twin;
        }
        let round_0_ns =
            before_ns + self.tasks.iter().map(|task| round_0_ns(task, from_outside)).sum::<f64>();
        let mut budget_ns = self.budget_ns as f64;
        if self.request.budget_stretches {
            let least_ns = sum.of(least_rounds, least_rounds);
            budget_ns = round_0_ns + sum.stretched(budget_ns - round_0_ns).max(least_ns);
        }
        let left_ns = budget_ns - round_0_ns;
        let soonest = soonest_look(&self.design, rounds);
        let first = sum.rounds_of_all(left_ns).clamp(1, 8).min(soonest).max(least_rounds);
        let mut looks = LOOKS.into_iter().filter(|look| (first..=rounds).contains(look));
        let last = looks.rfind(|&last| sum.of(first, last) <= left_ns).unwrap_or(first);
        Outlook {
            trials: self.tasks.iter().map(|task| task.participants.len()).sum(),
            elapsed_ns: (round_0_ns + sum.of(first, last)).min(budget_ns),
            is_known: self.tasks.iter().all(is_known),
            budget_ns,
            rounds: (first, last),
        }
    }
}

/// Leaves out what the budget cannot pay for even once. Of each task, the shortest entries stay, as many as can be tried
/// once with five rounds of the shortest three after that; what the user named comes first, and the baselines stay. Entries that take
/// all rounds stay whatever they cost, and all tasks share what these leave.
pub(crate) fn thin(tasks: &mut [PlannedTask], design: &Design, budget_ns: u64, from_outside: bool) {
    let before_ns = preparation_ns(tasks, from_outside);
    let staying_ns = |task: &PlannedTask| {
        let staying = task.participants.iter().filter(|one| one.stays);
        (1.0 + ROUNDS) * staying.map(|one| turn_ns(task, one)).sum::<f64>()
    };
    let mut left_ns = USABLE * budget_ns as f64 - before_ns - tasks.iter().map(staying_ns).sum::<f64>();
    let mut by_cost: Vec<usize> = (0..tasks.len()).collect();
    by_cost.sort_by(|&a, &b| costs(&tasks[a]).all.total_cmp(&costs(&tasks[b]).all));
    for (place, &index) in by_cost.iter().enumerate() {
        let share_ns = left_ns / (by_cost.len() - place) as f64;
        let task = &mut tasks[index];
        let staying_ns = staying_ns(task);
        let kept = affordable(task, design, staying_ns + share_ns, from_outside);
        let mut places = 0..;
        let leaving =
            task.participants.extract_if(.., |_| !places.next().is_some_and(|at| kept.contains(&at)));
        task.skipped = leaving.collect();
        left_ns -= ((1.0 + ROUNDS) * costs(task).all - staying_ns).min(share_ns);
    }
}

/// Returns the entries of a task that a share of the budget pays for, in their order.
fn affordable(task: &PlannedTask, design: &Design, share_ns: f64, from_outside: bool) -> Vec<usize> {
    const LEAST: usize = 2;
    let turns_ns = task.participants.iter().map(|one| first_turn_ns(task, one, (from_outside, true)));
    let turns_ns: Vec<f64> = turns_ns.collect();
    let mut order: Vec<usize> = (0..turns_ns.len()).collect();
    // The sorts are stable: where nothing is known of the times, the order of the list decides. A ceiling is not an entry.
    order.sort_by(|&a, &b| turns_ns[a].total_cmp(&turns_ns[b]));
    order.sort_by_key(|&index| {
        let one = &task.participants[index];
        (!one.competes(), !one.stays, !design.is_baseline(task.family.name(), &one.name), !one.is_named)
    });
    let staying = task.participants.iter().filter(|one| one.stays).count();
    let leading = order.iter().take(staying.max(3));
    let rounds_ns = ROUNDS * leading.map(|&index| turns_ns[index]).sum::<f64>();
    let mut spent_ns = 0.0;
    let paid = order.iter().take_while(|&&index| {
        spent_ns += turns_ns[index];
        spent_ns + rounds_ns <= share_ns
    });
    let count = paid.count().max(LEAST).max(staying).min(order.len());
    let mut kept = order[..count].to_vec();
    kept.sort_unstable();
    kept
}

/// Returns the scratch space for inputs and outputs in each directory. Refuses what a disk would not hold.
pub(crate) fn needed_bytes(
    tasks: &[PlannedTask], volumes: &[Volume],
) -> Result<Vec<(PathBuf, u64)>, Refusal> {
    let mut needed: Vec<(PathBuf, u64)> = Vec::new();
    for (task, bytes) in inputs(tasks) {
        let Some(of) = task.setting.directory() else { continue };
        match needed.iter_mut().find(|(directory, _)| directory == of) {
            Some((_, sum)) => *sum = sum.saturating_add(bytes),
            None => needed.push((of.to_owned(), bytes)),
        }
    }
    for (directory, bytes) in &needed {
        let volume = volumes.iter().find(|volume| volume.directory == *directory);
        // A full disk hurts more than this run: a twentieth of what is free stays free.
        let free = volume.and_then(|volume| volume.free_bytes);
        if let Some(free) = free.filter(|free| free - free / 20 < *bytes) {
            return Err(Refusal(format!(
                "{} has {} free and the run needs up to {}; free some space, or choose a smaller --size or another --dir",
                directory.display(),
                model::format_bytes(free),
                model::format_bytes(*bytes)
            )));
        }
    }
    Ok(needed)
}

/// Returns the latest that a first look may be, for a run of at most this many rounds. With a coarse limit the plan is a short one.
pub(crate) fn soonest_look(design: &Design, rounds: u32) -> u32 {
    if design.delta >= COARSE_DELTA { FIRST_LOOK_OF_SHORT.min(rounds) } else { rounds }
}
