use crate::convert::kernel::{Kernel, Unit, units_of};
use crate::convert::prelude::*;
use crate::convert::special::STREAMING;
use crate::convert::stream::{into_mapped, into_mapped_from};

pub(super) const MMAP_TO_MMAP: Technique<ConvertJob> = Technique {
    name: "mmap_to_mmap",
    idea: "the output at its full length first (fallocate; CreateFileMapping), both files mapped, mapping to mapping, \
           with the hint of sequential access on the source",
    source: "mmap(2), madvise(2); Microsoft, CreateFileMapping, FILE_FLAG_SEQUENTIAL_SCAN",
    calls: &["fallocate", "mmap MAP_SHARED", "!read", "!write"],
    ..Technique::usual(|job| job.done_by(|job, notes| convert_mapped(job, job.kernel(), notes, |_, _| ())))
};

pub(super) const MMAP_TO_MMAP_UNHINTED: Technique<ConvertJob> = Technique {
    name: "mmap_to_mmap_unhinted",
    alias: &["atouMM"],
    idea: "as mmap_to_mmap, without the hint; fallocate does on Linux what CreateFileMapping does by itself",
    source: "Hart, Windows System Programming, atouMM",
    calls: &["fallocate", "mmap MAP_SHARED", "!madvise MADV_SEQUENTIAL", "!read", "!write"],
    variant_of: Some("mmap_to_mmap"),
    ..Technique::usual(|job| {
        job.done_by(|job, notes| {
            let source = OpenFile::open(&job.source)?;
            into_mapped_from(job, &source, notes, |source, destination, bytes, _| {
                let from = SourceMapping::of_source(source, bytes)?;
                convert_from(job, job.kernel(), &from, destination, |_, _| ())
            })
        })
    })
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
        convert_from(job, kernel, &SourceMapping::sequential(source, bytes)?, destination, before_each)
    })
}

fn convert_from(
    job: &ConvertJob, kernel: Kernel, from: &[u8], destination: &OpenFile,
    before_each: impl Fn(&[u8], &mut [Unit]),
) -> io::Result<()> {
    let mut to = Mapping::of_destination(destination, 2 * from.len())?;
    let units = units_of(&mut to).chunks_mut(PIECE_BYTES);
    for ((nth, piece), units) in from.chunks(PIECE_BYTES).enumerate().zip(units) {
        before_each(piece, units);
        job.convert(kernel, (nth * PIECE_BYTES) as u64, piece, units)?;
    }
    if job.durable { to.hand_over(destination) } else { Ok(()) }
}
