//! What a family asks over the levels of an axis.

use super::entry::technique_in;

/// What a family asks over the levels of an axis: which technique is fastest where, and where do two change places?
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Curve {
    /// The number of the workload that makes the levels, which `--set` takes: `file_bytes`.
    pub along: &'static str,
    /// Pairs of techniques of which it is told where they change places.
    pub pairs: &'static [(&'static str, &'static str)],
    /// The levels of a run for which the user chose no workload; only the techniques of the pairs take part in them.
    pub levels: &'static [&'static str],
}

impl Curve {
    /// Whether an entry belongs to a technique of one of the pairs.
    pub fn asks_for(&self, entry: &str) -> bool {
        let technique = technique_in(entry);
        self.pairs.iter().any(|(one, other)| technique == *one || technique == *other)
    }
}
