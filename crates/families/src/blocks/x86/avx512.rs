//! 512 bits: 256 bytes a turn.

use super::{Loops, total, vector_loop};

pub(super) struct Avx512;

impl Loops for Avx512 {
    const WORDS: usize = 64;

    unsafe fn write(to: *mut u32, turns: usize, value: u32) {
        // SAFETY: the caller vouches for the memory and for AVX-512 F.
        unsafe {
            vector_loop!(
                "vpbroadcastd zmm0, {value:e}",
                "2:",
                "vmovdqu32 [{at}], zmm0",
                "vmovdqu32 [{at} + 64], zmm0",
                "vmovdqu32 [{at} + 128], zmm0",
                "vmovdqu32 [{at} + 192], zmm0",
                "add {at}, 256",
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
        let mut partial = [0_u32; 64];
        // SAFETY: the caller vouches for the memory and for AVX-512 F, and `partial` has room for four registers.
        unsafe {
            vector_loop!(
                "vpxor xmm0, xmm0, xmm0",
                "vpxor xmm1, xmm1, xmm1",
                "vpxor xmm2, xmm2, xmm2",
                "vpxor xmm3, xmm3, xmm3",
                "2:",
                "vpaddd zmm0, zmm0, [{at}]",
                "vpaddd zmm1, zmm1, [{at} + 64]",
                "vpaddd zmm2, zmm2, [{at} + 128]",
                "vpaddd zmm3, zmm3, [{at} + 192]",
                "add {at}, 256",
                "dec {turns}",
                "jnz 2b",
                "vmovdqu32 [{partial}], zmm0",
                "vmovdqu32 [{partial} + 64], zmm1",
                "vmovdqu32 [{partial} + 128], zmm2",
                "vmovdqu32 [{partial} + 192], zmm3",
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
                "vpternlogd zmm0, zmm0, zmm0, 255",
                "2:",
                "vmovdqu32 zmm4, [{at}]",
                "vmovdqu32 zmm5, [{at} + 64]",
                "vmovdqu32 zmm6, [{at} + 128]",
                "vmovdqu32 zmm7, [{at} + 192]",
                "vpsubd zmm4, zmm4, zmm0",
                "vpsubd zmm5, zmm5, zmm0",
                "vpsubd zmm6, zmm6, zmm0",
                "vpsubd zmm7, zmm7, zmm0",
                "vmovdqu32 [{at}], zmm4",
                "vmovdqu32 [{at} + 64], zmm5",
                "vmovdqu32 [{at} + 128], zmm6",
                "vmovdqu32 [{at} + 192], zmm7",
                "add {at}, 256",
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
                "vmovdqu32 zmm4, [{at}]",
                "vmovdqu32 zmm5, [{at} + 64]",
                "vmovdqu32 zmm6, [{at} + 128]",
                "vmovdqu32 zmm7, [{at} + 192]",
                "vmovdqu32 [{to}], zmm4",
                "vmovdqu32 [{to} + 64], zmm5",
                "vmovdqu32 [{to} + 128], zmm6",
                "vmovdqu32 [{to} + 192], zmm7",
                "add {at}, 256",
                "add {to}, 256",
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
