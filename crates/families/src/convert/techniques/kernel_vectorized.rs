use super::convert_by_best_mover;
use crate::convert::prelude::*;
use crate::convert::special::{AVX2, AVX512, SSE2};

pub(super) const KERNEL_VECTORIZED_SSE2: Technique<ConvertJob> = Technique {
    name: "kernel_vectorized_sse2",
    idea: "the best way to move the file, and SSE2 instructions (128 bits), which every x86-64 processor has",
    source: "Intel, Intrinsics Guide, _mm_unpacklo_epi8",
    calls: &["mmap file", "write", "!read"],
    needs: "an x86-64 processor",
    probe: |_host, _setting| SSE2.availability(),
    ..Technique::usual(|job| job.done_by(|job, notes| convert_by_best_mover(job, SSE2.kernel()?, notes)))
};

pub(super) const KERNEL_VECTORIZED_AVX2: Technique<ConvertJob> = Technique {
    name: "kernel_vectorized_avx2",
    idea: "the best way to move the file, and AVX2 instructions (256 bits), asked for at run time",
    source: "Intel, Intrinsics Guide, _mm256_cvtepu8_epi16",
    calls: &["mmap file", "write", "!read"],
    needs: "an x86-64 processor with AVX2",
    probe: |_host, _setting| AVX2.availability(),
    ..Technique::usual(|job| job.done_by(|job, notes| convert_by_best_mover(job, AVX2.kernel()?, notes)))
};

pub(super) const KERNEL_VECTORIZED_AVX512: Technique<ConvertJob> = Technique {
    name: "kernel_vectorized_avx512",
    idea: "the best way to move the file, and AVX-512 instructions (512 bits), asked for at run time",
    source: "Intel, Intrinsics Guide, _mm512_cvtepu8_epi16",
    calls: &["mmap file", "write", "!read"],
    needs: "an x86-64 processor with AVX-512",
    probe: |_host, _setting| AVX512.availability(),
    ..Technique::usual(|job| job.done_by(|job, notes| convert_by_best_mover(job, AVX512.kernel()?, notes)))
};
