//! What two trial runs of everybody tell before the first round: who fails, how long a block must be, and
//! how many rounds the budget allows.

use model::{Cache, Design};
use stats::{TooFew, plan_looks};
use sys::clock;

use crate::cell::Cell;

/// A timed block is at least this long, so that the clock's step does not show.
const SHORTEST_BLOCK_NS: f64 = 1e6;
/// A block of this length hardly feels a tick of the scheduler or a moment of a neighbour: on a shared host two
/// identical loops of 2 ms differ by 5 % from sample to sample, of 4 ms and more by less than 2 %.
const CALM_BLOCK_NS: f64 = 4e6;
/// Calm is given up where the slowest would need more than this for it: rounds are worth more.
const LONGEST_CALM_BLOCK_NS: f64 = 40e6;
/// A block shorter than this many steps of the clock is coarse.
const STEPS_WANTED: f64 = 1000.0;
/// A block shorter than this many steps is no measurement.
const STEPS_NEEDED: f64 = 100.0;
/// A block longer than this wastes rounds.
const LONGEST_BLOCK_NS: f64 = 250e6;
/// Whoever needs this much more than the fastest is expected to leave at the first look.
const LIKELY_TO_LEAVE: f64 = 1.5;

/// Repetitions in a timed block: one number for all, so that none is favoured.
pub(crate) fn repetitions(times_ns: &[f64], step_ns: u64) -> u64 {
    let fastest = times_ns.iter().copied().fold(f64::INFINITY, f64::min).max(0.1);
    let slowest = times_ns.iter().copied().fold(0.0, f64::max);
    let step_ns = step_ns as f64;
    let wanted = (SHORTEST_BLOCK_NS.max(STEPS_WANTED * step_ns) / fastest).ceil();
    let calm = wanted.max((CALM_BLOCK_NS / fastest).ceil());
    let count = if calm * slowest <= LONGEST_CALM_BLOCK_NS {
        calm
    } else if wanted * slowest <= LONGEST_BLOCK_NS {
        wanted
    } else {
        (STEPS_NEEDED * step_ns / fastest).ceil()
    };
    if count.is_finite() { (count as u64).max(1) } else { 1 }
}

/// Chooses the length of a cell's blocks from its calibrated times.
pub(crate) fn size_blocks(cell: &mut Cell) {
    let competitors = cell.seats.iter().filter(|seat| seat.participant.competes());
    let times: Vec<f64> = competitors.filter_map(|seat| seat.calibrated_ns).collect();
    // Only the first repetition is cold: what it has read is in the cache for all that follow.
    if !times.is_empty() && cell.setting.cache == Cache::Warm {
        cell.repetitions = repetitions(&times, clock::step_ns());
    }
}

/// What a number of rounds will cost in nanoseconds: everybody runs until somebody can be told to be far
/// behind, then those who are not.
pub(crate) fn cost_ns(cells: &[Cell], design: &Design, rounds: u32) -> f64 {
    let of = |cell: &Cell| {
        let full = rounds.min(cell.first_departure(design));
        f64::from(full) * round_cost_ns(cell, true) + f64::from(rounds - full) * round_cost_ns(cell, false)
    };
    cells.iter().filter(|cell| !cell.decided).map(of).sum()
}

/// What remains when so many rounds of the design are over.
pub(crate) fn remaining_ns(cells: &[Cell], design: &Design, over: u32) -> f64 {
    let last = design.looks.last().copied().unwrap_or(over);
    cost_ns(cells, design, last) - cost_ns(cells, design, over)
}

fn round_cost_ns(cell: &Cell, everybody: bool) -> f64 {
    let seats = || cell.seats.iter().filter(|seat| seat.live);
    let fastest = seats()
        .filter(|seat| seat.participant.competes())
        .map(|seat| seat.cost_ns)
        .fold(f64::INFINITY, f64::min);
    seats()
        .filter(|seat| everybody || seat.cost_ns <= LIKELY_TO_LEAVE * fastest)
        .map(|seat| seat.cost_ns)
        .sum()
}

/// The time that the first two looks need, with some to spare: less can hardly tell anything apart.
pub(crate) fn least_budget_ns(cells: &[Cell], design: &Design) -> u64 {
    const SPARE: f64 = 1.2;
    let second = design.looks.get(1).or(design.looks.first()).copied().unwrap_or(1);
    (SPARE * cost_ns(cells, design, second)) as u64
}

/// The looks that the budget allows.
pub(crate) fn affordable(cells: &[Cell], design: &Design, budget_ns: u64) -> Result<Vec<u32>, TooFew> {
    let last = design.looks.last().copied().unwrap_or(1);
    let rounds = estimate_rounds(budget_ns as f64, last, |rounds| cost_ns(cells, design, rounds));
    plan_looks(&design.looks, rounds)
}

/// The largest number of rounds, at most `most`, whose cost stays within the budget.
pub fn estimate_rounds(budget_ns: f64, most: u32, cost_ns: impl Fn(u32) -> f64) -> u32 {
    (1..=most).rev().find(|&rounds| cost_ns(rounds) <= budget_ns).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_is_four_milliseconds_long_where_nobody_is_slow() {
        assert_eq!(repetitions(&[50.0, 60.0], 20), 80_000);
        assert_eq!(repetitions(&[2e6, 2.1e6], 20), 2);
    }

    #[test]
    fn a_block_is_a_millisecond_long_where_four_would_take_a_slow_rival_too_long() {
        assert_eq!(repetitions(&[50.0, 6_000.0], 20), 20_000);
        assert_eq!(repetitions(&[2e6, 88e6], 20), 1);
    }

    #[test]
    fn a_coarse_clock_asks_for_longer_blocks() {
        assert_eq!(repetitions(&[1e6], 15_600_000), 1_560);
        assert_eq!(repetitions(&[1e3], 10_000), 10_000);
    }

    #[test]
    fn a_slow_rival_shortens_the_blocks_but_not_below_what_the_clock_needs() {
        // Wanted 20,000 repetitions would take the slow one 2 s; 100 steps of 20 ns are 40 repetitions.
        assert_eq!(repetitions(&[50.0, 100_000.0], 20), 40);
    }

    #[test]
    fn work_of_many_milliseconds_is_done_once() {
        assert_eq!(repetitions(&[5e6, 90e6], 20), 1);
    }

    #[test]
    fn the_budget_says_how_many_rounds_there_are() {
        let cost = |rounds: u32| f64::from(rounds) * 1e9;
        assert_eq!(estimate_rounds(30e9, 60, cost), 30);
        assert_eq!(estimate_rounds(300e9, 60, cost), 60);
        assert_eq!(estimate_rounds(0.5e9, 60, cost), 0);
    }
}
