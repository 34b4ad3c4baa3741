//! Registers of 256 bits.

use std::io;

use model::{Availability, Class, Host, Setting};

use super::convert_by_best_mover;
use super::job::{ConvertJob, Notes};
use super::kernel::avx2;
use crate::contract::Technique;

pub(super) const KERNEL_VECTORIZED_AVX2: Technique<ConvertJob> = Technique {
    name: "kernel_vectorized_avx2",
    alias: &[],
    idea: "the best way to move the file, and AVX2 instructions (256 bits), asked for at run time",
    source: "Intel, Intrinsics Guide, _mm256_cvtepu8_epi16",
    class: Class::MovesBytes,
    ceiling: false,
    parameter: None,
    probe,
    prepare: |job| job.done_by(convert),
};

const MISSING: &str =
    "this processor has no AVX2 (x86-64 of 2013 and later, where a hypervisor lets it through)";

fn convert(job: &ConvertJob, notes: &mut Notes) -> io::Result<()> {
    match avx2() {
        Some(kernel) => convert_by_best_mover(job, kernel, notes),
        None => Err(io::Error::new(io::ErrorKind::Unsupported, MISSING)),
    }
}

fn probe(_host: &Host, _setting: &Setting) -> Availability {
    match avx2() {
        Some(_) => Availability::Ready,
        None => Availability::Missing(MISSING.to_owned()),
    }
}
