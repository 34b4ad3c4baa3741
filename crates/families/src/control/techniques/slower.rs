//! Techniques that are slower now and then, as real ones are: the round, the place or chance decides.

use crate::contract::Technique;
use crate::control::job::{ControlJob, control};

pub(super) const DRIFTING: Technique<ControlJob> =
    control("drifting", "the chain, longer by 0.5 % every round up to 10 %", |job| {
        job.done_by(|job| job.spin_longer(drift_per_mille(job.round)))
    });

pub(super) const HEAVY_TAIL: Technique<ControlJob> =
    control("heavy_tail", "the chain, 30 % longer in one round of ten", |job| {
        job.done_by(|job| job.spin_longer(tail_per_mille(job.seed, job.round)))
    });

/// The place costs every entry of a contest alike, so there are two that are the same.
const fn slower_in_first_place(name: &'static str) -> Technique<ControlJob> {
    control(name, "the chain, 3 % longer where it is first in its round", |job| {
        job.done_by(|job| job.spin_longer(place_per_mille(job.position)))
    })
}

pub(super) const FIRST_IS_SLOWER: Technique<ControlJob> = slower_in_first_place("first_is_slower");
pub(super) const FIRST_IS_SLOWER_B: Technique<ControlJob> = slower_in_first_place("first_is_slower_b");

pub(super) const FIRST_IS_SLOWER_PLUS_5: Technique<ControlJob> = control(
    "first_is_slower_plus_5",
    "the chain, 5 % longer, and 3 % more where it is first in its round",
    |job| job.done_by(|job| job.spin_longer(50 + place_per_mille(job.position))),
);

fn drift_per_mille(round: u64) -> u64 {
    round.saturating_mul(5).min(100)
}

/// Drawn from the seed and the round: the same run draws the same tail again.
fn tail_per_mille(seed: u64, round: u64) -> u64 {
    let mixed = (seed ^ round.wrapping_mul(0x9e37_79b9_7f4a_7c15)).wrapping_mul(0x2545_f491_4f6c_dd1d);
    let mixed = (mixed ^ (mixed >> 32)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    if (mixed >> 32).is_multiple_of(10) { 300 } else { 0 }
}

fn place_per_mille(position: Option<u64>) -> u64 {
    if position == Some(0) { 30 } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_slower_controls_are_slower_by_what_they_announce() {
        assert_eq!([0, 1, 10, 20, 1_000].map(drift_per_mille), [0, 5, 50, 100, 100]);
        assert_eq!([None, Some(0), Some(1)].map(place_per_mille), [0, 30, 0]);
        let tails = (0..10_000).filter(|&round| tail_per_mille(7, round) == 300).count();
        assert!((850..1_150).contains(&tails), "{tails} of 10000 rounds have a tail");
        let first: Vec<u64> = (0..100).map(|round| tail_per_mille(7, round)).collect();
        assert_eq!(first, (0..100).map(|round| tail_per_mille(7, round)).collect::<Vec<_>>());
        assert_ne!(first, (0..100).map(|round| tail_per_mille(8, round)).collect::<Vec<_>>());
    }
}
