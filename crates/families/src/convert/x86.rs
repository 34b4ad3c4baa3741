//! The plain loop, compiled for the three generations of vector registers of x86-64.
//!
//! Compilers make of it what one would write by hand (`vpmovzxbw`, four registers in a turn): intrinsics were tried and
//! were not faster.

use std::arch::x86_64::{__cpuid, __cpuid_count, _xgetbv};

use super::kernel::{Kernel, plain, widen};

/// 128 bits, which are part of every x86-64 processor.
pub(super) fn sse2() -> Option<Kernel> {
    Some(plain)
}

/// 256 bits, where the processor has them.
pub(super) fn avx2() -> Option<Kernel> {
    is_x86_feature_detected!("avx2").then_some(checked_avx2)
}

/// 512 bits, where the processor has them.
pub(super) fn avx512() -> Option<Kernel> {
    (is_x86_feature_detected!("avx512bw") && is_x86_feature_detected!("avx512vl")).then_some(checked_avx512)
}

/// The widest registers that cost nothing else.
pub(super) fn widest() -> Kernel {
    match width() {
        Width::Sse2 => plain,
        Width::Avx2 => checked_avx2,
        Width::Avx512 => checked_avx512,
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Width {
    Sse2,
    Avx2,
    Avx512,
}

/// Asks for these registers only: each question takes 9 microseconds where a hypervisor answers, and the standard
/// library asks seven.
fn width() -> Width {
    const AVX_AND_XGETBV: u32 = 1 << 28 | 1 << 27;
    const XMM_AND_YMM: u64 = 0b110;
    const OPMASK_AND_ZMM: u64 = 0b1110_0000;
    const AVX2: u32 = 1 << 5;
    const AVX512_F_BW_VL: u32 = 1 << 16 | 1 << 30 | 1 << 31;
    /// Processors from 2019 on, which do not slow down for 512 bits as those before them did.
    const AVX512_VBMI2: u32 = 1 << 6;
    let has = |all: u32, bits: u32| all & bits == bits;
    if !has(__cpuid(1).ecx, AVX_AND_XGETBV) {
        return Width::Sse2;
    }
    // SAFETY: the processor knows the instruction, and the system has turned it on.
    let kept = unsafe { registers_kept_by_the_system() };
    if kept & XMM_AND_YMM != XMM_AND_YMM {
        return Width::Sse2;
    }
    let features = __cpuid_count(7, 0);
    let keeps_zmm = kept & OPMASK_AND_ZMM == OPMASK_AND_ZMM;
    if keeps_zmm && has(features.ebx, AVX512_F_BW_VL) && has(features.ecx, AVX512_VBMI2) {
        Width::Avx512
    } else if has(features.ebx, AVX2) {
        Width::Avx2
    } else {
        Width::Sse2
    }
}

#[target_feature(enable = "xsave")]
fn registers_kept_by_the_system() -> u64 {
    // SAFETY: register 0 is there wherever the instruction is.
    unsafe { _xgetbv(0) }
}

fn checked_avx2(from: &[u8], to: &mut [u16]) -> Result<(), usize> {
    // SAFETY: it is given out only where the processor knows the instructions.
    unsafe { widen_by_avx2(from, to) }
}

fn checked_avx512(from: &[u8], to: &mut [u16]) -> Result<(), usize> {
    // SAFETY: it is given out only where the processor knows the instructions.
    unsafe { widen_by_avx512(from, to) }
}

#[target_feature(enable = "avx2")]
fn widen_by_avx2(from: &[u8], to: &mut [u16]) -> Result<(), usize> {
    widen(from, to)
}

#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
fn widen_by_avx512(from: &[u8], to: &mut [u16]) -> Result<(), usize> {
    widen(from, to)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_short_question_is_answered_like_the_long_one() {
        let newer = is_x86_feature_detected!("avx512vbmi2") && avx512().is_some();
        let expected = match (newer, avx2()) {
            (true, _) => Width::Avx512,
            (false, Some(_)) => Width::Avx2,
            (false, None) => Width::Sse2,
        };
        assert_eq!(width(), expected);
    }
}
