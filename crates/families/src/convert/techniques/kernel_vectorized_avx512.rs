use super::convert_by_best_mover;
use crate::convert::prelude::*;
use crate::convert::special::AVX512;

pub(super) const KERNEL_VECTORIZED_AVX512: Technique<ConvertJob> = Technique {
    name: "kernel_vectorized_avx512",
    idea: "the best way to move the file, and AVX-512 instructions (512 bits), asked for at run time",
    source: "Intel, Intrinsics Guide, _mm512_cvtepu8_epi16",
    calls: &["mmap file", "write", "!read"],
    needs: "an x86-64 processor with AVX-512",
    probe: |_host, _setting| AVX512.availability(),
    ..Technique::usual(|job| job.done_by(|job, notes| convert_by_best_mover(job, AVX512.kernel()?, notes)))
};
