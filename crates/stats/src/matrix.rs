//! The samples of one task: technique by round, with the inner rounds of a session kept apart.

use crate::quantile::{log_difference, median};

/// Times by technique and round: one value in process mode, one for each inner round of a session, none where the technique did not
/// take part. A crash or time-out is `f64::INFINITY`, and so is what is not a time.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Matrix {
    times: Vec<Vec<Vec<f64>>>,
}

impl Matrix {
    /// Returns an empty matrix of this many techniques.
    pub fn new(techniques: usize) -> Self {
        Self { times: vec![Vec::new(); techniques] }
    }

    /// Makes room for techniques that join later: this many in all.
    pub fn widen(&mut self, techniques: usize) {
        self.times.resize_with(techniques, Vec::new);
    }

    /// Sets what a technique needed in a round, counted from 0. Rounds that were skipped stay empty.
    pub fn set(&mut self, technique: usize, round: usize, mut times: Vec<f64>) {
        for time in &mut times {
            if time.is_nan() || *time < 0.0 {
                *time = f64::INFINITY;
            }
        }
        let rounds = &mut self.times[technique];
        if rounds.len() <= round {
            rounds.resize_with(round + 1, Vec::new);
        }
        rounds[round] = times;
    }

    /// Adds one round: one list of times for each technique, empty where it did not take part.
    pub fn push_round(&mut self, round: Vec<Vec<f64>>) {
        let next = self.rounds() as usize;
        for (technique, times) in round.into_iter().enumerate() {
            self.set(technique, next, times);
        }
    }

    /// Returns what a technique needed in a round; empty when it did not take part.
    pub fn times(&self, technique: usize, round: usize) -> &[f64] {
        self.times[technique].get(round).map_or(&[], Vec::as_slice)
    }

    /// Returns how many rounds from the first on a technique took part in without a gap.
    pub fn rounds_of(&self, technique: usize) -> u32 {
        self.times[technique].iter().take_while(|times| !times.is_empty()).count() as u32
    }

    /// Returns one value for the round: the median over its inner rounds.
    pub fn value(&self, technique: usize, round: usize) -> Option<f64> {
        match self.times(technique, round) {
            [] => None,
            [time] => Some(*time),
            times => median(times),
        }
    }

    /// Returns `ln t_b - ln t_a` in a round, above 0 when `a` is faster; in a session the median over the inner rounds. A single
    /// value stands for all inner rounds (a crashed session). `None` when one of the two did not take part.
    pub fn difference(&self, a: usize, b: usize, round: usize) -> Option<f64> {
        match (self.times(a, round), self.times(b, round)) {
            ([], _) | (_, []) => None,
            ([a], [b]) => Some(log_difference(b.ln(), a.ln())),
            (a, b) => {
                let inner =
                    if a.len() == 1 || b.len() == 1 { a.len().max(b.len()) } else { a.len().min(b.len()) };
                let pairs = a.iter().cycle().zip(b.iter().cycle()).take(inner);
                let all: Vec<f64> = pairs.map(|(a, b)| log_difference(b.ln(), a.ln())).collect();
                median(&all)
            }
        }
    }

    /// Returns the largest number of rounds that a technique has.
    pub fn rounds(&self) -> u32 {
        self.times.iter().map(Vec::len).max().unwrap_or(0) as u32
    }

    /// Returns [`Matrix::difference`] of the rounds from `first` to before `end`, or to before the first gap.
    pub fn differences_between(&self, a: usize, b: usize, first: u32, end: u32) -> Vec<f64> {
        (first as usize..end as usize).map_while(|round| self.difference(a, b, round)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_contributes_the_median_of_its_inner_differences() {
        let mut matrix = Matrix::new(2);
        matrix.push_round(vec![vec![1.0, 1.0, 1.0], vec![2.0, 4.0, 100.0]]);
        assert_eq!(matrix.difference(0, 1, 0), Some(4f64.ln()));
        assert_eq!(matrix.difference(1, 0, 0), Some(-(4f64.ln())));
    }

    #[test]
    fn two_failures_are_equal_and_one_is_infinitely_slower() {
        let mut matrix = Matrix::new(2);
        let inf = f64::INFINITY;
        matrix.push_round(vec![vec![inf], vec![inf]]);
        matrix.push_round(vec![vec![1.0, 2.0], vec![inf]]);
        assert_eq!(matrix.differences_between(0, 1, 0, 2), vec![0.0, inf]);
    }

    #[test]
    fn a_gap_ends_the_rounds_of_a_technique() {
        let mut matrix = Matrix::new(1);
        matrix.set(0, 0, vec![1.0]);
        matrix.set(0, 2, vec![1.0]);
        assert_eq!(matrix.rounds_of(0), 1);
        assert_eq!(matrix.value(0, 1), None);
    }

    #[test]
    fn what_is_no_time_counts_as_a_failure() {
        let mut matrix = Matrix::new(1);
        matrix.push_round(vec![vec![f64::NAN, -1.0]]);
        assert_eq!(matrix.value(0, 0), Some(f64::INFINITY));
    }
}
