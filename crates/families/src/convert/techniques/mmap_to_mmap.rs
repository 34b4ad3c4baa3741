use crate::convert::kernel::{Kernel, Unit, units_of};
use crate::convert::prelude::*;
use crate::convert::special::STREAMING;
use crate::convert::stream::into_mapped;

pub(super) const MMAP_TO_MMAP: Technique<ConvertJob> = Technique {
    name: "mmap_to_mmap",
    alias: &["atouMM"],
    idea: "the output at its full length first (fallocate; CreateFileMapping), both files mapped, mapping to mapping",
    source: "Hart, Windows System Programming, atouMM; mmap(2); Microsoft, CreateFileMapping",
    calls: &["fallocate", "mmap MAP_SHARED", "!read", "!write"],
    ..Technique::usual(|job| job.done_by(|job, notes| convert_mapped(job, job.kernel(), notes, |_, _| ())))
};

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

/// Input converted in one go: a bad byte in the middle of a large file is seen soon.
pub(super) const PIECE_BYTES: usize = 1 << 20;

pub(super) fn convert_mapped(
    job: &ConvertJob, kernel: Kernel, notes: &mut Notes, before_each: impl Fn(&[u8], &mut [Unit]),
) -> io::Result<()> {
    into_mapped(job, notes, |source, destination, bytes, _| {
        let from = SourceMapping::sequential(source, bytes)?;
        let mut to = Mapping::of_destination(destination, 2 * bytes as usize)?;
        let units = units_of(&mut to).chunks_mut(PIECE_BYTES);
        for ((nth, piece), units) in from.chunks(PIECE_BYTES).enumerate().zip(units) {
            before_each(piece, units);
            job.convert(kernel, (nth * PIECE_BYTES) as u64, piece, units)?;
        }
        if job.durable { to.hand_over(destination) } else { Ok(()) }
    })
}
