use super::convert_by_best_mover;
use crate::convert::prelude::*;
use crate::convert::special::AVX2;

pub(super) const KERNEL_VECTORIZED_AVX2: Technique<ConvertJob> = Technique {
    name: "kernel_vectorized_avx2",
    idea: "the best way to move the file, and AVX2 instructions (256 bits), asked for at run time",
    source: "Intel, Intrinsics Guide, _mm256_cvtepu8_epi16",
    calls: &["mmap file", "write", "!read"],
    needs: "an x86-64 processor with AVX2",
    probe: |_host, _setting| AVX2.availability(),
    ..Technique::usual(|job| job.done_by(|job, notes| convert_by_best_mover(job, AVX2.kernel()?, notes)))
};
