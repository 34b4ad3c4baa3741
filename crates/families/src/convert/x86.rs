//! The plain loop, compiled for the three generations of vector registers of x86-64, and one that stores past the cache.
//!
//! Compilers make of the loop what one would write by hand (`vpmovzxbw`, four registers in a turn): intrinsics were tried
//! and were not faster. Only storing past the cache has to be asked for.

use std::arch::x86_64::{
    __cpuid, __cpuid_count, __m256i, _mm_sfence, _mm256_castsi256_si128, _mm256_cvtepu8_epi16,
    _mm256_extracti128_si256, _mm256_loadu_si256, _mm256_movemask_epi8, _mm256_or_si256,
    _mm256_setzero_si256, _mm256_stream_si256, _xgetbv,
};

use super::kernel::{Kernel, Unit, first_bad, plain, widen};

pub(super) fn sse2() -> Option<Kernel> {
    Some(plain)
}

pub(super) fn avx2() -> Option<Kernel> {
    registers().avx2.then_some(checked_avx2)
}

pub(super) fn avx512() -> Option<Kernel> {
    registers().avx512.then_some(checked_avx512)
}

pub(super) fn streaming() -> Option<Kernel> {
    registers().avx2.then_some(checked_streaming)
}

/// Returns the widest registers that cost nothing else.
pub(super) fn widest() -> Kernel {
    match registers() {
        Registers { without_slowing_down: true, .. } => checked_avx512,
        Registers { avx2: true, .. } => checked_avx2,
        _ => plain,
    }
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Registers {
    avx2: bool,
    /// 512 bits for bytes and words (AVX-512 F, BW, VL).
    avx512: bool,
    /// Those of processors from 2019 on, which do not slow down for 512 bits as those before them did.
    without_slowing_down: bool,
}

/// Asks for these registers only: a question takes 9 microseconds under a hypervisor, and the standard library asks seven.
fn registers() -> Registers {
    const AVX_AND_XGETBV: u32 = 1 << 28 | 1 << 27;
    const XMM_AND_YMM: u64 = 0b110;
    const OPMASK_AND_ZMM: u64 = 0b1110_0000;
    const AVX2: u32 = 1 << 5;
    const AVX512_F_BW_VL: u32 = 1 << 16 | 1 << 30 | 1 << 31;
    const AVX512_VBMI2: u32 = 1 << 6;
    let has = |all: u32, bits: u32| all & bits == bits;
    if !has(__cpuid(1).ecx, AVX_AND_XGETBV) {
        return Registers::default();
    }
    // SAFETY: the processor knows the instruction, and the system has turned it on.
    let kept = unsafe { registers_kept_by_the_system() };
    if kept & XMM_AND_YMM != XMM_AND_YMM {
        return Registers::default();
    }
    let features = __cpuid_count(7, 0);
    let avx512 = kept & OPMASK_AND_ZMM == OPMASK_AND_ZMM && has(features.ebx, AVX512_F_BW_VL);
    Registers {
        avx2: has(features.ebx, AVX2),
        avx512,
        without_slowing_down: avx512 && has(features.ecx, AVX512_VBMI2),
    }
}

#[target_feature(enable = "xsave")]
fn registers_kept_by_the_system() -> u64 {
    // SAFETY: register 0 is there wherever the instruction is.
    unsafe { _xgetbv(0) }
}

fn checked_avx2(from: &[u8], to: &mut [Unit]) -> Result<(), usize> {
    // SAFETY: it is given out only where the processor knows the instructions.
    unsafe { widen_by_avx2(from, to) }
}

fn checked_avx512(from: &[u8], to: &mut [Unit]) -> Result<(), usize> {
    // SAFETY: it is given out only where the processor knows the instructions.
    unsafe { widen_by_avx512(from, to) }
}

fn checked_streaming(from: &[u8], to: &mut [Unit]) -> Result<(), usize> {
    // Stores past the cache want whole registers; of memory that begins inside one, the first units are plain.
    let before = to.as_ptr().align_offset(size_of::<__m256i>()).min(to.len());
    let (first, rest) = from.split_at(before);
    let (first_units, units) = to.split_at_mut(before);
    let aligned = rest.len() / STREAMED * STREAMED;
    let (middle, last) = rest.split_at(aligned);
    let (middle_units, last_units) = units.split_at_mut(aligned);
    plain(first, first_units)?;
    // SAFETY: the processor knows the instructions; the units begin at a whole register and are as many as bytes.
    unsafe { widen_streaming(middle, middle_units) }.map_err(|place| before + place)?;
    plain(last, last_units).map_err(|place| before + aligned + place)
}

const STREAMED: usize = 32;

#[target_feature(enable = "avx2")]
fn widen_by_avx2(from: &[u8], to: &mut [Unit]) -> Result<(), usize> {
    widen(from, to)
}

#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
fn widen_by_avx512(from: &[u8], to: &mut [Unit]) -> Result<(), usize> {
    widen(from, to)
}

/// Whole lines of the cache that never enter it: the memory's old contents need not be read first.
///
/// # Safety
/// `to` begins at a multiple of 32 bytes and is as long as `from`, a multiple of [`STREAMED`].
#[target_feature(enable = "avx2")]
unsafe fn widen_streaming(from: &[u8], to: &mut [Unit]) -> Result<(), usize> {
    let mut joined = _mm256_setzero_si256();
    for (bytes, units) in from.chunks_exact(STREAMED).zip(to.chunks_exact_mut(STREAMED)) {
        let register = units.as_mut_ptr().cast::<__m256i>();
        // SAFETY: there are 32 bytes, and room for 32 units that begins at a whole register, as the caller vouches.
        unsafe {
            let all = _mm256_loadu_si256(bytes.as_ptr().cast());
            joined = _mm256_or_si256(joined, all);
            _mm256_stream_si256(register, _mm256_cvtepu8_epi16(_mm256_castsi256_si128(all)));
            _mm256_stream_si256(register.add(1), _mm256_cvtepu8_epi16(_mm256_extracti128_si256::<1>(all)));
        }
    }
    // Before others may hear that the units are there.
    _mm_sfence();
    if _mm256_movemask_epi8(joined) == 0 {
        return Ok(());
    }
    Err(first_bad(from))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_short_question_is_answered_like_the_long_one() {
        let avx512 = is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512vl");
        let expected = Registers {
            avx2: is_x86_feature_detected!("avx2"),
            avx512,
            without_slowing_down: avx512 && is_x86_feature_detected!("avx512vbmi2"),
        };
        assert_eq!(registers(), expected);
    }
}
