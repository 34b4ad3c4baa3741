//! The turns of a run on a host that other work shares.

use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use stats::synthetic::{NoisyHost, SyntheticNoise};

/// An entry's turn in a round.
#[derive(Debug, Clone, Copy)]
pub struct Turn {
    /// Number of the round.
    pub round: u32,
    /// Place in the order of the round.
    pub position: u32,
    /// Index of the entry.
    pub entry: usize,
    /// Time of work now over its usual time.
    pub factor: f64,
}

/// Takes every turn of rounds 0 to `last`, in an order that is drawn for each round.
pub fn turns(
    host: NoisyHost,
    entries: usize,
    last: u32,
    random: &mut ChaCha8Rng,
    mut take: impl FnMut(Turn, &mut ChaCha8Rng),
) {
    let mut noise = SyntheticNoise::new(host, (last + 1) * entries as u32, random);
    let mut order: Vec<usize> = (0..entries).collect();
    for round in 0..=last {
        order.shuffle(random);
        for (position, &entry) in (0..).zip(&order) {
            let factor = noise.next_factor(position, random);
            take(Turn { round, position, entry, factor }, random);
        }
    }
}
