//! What a family asks over the levels of an axis.

use super::entry::technique_in;

/// What a family asks over the levels of an axis: which technique is fastest where?
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Curve {
    /// The number of the workload that makes the levels, which `--set` takes: `file_bytes`.
    pub along: &'static str,
    /// The techniques that are always measured at `levels`. What leads at another level of the curve joins them.
    pub techniques: &'static [&'static str],
    /// The levels of a run for which the user chose no workload.
    pub levels: &'static [&'static str],
}

impl Curve {
    /// Returns whether an entry belongs to a technique that is always measured at the levels.
    pub fn asks_for(&self, entry: &str) -> bool {
        self.techniques.contains(&technique_in(entry))
    }
}
