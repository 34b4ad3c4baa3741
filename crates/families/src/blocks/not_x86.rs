//! Processors that are no x86-64: their vector registers are left to the compiler and the C library.

use super::kernels::{Kernels, PLAIN};

fn missing() -> Result<Kernels, String> {
    Err("its instructions are those of x86-64 processors".to_owned())
}

pub(super) fn sse2() -> Result<Kernels, String> {
    missing()
}

pub(super) fn prefetching() -> Result<Kernels, String> {
    missing()
}

pub(super) fn avx2() -> Result<Kernels, String> {
    missing()
}

pub(super) fn avx512() -> Result<Kernels, String> {
    missing()
}

pub(super) fn string() -> Result<Kernels, String> {
    missing()
}

pub(super) fn streaming() -> Result<Kernels, String> {
    missing()
}

/// The plain loop, which every processor has.
pub(super) fn widest() -> Result<Kernels, String> {
    Ok(PLAIN)
}
