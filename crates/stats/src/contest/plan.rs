//! How many rounds, and who takes part in them: fixed after round 0, from what a sample of each entry costs.

/// The numbers of counted rounds at which decisions are made, from the first look of a contest on.
pub const LOOKS: [u32; 19] = [3, 4, 5, 6, 8, 10, 13, 16, 20, 25, 30, 40, 50, 60, 80, 100, 130, 160, 200];
/// The last look of a run.
pub const LAST_LOOK: u32 = 100;
/// The last look of a fast run.
pub const LAST_LOOK_FAST: u32 = 20;
/// The last look of a deep run.
pub const LAST_LOOK_DEEP: u32 = 200;

/// An entry that took at most this much longer than the fastest in round 0 is likely to stay.
const LIKELY: f64 = 1.5;
const LEAST_LIKELY: usize = 3;
/// The rounds that each entry of a thinned field can be paid for.
const THINNED_ROUNDS: f64 = 5.0;
/// With fewer rounds of all entries than this the field is thinned.
const LEAST_ROUNDS: u32 = 3;
/// No advice asks for fewer rounds.
const LEAST_ADVISED: f64 = 8.0;

/// The cost of one round, everything included, summed over all contests that share the budget. Any one unit.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct RoundCosts {
    /// A sample of every entry.
    pub all: f64,
    /// A sample of every likely candidate.
    pub likely: f64,
    /// A sample of every twin.
    pub twin: f64,
}

impl RoundCosts {
    /// Returns the cost of a contest with looks from `first` to `last`: outsiders are expected to leave at the first.
    pub fn of(&self, first: u32, last: u32) -> f64 {
        f64::from(first) * self.all + f64::from(last.saturating_sub(first)) * (self.likely + self.twin)
    }

    /// Whole rounds of all entries that a budget pays for.
    pub fn rounds_of_all(&self, budget: f64) -> u32 {
        (budget / self.all) as u32
    }

    /// Returns the budget of a run without one: enough for 6 rounds of all entries and 10 of the likely candidates.
    pub fn stretched(&self, budget: f64) -> f64 {
        budget.max(self.of(6, 10))
    }
}

/// Returns the likely candidates, in their order: at most 1.5 times the smallest time of round 0, at least three. Failures are
/// infinite times.
pub fn likely_candidates(times: &[f64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..times.len()).collect();
    order.sort_by(|&a, &b| times[a].total_cmp(&times[b]));
    let Some(&fastest) = order.first() else { return Vec::new() };
    let near = order.iter().filter(|&&entry| times[entry] <= LIKELY * times[fastest]).count();
    let mut likely = order[..near.max(LEAST_LIKELY).min(order.len())].to_vec();
    likely.sort_unstable();
    likely
}

/// Returns the looks after round 0 of contests that share a budget; `most` is the last of the preset. `None` when fewer than three
/// rounds of all entries can be paid: then [`affordable_entries`] says which to keep.
pub fn looks_for(costs: &RoundCosts, budget: f64, most: u32) -> Option<Vec<u32>> {
    let first = first_look(costs.rounds_of_all(budget)).filter(|&first| first >= LEAST_ROUNDS)?;
    let affordable = LOOKS.iter().rfind(|&&last| last <= most && costs.of(first, last) <= budget);
    let last = affordable.copied().unwrap_or(first).max(first);
    Some(looks_between(first, last))
}

/// Returns the looks from a first to a last one, which are added to [`LOOKS`] where they are none of them.
pub fn looks_between(first: u32, last: u32) -> Vec<u32> {
    let mut looks = vec![first];
    looks.extend(LOOKS.iter().copied().filter(|&look| look > first && look < last));
    if last > first {
        looks.push(last);
    }
    looks
}

/// Returns the looks of values that were taken elsewhere: this many rounds after round 0. The last round is a look.
pub fn looks_of_rounds(counted: u32) -> Vec<u32> {
    first_look(counted).map_or(Vec::new(), |first| looks_between(first, counted))
}

/// Returns the first look, from the rounds of all entries that can be paid; `None` for no rounds.
fn first_look(rounds_of_all: u32) -> Option<u32> {
    match rounds_of_all {
        0 => None,
        1..=5 => Some(rounds_of_all),
        6..=11 => Some(6),
        _ => Some(8),
    }
}

/// Returns how many entries to keep when three rounds of all cannot be paid: the first ones whose five rounds can, at least two.
/// `costs` are those of one sample, in the order in which entries are wanted.
pub fn affordable_entries(costs: &[f64], budget: f64) -> usize {
    let mut spent = 0.0;
    let paid = costs.iter().take_while(|&&cost| {
        spent += THINNED_ROUNDS * cost;
        spent <= budget
    });
    paid.count().max(2).min(costs.len())
}

/// Returns the rounds after which choosing the leader costs at most `limit`, where its difference from the nearest candidate spreads
/// by `spread` (1.4826 x the median absolute deviation, see [`crate::robust_spread`]). Both are logarithms of a ratio. Fitted to
/// simulations.
pub fn rounds_for_limit(spread: f64, limit: f64) -> f64 {
    rounds(20.0, spread, limit)
}

/// Returns the rounds after which an entry that is slower by `effect` is no candidate any more; see [`rounds_for_limit`].
pub fn rounds_to_drop(spread: f64, effect: f64) -> f64 {
    rounds(16.0, spread, effect.abs())
}

fn rounds(factor: f64, spread: f64, width: f64) -> f64 {
    if spread == 0.0 {
        return LEAST_ADVISED;
    }
    (factor * (spread / width).powi(2)).max(LEAST_ADVISED).ceil()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn costs(all: f64, likely: f64) -> RoundCosts {
        RoundCosts { all, likely, twin: likely / 4.0 }
    }

    #[test]
    fn the_first_look_follows_from_the_rounds_that_are_paid() {
        for (rounds, first) in [(100.0, 8), (12.0, 8), (11.9, 6), (6.0, 6), (5.5, 5), (4.0, 4), (3.0, 3)] {
            let looks = looks_for(&costs(1.0, 1.0), rounds, LAST_LOOK);
            assert_eq!(looks.map(|looks| looks[0]), Some(first), "{rounds}");
        }
        assert_eq!(looks_for(&costs(1.0, 1.0), 2.9, LAST_LOOK), None);
    }

    #[test]
    fn the_last_look_is_the_largest_that_can_be_paid() {
        // 8 rounds of 10, then 2.5 a round: 80 + 2.5 (n - 8) <= 150 gives 36 rounds, and 30 is the look below.
        let looks = looks_for(&costs(10.0, 2.0), 150.0, LAST_LOOK).expect("12 rounds");
        assert_eq!(looks, [8, 10, 13, 16, 20, 25, 30]);
        assert_eq!(looks_for(&costs(10.0, 2.0), 1e9, LAST_LOOK_FAST).expect("looks").last(), Some(&20));
        assert_eq!(looks_for(&costs(10.0, 2.0), 1e9, LAST_LOOK).expect("looks").last(), Some(&100));
        assert_eq!(looks_for(&costs(10.0, 2.0), 1e9, LAST_LOOK_DEEP).expect("looks").last(), Some(&200));
        assert_eq!(looks_for(&costs(0.0, 0.0), 1.0, LAST_LOOK).expect("looks").last(), Some(&100));
        assert_eq!(looks_for(&costs(10.0, 10.0), 35.0, LAST_LOOK), Some(vec![3]));
        assert_eq!(looks_for(&costs(10.0, 1.0), 35.0, LAST_LOOK), Some(vec![3, 4, 5, 6]));
        assert_eq!(looks_for(&costs(10.0, 1.0), 45.0, LAST_LOOK), Some(vec![4, 5, 6, 8]));
    }

    #[test]
    fn no_plan_costs_more_than_its_budget() {
        for step in 0..400 {
            let budget = 30.0 + f64::from(step);
            let costs = costs(10.0, f64::from(step % 10));
            let looks = looks_for(&costs, budget, LAST_LOOK).expect("three rounds");
            assert!(costs.of(looks[0], *looks.last().expect("a look")) <= budget, "{budget} {looks:?}");
        }
    }

    #[test]
    fn rounds_that_end_between_looks_add_a_look() {
        assert!(looks_of_rounds(0).is_empty());
        assert_eq!(looks_of_rounds(2), [2]);
        assert_eq!(looks_of_rounds(4), [4]);
        assert_eq!(looks_of_rounds(9), [6, 8, 9]);
        assert_eq!(looks_of_rounds(19), [8, 10, 13, 16, 19]);
        assert_eq!(looks_of_rounds(20), [8, 10, 13, 16, 20]);
        assert_eq!(looks_of_rounds(140)[11..], [100, 130, 140]);
    }

    #[test]
    fn at_least_three_entries_are_likely_to_stay() {
        assert_eq!(likely_candidates(&[3.0, 1.0, 1.4, 1.6, f64::INFINITY]), [1, 2, 3]);
        assert_eq!(likely_candidates(&[1.5, 1.0, 1.4, 1.2, 9.0]), [0, 1, 2, 3]);
        assert_eq!(likely_candidates(&[1.0, 2.0]), [0, 1]);
        assert!(likely_candidates(&[]).is_empty());
    }

    #[test]
    fn a_field_that_is_too_large_keeps_its_fastest_entries() {
        let times = [1.0, 2.0, 4.0, 8.0];
        assert_eq!(affordable_entries(&times, 40.0), 3);
        assert_eq!(affordable_entries(&times, 34.9), 2);
        assert_eq!(affordable_entries(&times, 0.0), 2);
        assert_eq!(affordable_entries(&[1.0], 0.0), 1);
    }

    #[test]
    fn a_default_budget_stretches_to_ten_likely_rounds() {
        let costs = costs(10.0, 4.0);
        assert_eq!(costs.stretched(20.0), 80.0);
        assert_eq!(costs.stretched(100.0), 100.0);
        let looks = looks_for(&costs, costs.stretched(20.0), LAST_LOOK);
        assert_eq!(looks, Some(vec![6, 8, 10]));
    }

    #[test]
    fn advice_asks_for_rounds_by_the_square_of_the_spread() {
        assert_eq!(rounds_for_limit(0.1, 0.05), 80.0);
        assert_eq!(rounds_to_drop(0.1, -0.05), 64.0);
        assert_eq!((rounds_for_limit(0.01, 0.5), rounds_for_limit(0.0, 0.0)), (8.0, 8.0));
        assert_eq!(rounds_to_drop(0.1, 0.0), f64::INFINITY);
    }
}
