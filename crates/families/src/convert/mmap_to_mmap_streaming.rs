//! Both files are mapped, and the output's units do not pass through the processor's cache.

use std::io;

use model::{Availability, Class, Host, Setting};

use super::job::{ConvertJob, Notes};
use super::kernel::streaming;
use super::mmap_to_mmap::convert_mapped;
use crate::contract::Technique;

pub(super) const MMAP_TO_MMAP_STREAMING: Technique<ConvertJob> = Technique {
    name: "mmap_to_mmap_streaming",
    alias: &[],
    idea: "as mmap_to_mmap, with AVX2 instructions that store past the cache (vmovntdq)",
    source: "Intel, Intrinsics Guide, _mm256_stream_si256",
    class: Class::MovesBytes,
    ceiling: false,
    parameter: None,
    probe,
    prepare: |job| job.done_by(convert),
};

const MISSING: &str =
    "this processor has no AVX2 (x86-64 of 2013 and later, where a hypervisor lets it through)";

fn convert(job: &ConvertJob, notes: &mut Notes) -> io::Result<()> {
    match streaming() {
        Some(kernel) => convert_mapped(job, kernel, notes, |_, _| ()),
        None => Err(io::Error::new(io::ErrorKind::Unsupported, MISSING)),
    }
}

fn probe(_host: &Host, _setting: &Setting) -> Availability {
    match streaming() {
        Some(_) => Availability::Ready,
        None => Availability::Missing(MISSING.to_owned()),
    }
}
