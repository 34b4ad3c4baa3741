//! Registers of 256 bits.

use std::io;

use super::convert_by_best_mover;
use crate::contract::Technique;
use crate::convert::job::{ConvertJob, Notes};
use crate::convert::kernel::Kernel;
use crate::convert::special::AVX2;

pub(super) const KERNEL_VECTORIZED_AVX2: Technique<ConvertJob> = Technique {
    name: "kernel_vectorized_avx2",
    idea: "the best way to move the file, and AVX2 instructions (256 bits), asked for at run time",
    source: "Intel, Intrinsics Guide, _mm256_cvtepu8_epi16",
    calls: &["mmap file", "write", "!read"],
    needs: "an x86-64 processor with AVX2",
    probe: |_host, _setting| AVX2.availability(),
    ..Technique::usual(|job| job.done_by(convert))
};

fn convert(job: &ConvertJob, notes: &mut Notes) -> io::Result<()> {
    let kernel: Kernel = AVX2.kernel()?;
    convert_by_best_mover(job, kernel, notes)
}
