//! What stands in the memory, and the proof made of it.

use xxhash_rust::xxh3::Xxh3;

use model::Proof;

/// The word at a place before the first pass: all differ, and none is what a pass writes next to it.
pub(super) fn word_at(place: usize) -> u32 {
    (place as u32).wrapping_mul(0x9E37_79B1).wrapping_add(0x7F4A_7C15)
}

/// What a pass of the work `write` stores: a byte four times, another one than the pass before.
pub(super) fn value_of(pass: u32) -> u32 {
    (pass % 255 + 1) * 0x0101_0101
}

/// Fills memory before the passes.
pub(super) fn fill(memory: &mut [u32]) {
    for (place, word) in memory.iter_mut().enumerate() {
        *word = word_at(place);
    }
}

/// The proof of memory that holds these words, of which there are `count`.
pub(super) fn proof_of_words(count: usize, words: impl Iterator<Item = u32>) -> Proof {
    const AT_ONCE: usize = 1024;
    let mut digest = Xxh3::new();
    let mut bytes = Vec::with_capacity(AT_ONCE * size_of::<u32>());
    for word in words {
        bytes.extend_from_slice(&word.to_le_bytes());
        if bytes.len() == bytes.capacity() {
            digest.update(&bytes);
            bytes.clear();
        }
    }
    digest.update(&bytes);
    Proof { bytes: (count * size_of::<u32>()) as u64, digest: format!("{:032x}", digest.digest128()) }
}

/// The proof of a sum over `count` words.
pub(super) fn proof_of_sum(count: usize, sum: u32) -> Proof {
    Proof { bytes: (count * size_of::<u32>()) as u64, digest: crate::files::digest_of(&sum.to_le_bytes()) }
}
