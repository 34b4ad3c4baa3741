//! 256 bits: 128 bytes a turn.

use super::{Loops, total, vector_loop};

pub(super) struct Avx2;

impl Loops for Avx2 {
    const WORDS: usize = 32;

    unsafe fn write(to: *mut u32, turns: usize, value: u32) {
        // SAFETY: the caller vouches for the memory and for AVX2.
        unsafe {
            vector_loop!(
                "vmovd xmm0, {value:e}",
                "vpbroadcastd ymm0, xmm0",
                "2:",
                "vmovdqu [{at}], ymm0",
                "vmovdqu [{at} + 32], ymm0",
                "vmovdqu [{at} + 64], ymm0",
                "vmovdqu [{at} + 96], ymm0",
                "add {at}, 128",
                "dec {turns}",
                "jnz 2b",
                "vzeroupper";
                value = in(reg) value,
                at = inout(reg) to => _,
                turns = inout(reg) turns => _
            )
        };
    }

    unsafe fn read(from: *const u32, turns: usize) -> u32 {
        let mut partial = [0_u32; 32];
        // SAFETY: the caller vouches for the memory and for AVX2, and `partial` has room for four registers.
        unsafe {
            vector_loop!(
                "vpxor xmm0, xmm0, xmm0",
                "vpxor xmm1, xmm1, xmm1",
                "vpxor xmm2, xmm2, xmm2",
                "vpxor xmm3, xmm3, xmm3",
                "2:",
                "vpaddd ymm0, ymm0, [{at}]",
                "vpaddd ymm1, ymm1, [{at} + 32]",
                "vpaddd ymm2, ymm2, [{at} + 64]",
                "vpaddd ymm3, ymm3, [{at} + 96]",
                "add {at}, 128",
                "dec {turns}",
                "jnz 2b",
                "vmovdqu [{partial}], ymm0",
                "vmovdqu [{partial} + 32], ymm1",
                "vmovdqu [{partial} + 64], ymm2",
                "vmovdqu [{partial} + 96], ymm3",
                "vzeroupper";
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
                "vpcmpeqd ymm0, ymm0, ymm0",
                "2:",
                "vmovdqu ymm4, [{at}]",
                "vmovdqu ymm5, [{at} + 32]",
                "vmovdqu ymm6, [{at} + 64]",
                "vmovdqu ymm7, [{at} + 96]",
                "vpsubd ymm4, ymm4, ymm0",
                "vpsubd ymm5, ymm5, ymm0",
                "vpsubd ymm6, ymm6, ymm0",
                "vpsubd ymm7, ymm7, ymm0",
                "vmovdqu [{at}], ymm4",
                "vmovdqu [{at} + 32], ymm5",
                "vmovdqu [{at} + 64], ymm6",
                "vmovdqu [{at} + 96], ymm7",
                "add {at}, 128",
                "dec {turns}",
                "jnz 2b",
                "vzeroupper";
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
                "vmovdqu ymm4, [{at}]",
                "vmovdqu ymm5, [{at} + 32]",
                "vmovdqu ymm6, [{at} + 64]",
                "vmovdqu ymm7, [{at} + 96]",
                "vmovdqu [{to}], ymm4",
                "vmovdqu [{to} + 32], ymm5",
                "vmovdqu [{to} + 64], ymm6",
                "vmovdqu [{to} + 96], ymm7",
                "add {at}, 128",
                "add {to}, 128",
                "dec {turns}",
                "jnz 2b",
                "vzeroupper";
                to = inout(reg) to => _,
                at = inout(reg) from => _,
                turns = inout(reg) turns => _
            )
        };
    }
}
