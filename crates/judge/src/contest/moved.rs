//! Ratios that moved while they were measured: an interval for a ratio that drifts is one for its middle.

use stats::contest::ratios_that_moved;

use crate::contest::field::Field;

/// An entry whose ratio to the leader moved. The medians are logarithms: above 0 when the leader was faster.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Moved {
    pub(crate) entry: usize,
    /// Median over the first third of the rounds.
    pub(crate) from: f64,
    /// Median over the last third.
    pub(crate) to: f64,
    /// In the end the entry was faster than the leader: what was claimed of the two does not hold.
    pub(crate) withdrawn: bool,
}

pub(crate) fn moved(field: &Field<'_>) -> Vec<Moved> {
    if field.assessment.look.is_none() {
        return Vec::new();
    }
    let found = ratios_that_moved(&field.matrix, &field.assessment, field.contest.delta);
    let of = |moved: stats::contest::Moved| {
        let claimed = !field.row(moved.entry).is_some_and(|row| row.standing.is_candidate());
        let withdrawn = claimed && moved.late < 0.0;
        Moved { entry: moved.entry, from: moved.early, to: moved.late, withdrawn }
    };
    found.into_iter().map(of).collect()
}
