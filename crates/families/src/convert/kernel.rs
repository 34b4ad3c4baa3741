//! What happens between reading and writing: every byte becomes two, if it is ASCII.
//!
//! A kernel looks at all bytes in the pass in which it converts them: it joins them with OR, and only when the highest
//! bit of the join is set does it look for the byte to blame. It writes little-endian units on every host.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// Widens bytes to units of UTF-16 in little-endian order; `to` is as long as `from`.
///
/// # Errors
/// The place of the first byte above 0x7F. What then stands in `to` is of no use.
pub(super) type Kernel = fn(from: &[u8], to: &mut [u16]) -> Result<(), usize>;

#[cfg(target_arch = "x86_64")]
use super::x86 as machine;

#[cfg(not(target_arch = "x86_64"))]
mod machine {
    //! Other processors than x86-64: what the compiler makes of the plain loop.

    use super::{Kernel, judged, widen_plainly};

    pub(in crate::convert) const BASELINE: Kernel = |from, to| judged(from, widen_plainly(from, to));

    pub(in crate::convert) fn sse2() -> Option<Kernel> {
        None
    }

    pub(in crate::convert) fn avx2() -> Option<Kernel> {
        None
    }

    pub(in crate::convert) fn avx512() -> Option<Kernel> {
        None
    }
}

/// The kernel of all techniques that are about moving files: the registers that every processor of this architecture
/// has, so that nobody has to ask the processor.
///
/// Wider registers were tried: they convert up to twice as much from the nearest cache, but a piece of a file comes
/// from the next one, and from there on all are equally fast (20 GB of input a second on a Xeon of 2023). Asking
/// (`CPUID`) takes 60 microseconds where a hypervisor answers, more than is ever gained.
pub(super) const BASELINE: Kernel = machine::BASELINE;

pub(super) use machine::{avx2, avx512, sse2};

/// A loop that compilers turn into vector instructions; gives whether all bytes are ASCII.
#[inline]
pub(super) fn widen_plainly(from: &[u8], to: &mut [u16]) -> bool {
    let mut joined: u8 = 0;
    for (unit, &byte) in to.iter_mut().zip(from) {
        *unit = u16::from(byte).to_le();
        joined |= byte;
    }
    joined.is_ascii()
}

/// What a kernel answers once it knows whether all of `from` is ASCII.
pub(super) fn judged(from: &[u8], is_ascii: bool) -> Result<(), usize> {
    if is_ascii {
        return Ok(());
    }
    match from.iter().position(|byte| !byte.is_ascii()) {
        Some(place) => Err(place),
        None => Ok(()),
    }
}

/// A byte that has no place in a file of ASCII.
#[derive(Debug)]
pub(super) struct NotAscii {
    path: PathBuf,
    offset: u64,
    byte: u8,
}

impl NotAscii {
    /// The error for a byte at `offset` of a file.
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

/// Memory as units of UTF-16; it must begin at an even address and hold whole units.
pub(super) fn units_of(bytes: &mut [u8]) -> &mut [u16] {
    // SAFETY: every pattern of 16 bits is a unit.
    let (before, units, after) = unsafe { bytes.align_to_mut::<u16>() };
    assert!(before.is_empty() && after.is_empty(), "no whole units at an even address");
    units
}

/// Units of UTF-16 as they are written to a file.
pub(super) fn bytes_of(units: &[u16]) -> &[u8] {
    // SAFETY: every byte of a unit is a byte, and bytes stand at any address.
    let (_, bytes, _) = unsafe { units.align_to::<u8>() };
    bytes
}
