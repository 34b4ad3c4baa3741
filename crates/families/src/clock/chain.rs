//! The other work between two readings.

use std::hint::black_box;

/// Goes on with the chain for this many steps. Every step needs the one before, and none needs memory: a processor may do
/// the chain next to the reading of a clock as far as the clock lets it.
#[inline(always)]
pub(super) fn advance(mut state: u64, steps: u64) -> u64 {
    for _ in 0..steps {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state = black_box(state.wrapping_mul(0x2545_f491_4f6c_dd1d));
    }
    state
}
