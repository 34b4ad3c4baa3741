//! What a family asks over the levels of an axis.

use super::entry::technique_in;

/// What a family asks over the levels of an axis: which technique is fastest where, and where do two change places?
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Curve {
    /// The number of the workload that makes the levels, which `--set` takes: `file_bytes`.
    pub along: &'static str,
    /// Pairs of techniques of which it is told where they change places.
    pub pairs: &'static [(&'static str, &'static str)],
    /// Techniques that take part in the levels beside those of the pairs: an answer without them would be about the wrong ones.
    pub also: &'static [&'static str],
    /// The levels of a run for which the user chose no workload; only the techniques of the pairs, and those beside them, take part.
    pub levels: &'static [&'static str],
}

impl Curve {
    /// Whether an entry belongs to a technique that takes part in the levels.
    pub fn asks_for(&self, entry: &str) -> bool {
        self.techniques().any(|name| name == technique_in(entry))
    }

    /// The techniques that take part in the levels, each as often as it is named.
    pub fn techniques(&self) -> impl Iterator<Item = &'static str> {
        self.pairs.iter().flat_map(|(one, other)| [*one, *other]).chain(self.also.iter().copied())
    }
}
