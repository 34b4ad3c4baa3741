//! Processors that are no x86-64: their vector registers are left to the compiler and the C library.

use super::kernels::{Kernels, PLAIN};

pub(super) use missing as sse2;
pub(super) use missing as prefetching;
pub(super) use missing as avx2;
pub(super) use missing as avx512;
pub(super) use missing as string;
pub(super) use missing as streaming;

pub(super) fn missing() -> Result<Kernels, String> {
    Err("its instructions are those of x86-64 processors".to_owned())
}

pub(super) fn widest() -> Result<Kernels, String> {
    Ok(PLAIN)
}
