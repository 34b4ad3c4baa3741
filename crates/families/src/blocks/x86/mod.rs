//! The instructions of x86-64, vector registers of one kind a file.
//!
//! The loops are written in assembly: of loops in Rust, also of intrinsics, the compiler may make calls of `memset` and
//! `memcpy`. Each turn handles four registers.

mod avx;
mod sse2;
mod streaming;
mod string;

use super::kernels::{Kernels, plain_copy, plain_read, plain_update, plain_write};

/// Loops over whole turns.
trait Loops {
    /// Words in a turn.
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

/// The loops as passes over whole pieces, given out only where the processor has the instructions. What is left behind the last whole
/// turn is done word by word.
const fn kernels<L: Loops>() -> Kernels {
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

/// A loop in assembly that changes the vector registers and the flags.
macro_rules! vector_loop {
    ($($line:expr),+ ; $($operands:tt)+) => {
        std::arch::asm!(
            $($line),+,
            $($operands)+,
            out("xmm0") _, out("xmm1") _, out("xmm2") _, out("xmm3") _,
            out("xmm4") _, out("xmm5") _, out("xmm6") _, out("xmm7") _,
            out("xmm8") _, out("xmm9") _, out("xmm10") _, out("xmm11") _,
            out("xmm12") _, out("xmm13") _, out("xmm14") _, out("xmm15") _,
            options(nostack)
        )
    };
}
use vector_loop;

/// The sum of partial sums.
fn total(partial: &[u32]) -> u32 {
    partial.iter().fold(0, |sum, one| sum.wrapping_add(*one))
}

/// 128 bits, which are part of every x86-64 processor.
pub(super) fn sse2() -> Result<Kernels, String> {
    Ok(kernels::<sse2::Sse2>())
}

/// The same with each line asked for before its turn.
pub(super) fn prefetching() -> Result<Kernels, String> {
    Ok(kernels::<sse2::Prefetching>())
}

/// 256 bits, where the processor has such registers and the system keeps them.
pub(super) fn avx2() -> Result<Kernels, String> {
    match is_x86_feature_detected!("avx2") {
        true => Ok(kernels::<avx::Avx2>()),
        false => Err("this processor has no AVX2".to_owned()),
    }
}

/// 512 bits, where the processor has such registers and the system keeps them.
pub(super) fn avx512() -> Result<Kernels, String> {
    match is_x86_feature_detected!("avx512f") {
        true => Ok(kernels::<avx::Avx512>()),
        false => Err("this processor has no AVX-512".to_owned()),
    }
}

/// The processor's own loops.
pub(super) fn string() -> Result<Kernels, String> {
    Ok(Kernels { write: Some(string::write), copy: Some(string::copy), ..Kernels::default() })
}

/// Stores past the caches.
pub(super) fn streaming() -> Result<Kernels, String> {
    Ok(Kernels {
        write: Some(streaming::write),
        copy: Some(streaming::copy),
        fence: Some(streaming::fence),
        ..Kernels::default()
    })
}

/// The widest registers that there are.
pub(super) fn widest() -> Result<Kernels, String> {
    avx512().or_else(|_| avx2()).or_else(|_| sse2())
}
