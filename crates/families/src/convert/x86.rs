//! Kernels for x86-64, in the vector instructions of its three generations.
//!
//! Four registers are filled from each block of the input, joined with OR and stored as eight (SSE2) or four that are
//! twice as wide. Compilers make the same of the plain loop, but with shorter blocks.

use std::arch::x86_64::{
    _mm_loadu_si128, _mm_movemask_epi8, _mm_or_si128, _mm_setzero_si128, _mm_storeu_si128, _mm_unpackhi_epi8,
    _mm_unpacklo_epi8, _mm256_cvtepu8_epi16, _mm256_loadu_si256, _mm256_movemask_epi8, _mm256_or_si256,
    _mm256_setzero_si256, _mm256_storeu_si256, _mm512_cvtepu8_epi16, _mm512_storeu_si512,
};

use super::kernel::{Kernel, judged, widen_plainly};

/// SSE2 is part of every x86-64 processor.
pub(super) const BASELINE: Kernel = widen_by_sse2;

/// 128 bits.
pub(super) fn sse2() -> Option<Kernel> {
    Some(widen_by_sse2)
}

/// 256 bits, where the processor has them.
pub(super) fn avx2() -> Option<Kernel> {
    // SAFETY: it is given out only where the processor knows the instructions.
    is_x86_feature_detected!("avx2").then_some(|from, to| unsafe { widen_by_avx2(from, to) })
}

/// 512 bits, where the processor has them.
pub(super) fn avx512() -> Option<Kernel> {
    let is_known = is_x86_feature_detected!("avx512bw") && is_x86_feature_detected!("avx512vl");
    // SAFETY: it is given out only where the processor knows the instructions.
    is_known.then_some(|from, to| unsafe { widen_by_avx512(from, to) })
}

fn widen_by_sse2(from: &[u8], to: &mut [u16]) -> Result<(), usize> {
    const BLOCK: usize = 64;
    const WIDTH: usize = 16;
    let (blocks, rest) = from.as_chunks::<BLOCK>();
    let (places, rest_of_places) = to.as_chunks_mut::<BLOCK>();
    // SAFETY: every load takes 16 bytes from a block of 64, and every store puts 16 bytes, which are 8 units, into a
    // place of 64 units. x86-64 always has these instructions.
    let joined = unsafe {
        let zero = _mm_setzero_si128();
        let mut joined = zero;
        for (block, place) in blocks.iter().zip(places) {
            for nth in 0..BLOCK / WIDTH {
                let bytes = _mm_loadu_si128(block.as_ptr().add(WIDTH * nth).cast());
                let target = place.as_mut_ptr().add(WIDTH * nth);
                _mm_storeu_si128(target.cast(), _mm_unpacklo_epi8(bytes, zero));
                _mm_storeu_si128(target.add(WIDTH / 2).cast(), _mm_unpackhi_epi8(bytes, zero));
                joined = _mm_or_si128(joined, bytes);
            }
        }
        _mm_movemask_epi8(joined)
    };
    judged(from, widen_plainly(rest, rest_of_places) && joined == 0)
}

#[target_feature(enable = "avx2")]
fn widen_by_avx2(from: &[u8], to: &mut [u16]) -> Result<(), usize> {
    const BLOCK: usize = 64;
    const WIDTH: usize = 16;
    let (blocks, rest) = from.as_chunks::<BLOCK>();
    let (places, rest_of_places) = to.as_chunks_mut::<BLOCK>();
    let mut joined = _mm_setzero_si128();
    for (block, place) in blocks.iter().zip(places) {
        for nth in 0..BLOCK / WIDTH {
            // SAFETY: the load takes 16 bytes from a block of 64.
            let bytes = unsafe { _mm_loadu_si128(block.as_ptr().add(WIDTH * nth).cast()) };
            // SAFETY: the store puts 32 bytes, which are 16 units, into a place of 64 units.
            unsafe {
                _mm256_storeu_si256(place.as_mut_ptr().add(WIDTH * nth).cast(), _mm256_cvtepu8_epi16(bytes))
            };
            joined = _mm_or_si128(joined, bytes);
        }
    }
    judged(from, widen_plainly(rest, rest_of_places) && _mm_movemask_epi8(joined) == 0)
}

#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
fn widen_by_avx512(from: &[u8], to: &mut [u16]) -> Result<(), usize> {
    const BLOCK: usize = 128;
    const WIDTH: usize = 32;
    let (blocks, rest) = from.as_chunks::<BLOCK>();
    let (places, rest_of_places) = to.as_chunks_mut::<BLOCK>();
    let mut joined = _mm256_setzero_si256();
    for (block, place) in blocks.iter().zip(places) {
        for nth in 0..BLOCK / WIDTH {
            // SAFETY: the load takes 32 bytes from a block of 128.
            let bytes = unsafe { _mm256_loadu_si256(block.as_ptr().add(WIDTH * nth).cast()) };
            // SAFETY: the store puts 64 bytes, which are 32 units, into a place of 128 units.
            unsafe {
                _mm512_storeu_si512(place.as_mut_ptr().add(WIDTH * nth).cast(), _mm512_cvtepu8_epi16(bytes))
            };
            joined = _mm256_or_si256(joined, bytes);
        }
    }
    judged(from, widen_plainly(rest, rest_of_places) && _mm256_movemask_epi8(joined) == 0)
}
