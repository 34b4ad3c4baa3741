//! The C library's generator: a sequence for each thread.

use std::hint::black_box;

/// Nothing is shared that could begin again.
pub(in crate::threads) fn begin() {}

/// Draws a number below `modulus`, and gives 0: every thread has a sequence of its own, so that the numbers which a share
/// draws depend on who works on which share, and their sum proves nothing.
#[inline]
pub(in crate::threads) fn drawn(modulus: u32) -> u64 {
    // SAFETY: the call takes nothing, and its state belongs to the calling thread.
    let drawn = unsafe { libc::rand() };
    black_box(drawn.unsigned_abs() % modulus);
    0
}
