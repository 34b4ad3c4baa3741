//! Four registers a turn. 128 bits: 64 bytes a turn, with and without a prefetch 512 bytes ahead. 256 bits: 128 bytes a turn; and
//! 512 bits: 256 bytes a turn, whose instructions differ in their names alone.

use super::vector_loop;
use crate::blocks::kernels::{Kernels, plain_copy, plain_read, plain_update, plain_write};

pub(super) trait Loops {
    const WORDS: usize;

    /// # Safety
    /// `turns` is at least 1, there are this many turns of words at `to`, and the processor has the instructions.
    unsafe fn write(to: *mut u32, turns: usize, value: u32);

    /// # Safety
    /// As for `write`, with `from` instead of `to`.
    unsafe fn read(from: *const u32, turns: usize) -> u32;

    /// # Safety
    /// As for `write`.
    unsafe fn update(words: *mut u32, turns: usize);

    /// # Safety
    /// As for `write` and `read`; the two do not overlap.
    unsafe fn copy(from: *const u32, to: *mut u32, turns: usize);
}

/// Returns passes over whole pieces; what is left behind the last whole turn is done word by word.
pub(super) const fn kernels<L: Loops>() -> Kernels {
    Kernels {
        write: Some(|to, value| {
            let turns = to.len() / L::WORDS;
            let (whole, rest) = to.split_at_mut(turns * L::WORDS);
            if turns > 0 {
                // SAFETY: there are this many turns, and the processor has the instructions.
                unsafe { L::write(whole.as_mut_ptr(), turns, value) };
            }
            plain_write(rest, value);
        }),
        read: Some(|from| {
            let turns = from.len() / L::WORDS;
            let (whole, rest) = from.split_at(turns * L::WORDS);
            let sum = match turns {
                0 => 0,
                // SAFETY: as for `write`.
                _ => unsafe { L::read(whole.as_ptr(), turns) },
            };
            sum.wrapping_add(plain_read(rest))
        }),
        update: Some(|words| {
            let turns = words.len() / L::WORDS;
            let (whole, rest) = words.split_at_mut(turns * L::WORDS);
            if turns > 0 {
                // SAFETY: as for `write`.
                unsafe { L::update(whole.as_mut_ptr(), turns) };
            }
            plain_update(rest);
        }),
        copy: Some(|from, to| {
            let turns = from.len().min(to.len()) / L::WORDS;
            let (whole_from, rest_from) = from.split_at(turns * L::WORDS);
            let (whole_to, rest_to) = to.split_at_mut(turns * L::WORDS);
            if turns > 0 {
                // SAFETY: as for `write`, with both memories, which are borrowed apart.
                unsafe { L::copy(whole_from.as_ptr(), whole_to.as_mut_ptr(), turns) };
            }
            plain_copy(rest_from, rest_to);
        }),
        fence: None,
    }
}

/// Loops from the lines before each, in a turn of it, and behind it.
macro_rules! loops {
    (
        $name:ident, words: $words:literal, bytes: $bytes:literal, end: [$($end:literal)?],
        write: [$($spread:literal),+] [$($write:expr),+],
        read: [$($zero:literal),+] [$($read:expr),+] [$($partial:expr),+],
        update: [$ones:literal] [$($update:expr),+],
        copy: [$($copy:expr),+],
    ) => {
        pub(super) struct $name;

        impl Loops for $name {
            const WORDS: usize = $words;

            unsafe fn write(to: *mut u32, turns: usize, value: u32) {
                // SAFETY: the caller vouches for the memory and for the instructions.
                unsafe {
                    vector_loop!(
                        $($spread,)+
                        "2:",
                        $($write,)+
                        concat!("add {at}, ", $bytes),
                        "dec {turns}",
                        "jnz 2b"
                        $(, $end)?;
                        value = in(reg) value,
                        at = inout(reg) to => _,
                        turns = inout(reg) turns => _
                    )
                };
            }

            unsafe fn read(from: *const u32, turns: usize) -> u32 {
                let mut partial = [0_u32; $words];
                // SAFETY: as for `write`, and `partial` has room for four registers.
                unsafe {
                    vector_loop!(
                        $($zero,)+
                        "2:",
                        $($read,)+
                        concat!("add {at}, ", $bytes),
                        "dec {turns}",
                        "jnz 2b",
                        $($partial),+
                        $(, $end)?;
                        partial = in(reg) partial.as_mut_ptr(),
                        at = inout(reg) from => _,
                        turns = inout(reg) turns => _
                    )
                };
                partial.iter().fold(0, |sum, one| sum.wrapping_add(*one))
            }

            unsafe fn update(words: *mut u32, turns: usize) {
                // SAFETY: as for `write`.
                unsafe {
                    vector_loop!(
                        // All bits set is -1: to subtract it is to add 1.
                        $ones,
                        "2:",
                        $($update,)+
                        concat!("add {at}, ", $bytes),
                        "dec {turns}",
                        "jnz 2b"
                        $(, $end)?;
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
                        $($copy,)+
                        concat!("add {at}, ", $bytes),
                        concat!("add {to}, ", $bytes),
                        "dec {turns}",
                        "jnz 2b"
                        $(, $end)?;
                        to = inout(reg) to => _,
                        at = inout(reg) from => _,
                        turns = inout(reg) turns => _
                    )
                };
            }
        }
    };
}

/// The same loops with one more line in front of each turn, which may be empty.
macro_rules! sse2 {
    ($name:ident, write: $ahead_of_write:literal, read: $ahead_of_read:literal) => {
        loops! {
            $name, words: 16, bytes: 64, end: [],
            write: ["movd xmm0, {value:e}", "pshufd xmm0, xmm0, 0"] [
                $ahead_of_write,
                "movdqu [{at}], xmm0",
                "movdqu [{at} + 16], xmm0",
                "movdqu [{at} + 32], xmm0",
                "movdqu [{at} + 48], xmm0"
            ],
            read: ["pxor xmm0, xmm0", "pxor xmm1, xmm1", "pxor xmm2, xmm2", "pxor xmm3, xmm3"] [
                $ahead_of_read,
                "movdqu xmm4, [{at}]",
                "movdqu xmm5, [{at} + 16]",
                "movdqu xmm6, [{at} + 32]",
                "movdqu xmm7, [{at} + 48]",
                "paddd xmm0, xmm4",
                "paddd xmm1, xmm5",
                "paddd xmm2, xmm6",
                "paddd xmm3, xmm7"
            ] [
                "movdqu [{partial}], xmm0",
                "movdqu [{partial} + 16], xmm1",
                "movdqu [{partial} + 32], xmm2",
                "movdqu [{partial} + 48], xmm3"
            ],
            update: ["pcmpeqd xmm0, xmm0"] [
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
                "movdqu [{at} + 48], xmm7"
            ],
            copy: [
                $ahead_of_read,
                "movdqu xmm4, [{at}]",
                "movdqu xmm5, [{at} + 16]",
                "movdqu xmm6, [{at} + 32]",
                "movdqu xmm7, [{at} + 48]",
                "movdqu [{to}], xmm4",
                "movdqu [{to} + 16], xmm5",
                "movdqu [{to} + 32], xmm6",
                "movdqu [{to} + 48], xmm7"
            ],
        }
    };
}

/// Registers whose names begin with `$r`; they lie `$second`, `$third` and `$fourth` bytes behind the first.
macro_rules! avx {
    (
        $name:ident, registers: $r:literal, words: $words:literal, places: $second:literal $third:literal $fourth:literal,
        turn: $turn:literal, move: $move:literal, spread: $spread:literal, ones: $ones:literal
    ) => {
        loops! {
            $name, words: $words, bytes: $turn, end: ["vzeroupper"],
            write: [$spread] [
                concat!($move, " [{at}], ", $r, "0"),
                concat!($move, " [{at} + ", $second, "], ", $r, "0"),
                concat!($move, " [{at} + ", $third, "], ", $r, "0"),
                concat!($move, " [{at} + ", $fourth, "], ", $r, "0")
            ],
            read: [
                "vpxor xmm0, xmm0, xmm0",
                "vpxor xmm1, xmm1, xmm1",
                "vpxor xmm2, xmm2, xmm2",
                "vpxor xmm3, xmm3, xmm3"
            ] [
                concat!("vpaddd ", $r, "0, ", $r, "0, [{at}]"),
                concat!("vpaddd ", $r, "1, ", $r, "1, [{at} + ", $second, "]"),
                concat!("vpaddd ", $r, "2, ", $r, "2, [{at} + ", $third, "]"),
                concat!("vpaddd ", $r, "3, ", $r, "3, [{at} + ", $fourth, "]")
            ] [
                concat!($move, " [{partial}], ", $r, "0"),
                concat!($move, " [{partial} + ", $second, "], ", $r, "1"),
                concat!($move, " [{partial} + ", $third, "], ", $r, "2"),
                concat!($move, " [{partial} + ", $fourth, "], ", $r, "3")
            ],
            update: [$ones] [
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
                concat!($move, " [{at} + ", $fourth, "], ", $r, "7")
            ],
            copy: [
                concat!($move, " ", $r, "4, [{at}]"),
                concat!($move, " ", $r, "5, [{at} + ", $second, "]"),
                concat!($move, " ", $r, "6, [{at} + ", $third, "]"),
                concat!($move, " ", $r, "7, [{at} + ", $fourth, "]"),
                concat!($move, " [{to}], ", $r, "4"),
                concat!($move, " [{to} + ", $second, "], ", $r, "5"),
                concat!($move, " [{to} + ", $third, "], ", $r, "6"),
                concat!($move, " [{to} + ", $fourth, "], ", $r, "7")
            ],
        }
    };
}

sse2!(Sse2, write: "", read: "");
// A prefetch behind the end of the memory is ignored.
sse2!(Prefetching, write: "prefetchw [{at} + 512]", read: "prefetcht0 [{at} + 512]");
avx!(
    Avx2, registers: "ymm", words: 32, places: 32 64 96, turn: 128, move: "vmovdqu",
    spread: "vmovd xmm0, {value:e}\nvpbroadcastd ymm0, xmm0", ones: "vpcmpeqd ymm0, ymm0, ymm0"
);
avx!(
    Avx512, registers: "zmm", words: 64, places: 64 128 192, turn: 256, move: "vmovdqu32",
    spread: "vpbroadcastd zmm0, {value:e}", ones: "vpternlogd zmm0, zmm0, zmm0, 255"
);
