//! The C library's generator: one sequence for all threads, behind a lock.

/// Starts the sequence again.
pub(in crate::threads) fn begin() {
    // SAFETY: the call takes a number, and the C library guards its state by a lock.
    unsafe { libc::srand(1) };
}

/// The next number below `modulus`. All threads draw from one sequence, so that the sum over all of them is always the same.
#[inline]
pub(in crate::threads) fn drawn(modulus: u32) -> u64 {
    // SAFETY: the call takes nothing, and the C library guards its state by a lock.
    let drawn = unsafe { libc::rand() };
    u64::from(drawn.unsigned_abs() % modulus)
}
