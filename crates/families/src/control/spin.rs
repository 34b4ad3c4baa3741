//! The loop whose length is known: one function for all, so that no two techniques differ in their machine code.

use std::hint::black_box;

/// Runs the chain `iterations` times. Every step needs the one before: nothing can be left out, done at once or
/// side by side, and no memory is touched.
#[inline(never)]
pub(super) fn spin(iterations: u64) {
    let mut state = black_box(0x9e37_79b9_7f4a_7c15_u64);
    for _ in 0..black_box(iterations) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state = state.wrapping_mul(0x2545_f491_4f6c_dd1d);
    }
    black_box(state);
}
