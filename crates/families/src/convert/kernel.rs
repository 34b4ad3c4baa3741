//! What happens between reading and writing: every byte becomes two, if it is ASCII.
//!
//! A kernel looks at all bytes in the pass in which it converts them: it joins them with OR, and only when the highest
//! bit of the join is set does it look for the byte to blame. It writes little-endian units on every host.

use std::fmt;
use std::io;
use std::mem::MaybeUninit;
use std::path::{Path, PathBuf};
use std::slice;

/// Room for a unit of UTF-16. Memory is not filled with zeros only to be written once more.
pub(super) type Unit = MaybeUninit<u16>;

/// Widens bytes to units of UTF-16 in little-endian order. `to` is as long as `from`, and all of it is written. The error is the
/// place of the first byte above 0x7F; what then stands in `to` is of no use.
pub(super) type Kernel = fn(from: &[u8], to: &mut [Unit]) -> Result<(), usize>;

pub(super) fn plain(from: &[u8], to: &mut [Unit]) -> Result<(), usize> {
    widen(from, to)
}

/// Widens in a loop, for functions that are compiled for other instructions.
#[inline(always)]
pub(super) fn widen(from: &[u8], to: &mut [Unit]) -> Result<(), usize> {
    let mut joined: u8 = 0;
    for (unit, &byte) in to.iter_mut().zip(from) {
        unit.write(u16::from(byte).to_le());
        joined |= byte;
    }
    if joined.is_ascii() { Ok(()) } else { Err(first_bad(from)) }
}

/// Returns the place of the byte to blame. Only called when there is one.
#[cold]
pub(super) fn first_bad(from: &[u8]) -> usize {
    from.iter().position(|byte| !byte.is_ascii()).unwrap_or(from.len())
}

#[derive(Debug)]
pub(super) struct NotAscii {
    path: PathBuf,
    offset: u64,
    byte: u8,
}

impl NotAscii {
    pub(super) fn at(path: &Path, offset: u64, byte: u8) -> io::Error {
        io::Error::new(io::ErrorKind::InvalidData, Self { path: path.to_owned(), offset, byte })
    }
}

impl fmt::Display for NotAscii {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { path, offset, byte } = self;
        write!(
            f,
            "convert {}: the byte at offset {offset} is 0x{byte:02X}, and ASCII ends at 0x7F",
            path.display()
        )
    }
}

impl std::error::Error for NotAscii {}

/// Returns memory as room for units of UTF-16; it must begin at an even address and hold whole units.
pub(super) fn units_of(bytes: &mut [u8]) -> &mut [Unit] {
    // SAFETY: every pattern of 16 bits is a unit, and kernels write nothing but units.
    let (before, units, after) = unsafe { bytes.align_to_mut::<Unit>() };
    assert!(before.is_empty() && after.is_empty(), "no whole units at an even address");
    units
}

/// Units of UTF-16 as they are written to a file.
///
/// # Safety
/// All of them have been written.
pub(super) unsafe fn bytes_of(units: &[Unit]) -> &[u8] {
    // SAFETY: the caller vouches for the units; every byte of a unit is a byte, and bytes stand at any address.
    unsafe { slice::from_raw_parts(units.as_ptr().cast(), size_of_val(units)) }
}
