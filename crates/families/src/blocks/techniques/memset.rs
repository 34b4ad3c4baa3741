use std::ffi::c_int;

use crate::blocks::kernels::Kernels;
use crate::blocks::prelude::*;

pub(super) const MEMSET: Technique<BlocksJob> = Technique {
    name: "memset",
    idea: "the C library's memset, and its memcpy for a copy",
    source: "ISO C; perf bench mem memset",
    suits: writes_and_copies,
    ..looping(|job| {
        job.done_by(Ok(Kernels { write: Some(write), copy: Some(copy), ..Kernels::default() }), Pages::Base)
    })
};

/// The value is a byte four times.
fn write(to: &mut [u32], value: u32) {
    // SAFETY: this many bytes are borrowed for writing.
    unsafe { libc::memset(to.as_mut_ptr().cast(), (value & 0xFF) as c_int, size_of_val(to)) };
}

fn copy(from: &[u32], to: &mut [u32]) {
    let bytes = size_of_val(from).min(size_of_val(to));
    // SAFETY: this many bytes are borrowed for reading and as many for writing, apart from each other.
    unsafe { libc::memcpy(to.as_mut_ptr().cast(), from.as_ptr().cast(), bytes) };
}
