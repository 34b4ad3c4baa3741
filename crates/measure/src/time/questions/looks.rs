//! The numbers of rounds after which questions are asked.

use stats::contest::{LOOKS, looks_between};

use super::Pair;
use crate::time::schedule::share;

/// The share of the entries that is measured to the end. Until then it falls as rounds pass: as many answers come between the 8th and
/// the 16th round as between the 16th and the 32nd.
const STAYING: f64 = 0.2;

/// Looks beyond what a share is expected to pay for. When more questions are answered than is expected, time is left for them; when
/// fewer are, they are not reached.
const MORE_LOOKS: usize = 2;

/// The group of each task: tasks that a question compares, and what other questions compare with them, are in one group.
pub(super) fn groups<'a>(questions: impl Iterator<Item = &'a [Pair]>, tasks: usize) -> Vec<usize> {
    let mut groups: Vec<usize> = (0..tasks).collect();
    for pairs in questions {
        for joined in pairs.windows(2) {
            let (kept, other) = (groups[joined[0].0], groups[joined[1].0]);
            groups.iter_mut().filter(|group| **group == other).for_each(|group| *group = kept);
        }
    }
    groups
}

/// The looks of groups of which a round costs so much. What the first looks leave of the time is shared like that of contests: what
/// costs little gets more rounds, instead of ending with a doubt that some seconds would have ended. The last look is the largest that a
/// share is expected to pay for when answered questions leave, and [`MORE_LOOKS`] more.
pub(super) fn looks(first: u32, rounds: u32, costs_ns: &[f64], left_ns: f64) -> Vec<Vec<u32>> {
    let further_ns = left_ns - f64::from(first) * costs_ns.iter().sum::<f64>();
    let ladder = || LOOKS.into_iter().filter(|&look| look >= first && look < rounds).chain([rounds]);
    let of_group = |&cost_ns: &f64| {
        let share_ns = share(further_ns, cost_ns, costs_ns);
        // What costs nothing is not begun.
        let is_paid = |look: &u32| cost_ns > 0.0 && cost_ns * expected_rounds(first, *look) <= share_ns;
        let paid = ladder().filter(is_paid).max().unwrap_or(first);
        let last = ladder().filter(|&look| look > paid).take(MORE_LOOKS).last();
        looks_between(first, last.unwrap_or(paid))
    };
    costs_ns.iter().map(of_group).collect()
}

/// What the rounds between two looks are expected to take, in rounds of all entries.
fn expected_rounds(first: u32, last: u32) -> f64 {
    (first + 1..=last).map(|round| (f64::from(first) / f64::from(round)).max(STAYING)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fewer_entries_are_expected_with_every_round() {
        assert_eq!(expected_rounds(8, 8), 0.0);
        assert!((expected_rounds(8, 10) - (8.0 / 9.0 + 0.8)).abs() < 1e-9);
        assert!((expected_rounds(8, 100) - expected_rounds(8, 40) - 60.0 * STAYING).abs() < 1e-9);
    }

    #[test]
    fn the_last_look_is_two_after_what_the_time_is_expected_to_pay_for() {
        assert_eq!(looks(8, 60, &[1.0], 8.0), [[8, 10, 13]]);
        assert_eq!(looks(8, 60, &[1.0], 12.0), [[8, 10, 13, 16, 20]]);
        assert_eq!(looks(8, 60, &[1.0], 1e9)[0].last(), Some(&60));
        assert_eq!(looks(5, 5, &[1.0], 1e9), [[5]]);
        assert_eq!(
            looks(8, 60, &[0.0], 1e9),
            [[8, 10, 13]],
            "what is not begun now may begin when others are answered"
        );
    }

    #[test]
    fn what_costs_little_may_get_more_rounds_than_what_costs_much() {
        let looks = looks(8, 200, &[1.0, 16.0], 17.0 * 8.0 + 5.0 * 20.0);
        // Shares of 20 and 80 pay for 20 and for 5 rounds of all: up to the 60th, and up to the 13th.
        assert_eq!(looks.iter().map(|looks| looks.last()).collect::<Vec<_>>(), [Some(&100), Some(&20)]);
    }

    #[test]
    fn tasks_that_a_question_compares_are_one_group_with_what_others_compare_with_them() {
        let questions: [&[Pair]; 3] = [&[(0, 0), (2, 0)], &[(4, 1), (5, 0)], &[(5, 1), (2, 3)]];
        let groups = groups(questions.into_iter(), 6);
        let same = |a: usize, b: usize| groups[a] == groups[b];
        assert!(same(0, 2) && same(2, 4) && same(4, 5), "{groups:?}");
        assert!(!same(0, 1) && !same(1, 3) && !same(0, 3), "{groups:?}");
    }
}
