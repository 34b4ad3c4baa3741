//! What rounds of questions cost together, and the looks that the time pays for: a sample serves all questions that need it.

use std::collections::BTreeMap;

use stats::contest::{LOOKS, looks_between};

use crate::time::schedule::share;
use crate::time::{MORE_LOOKS, QUESTION_STAYING};

/// A task and an entrant of it.
pub(super) type Pair = (usize, usize);

/// Rounds that are paid for, by what is measured in them: a sample serves all questions that need it.
#[derive(Default)]
pub(super) struct Paid {
    rounds: BTreeMap<Pair, u32>,
    sum_ns: f64,
}

impl Paid {
    /// What this many rounds cost next to what is paid for already.
    pub(super) fn more_ns(&self, pairs: &[Pair], rounds: u32, cost_ns: impl Fn(Pair) -> f64) -> f64 {
        let more = |&pair: &Pair| {
            let known = self.rounds.get(&pair).copied().unwrap_or(0);
            f64::from(rounds.saturating_sub(known)) * cost_ns(pair)
        };
        pairs.iter().map(more).sum()
    }

    /// Pays for this many rounds if the time allows.
    pub(super) fn take(
        &mut self,
        pairs: &[Pair],
        rounds: u32,
        left_ns: f64,
        cost_ns: impl Fn(Pair) -> f64,
    ) -> bool {
        let more_ns = self.more_ns(pairs, rounds, cost_ns);
        if self.sum_ns + more_ns > left_ns {
            return false;
        }
        self.sum_ns += more_ns;
        for &pair in pairs {
            let known = self.rounds.entry(pair).or_default();
            *known = rounds.max(*known);
        }
        true
    }
}

/// The questions that get their first look after this many rounds, by ascending cost: always the one that costs least next to
/// those before it. One that cannot be paid for is not begun: with fewer rounds it could not be answered.
pub(super) fn first_looks(
    waiting: &[(usize, &[Pair])],
    rounds: u32,
    left_ns: f64,
    cost_ns: impl Fn(Pair) -> f64 + Copy,
) -> Vec<usize> {
    let (mut paid, mut begun) = (Paid::default(), Vec::new());
    let mut waiting = waiting.to_vec();
    while let Some(place) = (0..waiting.len()).min_by(|&a, &b| {
        let more_ns = |place: usize| paid.more_ns(waiting[place].1, rounds, cost_ns);
        more_ns(a).total_cmp(&more_ns(b))
    }) {
        let (index, pairs) = waiting.remove(place);
        if !paid.take(pairs, rounds, left_ns, cost_ns) {
            break;
        }
        begun.push(index);
    }
    begun
}

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

/// The looks of groups of which a round costs this much. What the first looks leave of the time is shared like that of contests: what
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
    (first + 1..=last).map(|round| (f64::from(first) / f64::from(round)).max(QUESTION_STAYING)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What an entrant of task 0 costs: its number.
    fn cost((_, entrant): Pair) -> f64 {
        entrant as f64
    }

    fn begun(questions: &[&[Pair]], left_ns: f64) -> Vec<usize> {
        let waiting: Vec<(usize, &[Pair])> = questions.iter().copied().enumerate().collect();
        first_looks(&waiting, 8, left_ns, cost)
    }

    #[test]
    fn the_questions_that_cost_least_get_their_first_look_first() {
        let questions: [&[Pair]; 3] = [&[(0, 50)], &[(0, 1), (0, 2)], &[(0, 5)]];
        assert_eq!(begun(&questions, 1e3), [1, 2, 0]);
        assert_eq!(begun(&questions, 100.0), [1, 2]);
        assert_eq!(begun(&questions, 30.0), [1]);
        assert!(begun(&questions, 20.0).is_empty(), "none is begun that would not get its first look");
    }

    #[test]
    fn a_sample_that_two_questions_need_is_paid_for_once() {
        let questions: [&[Pair]; 3] = [&[(0, 10), (0, 11)], &[(0, 10), (0, 1)], &[(0, 12)]];
        assert_eq!(begun(&questions, 8.0 * 22.0), [1, 0]);
    }

    #[test]
    fn fewer_entries_are_expected_with_every_round() {
        assert_eq!(expected_rounds(8, 8), 0.0);
        assert!((expected_rounds(8, 10) - (8.0 / 9.0 + 0.8)).abs() < 1e-9);
        assert!((expected_rounds(8, 100) - expected_rounds(8, 40) - 60.0 * QUESTION_STAYING).abs() < 1e-9);
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
