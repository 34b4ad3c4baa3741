//! Upper limits: by how much one entry is slower than another, and the largest such limit to any candidate.

use super::replay::{Replay, nth_smallest};

/// This many candidates are compared one by one: sorting them would cost more.
const FEW: usize = 16;

impl Replay<'_> {
    /// Returns the smallest upper limit for the median of `ln t_b - ln t_a` at the looks that both reached, or infinity.
    pub(super) fn upper_limit(&self, a: usize, b: usize, cuts: &[Option<u32>]) -> f64 {
        let (mut seen, mut limit) = (Vec::new(), f64::INFINITY);
        for (look, cut) in self.looks_with_cuts(cuts, self.reached(a).min(self.reached(b))) {
            seen.extend((seen.len() as u32 + 1..=look).map(|round| self.field.difference(a, b, round)));
            let place = (look - 1).checked_sub(cut);
            let largest = place.and_then(|place| nth_smallest(seen.clone(), place as usize));
            limit = limit.min(largest.unwrap_or(f64::INFINITY));
        }
        limit
    }

    /// Returns whether [`Self::upper_limit`] is above a value, which counting shows without any order.
    fn is_ceiling_above(&self, most: f64, a: usize, b: usize, cuts: &[Option<u32>]) -> bool {
        let (mut seen, mut above) = (0, 0);
        self.looks_with_cuts(cuts, self.reached(a).min(self.reached(b))).all(|(look, cut)| {
            let rounds = seen + 1..=look;
            above += rounds.filter(|&round| self.field.difference(a, b, round) > most).count() as u32;
            seen = look;
            above > cut
        })
    }

    /// Returns the looks after at most this many rounds at which something can be said, each with its cut.
    fn looks_with_cuts<'c>(
        &self, cuts: &'c [Option<u32>], rounds: u32,
    ) -> impl Iterator<Item = (u32, u32)> + use<'_, 'c> {
        let looks = self.looks.iter().copied().take_while(move |&look| look <= rounds);
        looks.zip(cuts).filter_map(|(look, cut)| Some((look, (*cut)?)))
    }
}

/// The largest upper limit of an entry to any candidate, for one entry after the other.
///
/// Working out all limits would take the square of the entries. Only what lies above the largest limit so far can be
/// larger: a candidate with too few such differences at the first look is passed over.
pub(super) struct Highest<'r> {
    replay: &'r Replay<'r>,
    candidates: Vec<usize>,
    /// The candidates in the order of their values, for each round up to the first look with a cut.
    ordered: Vec<Vec<u32>>,
    /// The number of differences above, by candidate, for one entry.
    above: Vec<u32>,
    /// The candidate with the largest limit for the entry before: a good guess for the next.
    last: Option<usize>,
}

impl<'r> Highest<'r> {
    pub(super) fn new(replay: &'r Replay<'r>) -> Self {
        let candidates = (0..replay.field.len()).filter(|&slot| replay.candidate[slot]).collect();
        Self { replay, candidates, ordered: Vec::new(), above: vec![0; replay.field.len()], last: None }
    }

    /// Returns the largest limit of a slot, at least 0: its own when it is a candidate itself.
    pub(super) fn of(&mut self, slot: usize) -> f64 {
        let replay = self.replay;
        let cuts = replay.high_cuts(slot);
        let Some((first, cut)) = replay.looks_with_cuts(cuts, u32::MAX).next() else {
            return if self.candidates.iter().any(|&other| other != slot) { f64::INFINITY } else { 0.0 };
        };
        let reaches = replay.reached(slot) >= first;
        if self.candidates.iter().any(|&other| other != slot && !(replay.reached(other) >= first && reaches))
        {
            return f64::INFINITY;
        }
        let mut most = self.last.map_or(0.0, |last| self.limit(last, slot, cuts, 0.0));
        let possible = if replay.field.single && self.candidates.len() > FEW && reaches {
            self.possible(slot, first, cut, most)
        } else {
            self.candidates.clone()
        };
        for candidate in possible {
            let limit = self.limit(candidate, slot, cuts, most);
            if limit > most {
                (most, self.last) = (limit, Some(candidate));
            }
        }
        most
    }

    /// Returns the limit of a slot to a candidate, where it is larger than the largest one so far.
    fn limit(&self, candidate: usize, slot: usize, cuts: &[Option<u32>], most: f64) -> f64 {
        if candidate == slot || !self.replay.is_ceiling_above(most, candidate, slot, cuts) {
            return most;
        }
        self.replay.upper_limit(candidate, slot, cuts).max(most)
    }

    /// Returns the candidates to which more than `cut` differences up to the first look lie above the largest limit so far.
    fn possible(&mut self, slot: usize, first: u32, cut: u32, most: f64) -> Vec<usize> {
        let field = &self.replay.field;
        while self.ordered.len() < first as usize {
            let round = self.ordered.len() as u32 + 1;
            let mut order: Vec<u32> = self.candidates.iter().map(|&slot| slot as u32).collect();
            order.sort_unstable_by(|a, b| {
                field.log(*a as usize, round).total_cmp(&field.log(*b as usize, round))
            });
            self.ordered.push(order);
        }
        let (mut touched, mut possible) = (Vec::new(), Vec::new());
        for (order, round) in self.ordered.iter().zip(1..=first) {
            let faster =
                order.iter().take_while(|&&other| field.difference(other as usize, slot, round) > most);
            for &other in faster {
                let above = &mut self.above[other as usize];
                *above += 1;
                if *above == 1 {
                    touched.push(other);
                }
                if *above == cut + 1 {
                    possible.push(other as usize);
                }
            }
        }
        touched.into_iter().for_each(|other| self.above[other as usize] = 0);
        possible
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contest::Rules;
    use crate::contest::field::Field;
    use crate::matrix::Matrix;

    /// Works out every limit, as it is defined.
    fn defined(replay: &Replay<'_>, slot: usize) -> f64 {
        let others = (0..replay.field.len()).filter(|&other| replay.candidate[other] && other != slot);
        others.map(|other| replay.upper_limit(other, slot, replay.high_cuts(slot))).fold(0.0, f64::max)
    }

    proptest::proptest! {
        #[test]
        fn the_largest_limit_is_found_without_working_out_all(
            values in proptest::collection::vec(
                proptest::collection::vec(
                    proptest::prop_oneof![20 => 1.0f64..1.5, 1 => proptest::strategy::Just(f64::INFINITY)], 31..32,
                ),
                3..60,
            ),
            inner in proptest::bool::weighted(0.2),
            baseline in proptest::option::of(0usize..3),
        ) {
            let mut matrix = Matrix::new(values.len());
            for (entry, rounds) in values.iter().enumerate() {
                for (round, &value) in rounds.iter().enumerate().take(if entry == 1 { 14 } else { 31 }) {
                    matrix.set(entry, round, if inner { vec![value, 1.2] } else { vec![value] });
                }
            }
            let rules = Rules { alpha: 0.4, delta: 0.02, looks: vec![8, 10, 13, 20, 30], baseline };
            let entries: Vec<usize> = (0..values.len()).collect();
            let replay = Replay::of(Field::new(&matrix, &entries), &[], &rules);
            let mut highest = Highest::new(&replay);
            for slot in entries.iter().copied() {
                let (found, expected) = (highest.of(slot), defined(&replay, slot));
                proptest::prop_assert_eq!(found.to_bits(), expected.to_bits());
            }
        }
    }
}
