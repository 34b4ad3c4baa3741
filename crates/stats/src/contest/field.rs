//! The values of the entries of one contest, as logarithms.

use crate::matrix::Matrix;
use crate::quantile::log_difference;

/// The entries of one contest by slot: their place in the list of entries.
pub(super) struct Field<'a> {
    matrix: &'a Matrix,
    pub(super) entries: &'a [usize],
    /// Logarithm of the value by slot and round, up to the first gap.
    logs: Vec<Vec<f64>>,
    /// Every round of every entry holds one value: differences need no look at inner rounds.
    pub(super) single: bool,
}

impl<'a> Field<'a> {
    pub(super) fn new(matrix: &'a Matrix, entries: &'a [usize]) -> Self {
        let logs: Vec<Vec<f64>> = entries
            .iter()
            .map(|&entry| (0..).map_while(|round| matrix.value(entry, round).map(f64::ln)).collect())
            .collect();
        let mut all = entries.iter().zip(&logs);
        let single =
            all.all(|(&entry, logs)| (0..logs.len()).all(|round| matrix.times(entry, round).len() == 1));
        Self { matrix, entries, logs, single }
    }

    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    /// Recorded rounds of a slot, round 0 among them.
    pub(super) fn recorded(&self, slot: usize) -> u32 {
        self.logs[slot].len() as u32
    }

    pub(super) fn log(&self, slot: usize, round: u32) -> f64 {
        self.logs[slot][round as usize]
    }

    /// `ln t_b - ln t_a` in a round that both have: above 0 when `a` is faster.
    pub(super) fn difference(&self, a: usize, b: usize, round: u32) -> f64 {
        if self.single {
            return log_difference(self.log(b, round), self.log(a, round));
        }
        self.matrix.difference(self.entries[a], self.entries[b], round as usize).unwrap_or(0.0)
    }
}
