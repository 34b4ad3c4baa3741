//! The instructions of x86-64.
//!
//! The loops are written in assembly: of loops in Rust, also of intrinsics, the compiler may make calls of `memset` and
//! `memcpy`. Each turn handles four registers.

mod streaming;
mod string;
mod vectors;

use super::kernels::Kernels;

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

pub(super) fn sse2() -> Result<Kernels, String> {
    Ok(vectors::kernels::<vectors::Sse2>())
}

/// The same with each line asked for before its turn.
pub(super) fn prefetching() -> Result<Kernels, String> {
    Ok(vectors::kernels::<vectors::Prefetching>())
}

pub(super) fn avx2() -> Result<Kernels, String> {
    let kernels = is_x86_feature_detected!("avx2").then(vectors::kernels::<vectors::Avx2>);
    kernels.ok_or_else(|| "this processor has no AVX2".to_owned())
}

pub(super) fn avx512() -> Result<Kernels, String> {
    let kernels = is_x86_feature_detected!("avx512f").then(vectors::kernels::<vectors::Avx512>);
    kernels.ok_or_else(|| "this processor has no AVX-512".to_owned())
}

pub(super) fn string() -> Result<Kernels, String> {
    Ok(Kernels { write: Some(string::write), copy: Some(string::copy), ..Kernels::default() })
}

pub(super) fn streaming() -> Result<Kernels, String> {
    Ok(Kernels {
        write: Some(streaming::write),
        copy: Some(streaming::copy),
        fence: Some(streaming::fence),
        ..Kernels::default()
    })
}

pub(super) fn widest() -> Result<Kernels, String> {
    avx512().or_else(|_| avx2()).or_else(|_| sse2())
}
