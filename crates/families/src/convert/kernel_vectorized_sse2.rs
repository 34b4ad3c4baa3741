//! Registers of 128 bits.

use std::io;

use model::{Availability, Class, Host, Setting};

use super::convert_by_best_mover;
use super::job::{ConvertJob, Notes};
use super::kernel::sse2;
use crate::contract::Technique;

pub(super) const KERNEL_VECTORIZED_SSE2: Technique<ConvertJob> = Technique {
    name: "kernel_vectorized_sse2",
    alias: &[],
    idea: "the best way to move the file, and SSE2 instructions (128 bits), which every x86-64 processor has",
    source: "Intel, Intrinsics Guide, _mm_unpacklo_epi8",
    class: Class::MovesBytes,
    ceiling: false,
    parameter: None,
    probe,
    prepare: |job| job.done_by(convert),
};

const MISSING: &str = "it needs an x86-64 processor";

fn convert(job: &ConvertJob, notes: &mut Notes) -> io::Result<()> {
    match sse2() {
        Some(kernel) => convert_by_best_mover(job, kernel, notes),
        None => Err(io::Error::new(io::ErrorKind::Unsupported, MISSING)),
    }
}

fn probe(_host: &Host, _setting: &Setting) -> Availability {
    match sse2() {
        Some(_) => Availability::Ready,
        None => Availability::Missing(MISSING.to_owned()),
    }
}
