use std::ffi::c_int;

use crate::blocks::kernels::{self, Kernels};
use crate::blocks::prelude::*;

pub(super) const PLAIN: Technique<BlocksJob> = Technique {
    name: "plain",
    idea: "a load or store of 4 bytes at a time, which the compiler may neither join nor replace",
    source: "the published programs for looping and sub-looping",
    ..looping(|job| job.done_by(Ok(kernels::PLAIN), Pages::Base))
};

pub(super) const STD_SLICE: Technique<BlocksJob> = Technique {
    name: "std_slice",
    idea: "fill, copy_from_slice and loops over slices: the compiler chooses the instructions",
    source: "Rust's standard library",
    ..looping(|job| job.done_by(Ok(KERNELS), Pages::Base))
};

pub(super) const MEMSET: Technique<BlocksJob> = Technique {
    name: "memset",
    idea: "the C library's memset, and its memcpy for a copy",
    source: "ISO C; perf bench mem memset",
    suits: writes_and_copies,
    ..looping(|job| {
        job.done_by(Ok(Kernels { write: Some(write), copy: Some(copy), ..Kernels::default() }), Pages::Base)
    })
};

const KERNELS: Kernels = Kernels {
    write: Some(|to, value| to.fill(value)),
    read: Some(|from| from.iter().fold(0, |sum: u32, word| sum.wrapping_add(*word))),
    update: Some(|words| words.iter_mut().for_each(|word| *word = word.wrapping_add(1))),
    copy: Some(|from, to| to.copy_from_slice(from)),
    fence: None,
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
