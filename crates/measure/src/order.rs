//! The order of a round, an independent uniform permutation: a fair coin for every pair in every round, so that the signs of
//! the paired differences of equal techniques are fair too, whatever the noise is. Blocks, alternation and Latin squares lose that.

use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Largest padding of a worker's environment in bytes (exclusive).
const PADDING_LIMIT_BYTES: usize = 4096;

// Streams of the seed, independent of each other.
const ORDER: u64 = 0;
const PADDING: u64 = 1;

fn generator(seed: u64, round: u32, stream: u64) -> ChaCha8Rng {
    let mut generator = ChaCha8Rng::seed_from_u64(seed);
    generator.set_stream(u64::from(round) << 8 | stream);
    generator
}

/// Returns the order in which `count` trials run in a round: a permutation of `0..count`.
pub(crate) fn order(seed: u64, round: u32, count: usize) -> Vec<usize> {
    let mut places: Vec<usize> = (0..count).collect();
    places.shuffle(&mut generator(seed, round, ORDER));
    places
}

/// Draws by how many bytes each worker's environment is padded: its size shifts the stack (Mytkowicz et al., ASPLOS 2009).
pub(crate) fn padding_bytes(seed: u64, round: u32, count: usize) -> Vec<usize> {
    let mut generator = generator(seed, round, PADDING);
    (0..count).map(|_| generator.random_range(0..PADDING_LIMIT_BYTES)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_and_round_give_the_same_order() {
        assert_eq!(order(7, 3, 20), order(7, 3, 20));
        assert_ne!(order(7, 3, 20), order(7, 4, 20));
        assert_ne!(order(7, 3, 20), order(8, 3, 20));
    }

    #[test]
    fn every_place_is_equally_likely_for_every_trial() {
        let mut counts = [[0u32; 5]; 5];
        for round in 0..10_000 {
            for (position, trial) in order(3, round, 5).into_iter().enumerate() {
                counts[trial][position] += 1;
            }
        }
        assert!(counts.iter().flatten().all(|&count| (1_800..=2_200).contains(&count)), "{counts:?}");
    }

    #[test]
    fn paddings_stay_below_their_limit_and_differ() {
        let paddings = padding_bytes(1, 0, 100);
        assert!(paddings.iter().all(|&bytes| bytes < PADDING_LIMIT_BYTES));
        assert!(paddings.windows(2).any(|pair| pair[0] != pair[1]));
    }
}
