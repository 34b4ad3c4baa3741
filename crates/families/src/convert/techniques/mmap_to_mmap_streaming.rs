use super::mmap_to_mmap::convert_mapped;
use crate::convert::prelude::*;
use crate::convert::special::STREAMING;

pub(super) const MMAP_TO_MMAP_STREAMING: Technique<ConvertJob> = Technique {
    name: "mmap_to_mmap_streaming",
    idea: "as mmap_to_mmap, with AVX2 instructions that store past the cache (vmovntdq)",
    source: "Intel, Intrinsics Guide, _mm256_stream_si256",
    calls: &["fallocate", "mmap MAP_SHARED", "!read", "!write"],
    needs: "an x86-64 processor with AVX2",
    probe: |_host, _setting| STREAMING.availability(),
    ..Technique::usual(|job| {
        job.done_by(|job, notes| convert_mapped(job, STREAMING.kernel()?, notes, |_, _| ()))
    })
};
