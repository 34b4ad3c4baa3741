//! Which candidate leads: the smallest typical distance to the middle of the candidates.
//!
//! One that is far slower in a quarter of the rounds leads only where all are. Any entry may be the opponent that is named
//! before a round, and such a one is a bad opponent: every other entry wins these rounds, so that no entry can be dropped;
//! and what choosing it can cost is as large as its slow rounds.

use super::field::Field;
use crate::quantile::{Running, log_difference, median};
use crate::rank::ranks;

/// Scores that differ by less are equal: a change of unit moves them by this much. A power of two, about 1e-12.
const GRID: f64 = (1u64 << 40) as f64;

/// ln 1.5: the upper quartile of noise is nearer to its median than this, also on a busy host.
const FAR_SLOWER: f64 = 0.405_465_108_108_164_4;

/// Fewer rounds have no quarter.
const LEAST_ROUNDS: u32 = 4;

/// The scores of some slots, kept from round to round for as long as the candidates stay the same.
#[derive(Default)]
pub(super) struct Scores {
    candidates: Vec<usize>,
    scored: Vec<usize>,
    /// For each scored slot its distances to the centre of the rounds.
    distances: Vec<Running<2>>,
    /// The same for the slowest quarter of the rounds.
    slow_distances: Vec<Running<4>>,
    rank_sums: Vec<f64>,
    rounds: u32,
}

impl Scores {
    /// Returns the slots by score after the rounds 0 to `last`, best first; the other live slots follow a single candidate.
    pub(super) fn order(
        &mut self, field: &Field<'_>, candidates: &[usize], live: &[usize], last: u32,
    ) -> Vec<usize> {
        let scored = if candidates.len() == 1 { live } else { candidates };
        if self.candidates != candidates || self.scored != scored || self.rounds > last + 1 {
            *self = Self {
                candidates: candidates.to_vec(),
                scored: scored.to_vec(),
                distances: vec![Running::default(); scored.len()],
                slow_distances: vec![Running::default(); scored.len()],
                rank_sums: vec![0.0; scored.len()],
                rounds: 0,
            };
        }
        while self.rounds <= last {
            self.add(field, self.rounds);
            self.rounds += 1;
        }
        let keys = self.scored.iter().enumerate().map(|(place, &slot)| {
            let follows = candidates.len() == 1 && slot != candidates[0];
            (follows, self.score(place), self.rank_sums[place], field.entries[slot], slot)
        });
        let mut order: Vec<(bool, f64, f64, usize, usize)> = keys.collect();
        order.sort_by(|a, b| {
            let by_score = a.0.cmp(&b.0).then(a.1.total_cmp(&b.1));
            by_score.then(a.2.total_cmp(&b.2)).then(a.3.cmp(&b.3))
        });
        order.into_iter().map(|(.., slot)| slot).collect()
    }

    fn score(&self, place: usize) -> f64 {
        let typical = self.distances[place].median().unwrap_or(f64::INFINITY);
        let slow = self.slow_distances[place].below().filter(|_| self.rounds >= LEAST_ROUNDS);
        let score = slow.map_or(typical, |slow| typical.max(slow - FAR_SLOWER));
        // Adding 0 makes the two zeros one.
        (score * GRID).round() / GRID + 0.0
    }

    fn add(&mut self, field: &Field<'_>, round: u32) {
        let [candidates, scored] = [&self.candidates, &self.scored]
            .map(|slots| slots.iter().map(|&slot| field.log(slot, round)).collect::<Vec<f64>>());
        let Some(centre) = median(&candidates) else { return };
        for (sum, rank) in self.rank_sums.iter_mut().zip(ranks(&scored)) {
            *sum += rank;
        }
        let places = self.distances.iter_mut().zip(&mut self.slow_distances);
        for ((distances, slow_distances), log) in places.zip(scored) {
            let distance = log_difference(log, centre);
            distances.add(distance);
            slow_distances.add(distance);
        }
    }
}
