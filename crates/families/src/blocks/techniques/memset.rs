//! The functions of the C library.

use std::ffi::c_int;

use crate::blocks::job::{BlocksJob, Way, looping};
use crate::blocks::kernels::{Kernels, Work};
use crate::contract::Technique;

pub(super) const MEMSET: Technique<BlocksJob> = looping::<Memset>(
    "memset",
    "the C library's memset, and its memcpy for a copy",
    "ISO C; perf bench mem memset",
);

struct Memset;

impl Way for Memset {
    const WORKS: &'static [Work] = &[Work::Write, Work::Copy];

    fn kernels() -> Result<Kernels, String> {
        Ok(Kernels { write: Some(write), copy: Some(copy), ..Kernels::default() })
    }
}

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
