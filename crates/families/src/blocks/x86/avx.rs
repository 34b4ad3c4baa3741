//! 256 bits, 128 bytes a turn; and 512 bits, 256 bytes a turn. The instructions differ in their names alone.

use super::{Loops, total, vector_loop};

pub(super) struct Avx2;
pub(super) struct Avx512;

/// Four registers a turn, whose names begin with `$r`; they lie `$second`, `$third` and `$fourth` bytes behind the first.
macro_rules! loops {
    (
        $name:ident, registers: $r:literal, words: $words:literal, places: $second:literal $third:literal $fourth:literal,
        turn: $turn:literal, move: $move:literal, spread: $spread:literal, ones: $ones:literal
    ) => {
        impl Loops for $name {
            const WORDS: usize = $words;

            unsafe fn write(to: *mut u32, turns: usize, value: u32) {
                // SAFETY: the caller vouches for the memory and for the instructions.
                unsafe {
                    vector_loop!(
                        $spread,
                        "2:",
                        concat!($move, " [{at}], ", $r, "0"),
                        concat!($move, " [{at} + ", $second, "], ", $r, "0"),
                        concat!($move, " [{at} + ", $third, "], ", $r, "0"),
                        concat!($move, " [{at} + ", $fourth, "], ", $r, "0"),
                        concat!("add {at}, ", $turn),
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
                let mut partial = [0_u32; $words];
                // SAFETY: the caller vouches for the memory and for the instructions, and `partial` has room for four registers.
                unsafe {
                    vector_loop!(
                        "vpxor xmm0, xmm0, xmm0",
                        "vpxor xmm1, xmm1, xmm1",
                        "vpxor xmm2, xmm2, xmm2",
                        "vpxor xmm3, xmm3, xmm3",
                        "2:",
                        concat!("vpaddd ", $r, "0, ", $r, "0, [{at}]"),
                        concat!("vpaddd ", $r, "1, ", $r, "1, [{at} + ", $second, "]"),
                        concat!("vpaddd ", $r, "2, ", $r, "2, [{at} + ", $third, "]"),
                        concat!("vpaddd ", $r, "3, ", $r, "3, [{at} + ", $fourth, "]"),
                        concat!("add {at}, ", $turn),
                        "dec {turns}",
                        "jnz 2b",
                        concat!($move, " [{partial}], ", $r, "0"),
                        concat!($move, " [{partial} + ", $second, "], ", $r, "1"),
                        concat!($move, " [{partial} + ", $third, "], ", $r, "2"),
                        concat!($move, " [{partial} + ", $fourth, "], ", $r, "3"),
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
                        $ones,
                        "2:",
                        concat!($move, " ", $r, "4, [{at}]"),
                        concat!($move, " ", $r, "5, [{at} + ", $second, "]"),
                        concat!($move, " ", $r, "6, [{at} + ", $third, "]"),
                        concat!($move, " ", $r, "7, [{at} + ", $fourth, "]"),
                        concat!("vpsubd ", $r, "4, ", $r, "4, ", $r, "0"),
                        concat!("vpsubd ", $r, "5, ", $r, "5, ", $r, "0"),
                        concat!("vpsubd ", $r, "6, ", $r, "6, ", $r, "0"),
                        concat!("vpsubd ", $r, "7, ", $r, "7, ", $r, "0"),
                        concat!($move, " [{at}], ", $r, "4"),
                        concat!($move, " [{at} + ", $second, "], ", $r, "5"),
                        concat!($move, " [{at} + ", $third, "], ", $r, "6"),
                        concat!($move, " [{at} + ", $fourth, "], ", $r, "7"),
                        concat!("add {at}, ", $turn),
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
                        concat!($move, " ", $r, "4, [{at}]"),
                        concat!($move, " ", $r, "5, [{at} + ", $second, "]"),
                        concat!($move, " ", $r, "6, [{at} + ", $third, "]"),
                        concat!($move, " ", $r, "7, [{at} + ", $fourth, "]"),
                        concat!($move, " [{to}], ", $r, "4"),
                        concat!($move, " [{to} + ", $second, "], ", $r, "5"),
                        concat!($move, " [{to} + ", $third, "], ", $r, "6"),
                        concat!($move, " [{to} + ", $fourth, "], ", $r, "7"),
                        concat!("add {at}, ", $turn),
                        concat!("add {to}, ", $turn),
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
    };
}

loops!(
    Avx2, registers: "ymm", words: 32, places: 32 64 96, turn: 128, move: "vmovdqu",
    spread: "vmovd xmm0, {value:e}\nvpbroadcastd ymm0, xmm0", ones: "vpcmpeqd ymm0, ymm0, ymm0"
);
loops!(
    Avx512, registers: "zmm", words: 64, places: 64 128 192, turn: 256, move: "vmovdqu32",
    spread: "vpbroadcastd zmm0, {value:e}", ones: "vpternlogd zmm0, zmm0, zmm0, 255"
);
