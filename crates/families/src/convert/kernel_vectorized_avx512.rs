//! Registers of 512 bits.

use std::io;

use model::{Availability, Class, Host, Setting};

use super::convert_by_best_mover;
use super::job::{ConvertJob, Notes};
use super::kernel::avx512;
use crate::contract::Technique;

pub(super) const KERNEL_VECTORIZED_AVX512: Technique<ConvertJob> = Technique {
    name: "kernel_vectorized_avx512",
    alias: &[],
    idea: "the best way to move the file, and AVX-512 instructions (512 bits), asked for at run time",
    source: "Intel, Intrinsics Guide, _mm512_cvtepu8_epi16",
    class: Class::MovesBytes,
    ceiling: false,
    parameter: None,
    probe,
    prepare: |job| job.done_by(convert),
};

const MISSING: &str = "this processor has no AVX-512BW and VL (servers of 2017 and later, where a hypervisor lets them through)";

fn convert(job: &ConvertJob, notes: &mut Notes) -> io::Result<()> {
    match avx512() {
        Some(kernel) => convert_by_best_mover(job, kernel, notes),
        None => Err(io::Error::new(io::ErrorKind::Unsupported, MISSING)),
    }
}

fn probe(_host: &Host, _setting: &Setting) -> Availability {
    match avx512() {
        Some(_) => Availability::Ready,
        None => Availability::Missing(MISSING.to_owned()),
    }
}
