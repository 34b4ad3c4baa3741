use super::convert_by_best_mover;
use crate::convert::prelude::*;
use crate::convert::special::SSE2;

pub(super) const KERNEL_VECTORIZED_SSE2: Technique<ConvertJob> = Technique {
    name: "kernel_vectorized_sse2",
    idea: "the best way to move the file, and SSE2 instructions (128 bits), which every x86-64 processor has",
    source: "Intel, Intrinsics Guide, _mm_unpacklo_epi8",
    calls: &["mmap file", "write", "!read"],
    needs: "an x86-64 processor",
    probe: |_host, _setting| SSE2.availability(),
    ..Technique::usual(|job| job.done_by(|job, notes| convert_by_best_mover(job, SSE2.kernel()?, notes)))
};
