//! 128 bits: 64 bytes a turn, with and without a prefetch 512 bytes ahead.

use super::{Loops, total, vector_loop};

pub(super) struct Sse2;
pub(super) struct Prefetching;

/// The same loops with one more line in front of each turn, which may be empty.
macro_rules! loops {
    ($name:ident, write: $ahead_of_write:literal, read: $ahead_of_read:literal) => {
        impl Loops for $name {
            const WORDS: usize = 16;

            unsafe fn write(to: *mut u32, turns: usize, value: u32) {
                // SAFETY: the caller vouches for the memory; every x86-64 processor has the instructions.
                unsafe {
                    vector_loop!(
                        "movd xmm0, {value:e}",
                        "pshufd xmm0, xmm0, 0",
                        "2:",
                        $ahead_of_write,
                        "movdqu [{at}], xmm0",
                        "movdqu [{at} + 16], xmm0",
                        "movdqu [{at} + 32], xmm0",
                        "movdqu [{at} + 48], xmm0",
                        "add {at}, 64",
                        "dec {turns}",
                        "jnz 2b";
                        value = in(reg) value,
                        at = inout(reg) to => _,
                        turns = inout(reg) turns => _
                    )
                };
            }

            unsafe fn read(from: *const u32, turns: usize) -> u32 {
                let mut partial = [0_u32; 16];
                // SAFETY: the caller vouches for the memory, and `partial` has room for four registers; every x86-64
                // processor has the instructions.
                unsafe {
                    vector_loop!(
                        "pxor xmm0, xmm0",
                        "pxor xmm1, xmm1",
                        "pxor xmm2, xmm2",
                        "pxor xmm3, xmm3",
                        "2:",
                        $ahead_of_read,
                        "movdqu xmm4, [{at}]",
                        "movdqu xmm5, [{at} + 16]",
                        "movdqu xmm6, [{at} + 32]",
                        "movdqu xmm7, [{at} + 48]",
                        "paddd xmm0, xmm4",
                        "paddd xmm1, xmm5",
                        "paddd xmm2, xmm6",
                        "paddd xmm3, xmm7",
                        "add {at}, 64",
                        "dec {turns}",
                        "jnz 2b",
                        "movdqu [{partial}], xmm0",
                        "movdqu [{partial} + 16], xmm1",
                        "movdqu [{partial} + 32], xmm2",
                        "movdqu [{partial} + 48], xmm3";
                        partial = in(reg) partial.as_mut_ptr(),
                        at = inout(reg) from => _,
                        turns = inout(reg) turns => _
                    )
                };
                total(&partial)
            }

            unsafe fn update(words: *mut u32, turns: usize) {
                // SAFETY: as for `write`.
                unsafe {
                    vector_loop!(
                        // All bits set is -1: to subtract it is to add 1.
                        "pcmpeqd xmm0, xmm0",
                        "2:",
                        $ahead_of_write,
                        "movdqu xmm4, [{at}]",
                        "movdqu xmm5, [{at} + 16]",
                        "movdqu xmm6, [{at} + 32]",
                        "movdqu xmm7, [{at} + 48]",
                        "psubd xmm4, xmm0",
                        "psubd xmm5, xmm0",
                        "psubd xmm6, xmm0",
                        "psubd xmm7, xmm0",
                        "movdqu [{at}], xmm4",
                        "movdqu [{at} + 16], xmm5",
                        "movdqu [{at} + 32], xmm6",
                        "movdqu [{at} + 48], xmm7",
                        "add {at}, 64",
                        "dec {turns}",
                        "jnz 2b";
                        at = inout(reg) words => _,
                        turns = inout(reg) turns => _
                    )
                };
            }

            unsafe fn copy(from: *const u32, to: *mut u32, turns: usize) {
                // SAFETY: as for `write`, with both memories.
                unsafe {
                    vector_loop!(
                        "2:",
                        $ahead_of_read,
                        "movdqu xmm4, [{at}]",
                        "movdqu xmm5, [{at} + 16]",
                        "movdqu xmm6, [{at} + 32]",
                        "movdqu xmm7, [{at} + 48]",
                        "movdqu [{to}], xmm4",
                        "movdqu [{to} + 16], xmm5",
                        "movdqu [{to} + 32], xmm6",
                        "movdqu [{to} + 48], xmm7",
                        "add {at}, 64",
                        "add {to}, 64",
                        "dec {turns}",
                        "jnz 2b";
                        to = inout(reg) to => _,
                        at = inout(reg) from => _,
                        turns = inout(reg) turns => _
                    )
                };
            }
        }
    };
}

loops!(Sse2, write: "", read: "");
// A prefetch behind the end of the memory is ignored.
loops!(Prefetching, write: "prefetchw [{at} + 512]", read: "prefetcht0 [{at} + 512]");
