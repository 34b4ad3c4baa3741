//! What rounds of questions cost together: a sample serves all questions that need it.

use std::collections::BTreeMap;

use super::Pair;

/// Rounds that are paid for, by what is measured in them: a sample serves all questions that need it.
#[derive(Default)]
pub(super) struct Paid {
    rounds: BTreeMap<Pair, u32>,
    sum_ns: f64,
}

impl Paid {
    /// What so many rounds cost beside what is paid for already.
    pub(super) fn more_ns(&self, pairs: &[Pair], rounds: u32, cost_ns: impl Fn(Pair) -> f64) -> f64 {
        let more = |&pair: &Pair| {
            let known = self.rounds.get(&pair).copied().unwrap_or(0);
            f64::from(rounds.saturating_sub(known)) * cost_ns(pair)
        };
        pairs.iter().map(more).sum()
    }

    /// Pays for so many rounds if the time allows.
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

/// The questions that get their first look after so many rounds, by ascending cost: always the one that costs least beside
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
}
