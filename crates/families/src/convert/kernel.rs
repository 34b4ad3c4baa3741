//! What happens between reading and writing: every byte becomes two, if it is ASCII.
//!
//! A kernel looks at all bytes in the pass in which it converts them: it joins them with OR, and only when the highest
//! bit of the join is set does it look for the byte to blame. It writes little-endian units on every host.

use std::fmt;
use std::io;
use std::mem::MaybeUninit;
use std::path::{Path, PathBuf};
use std::slice;

use model::Availability;

/// Room for a unit of UTF-16. Memory is not filled with zeros only to be written once more.
pub(super) type Unit = MaybeUninit<u16>;

/// Widens bytes to units of UTF-16 in little-endian order; `to` is as long as `from`, and all of it is written.
///
/// # Errors
/// The place of the first byte above 0x7F. What then stands in `to` is of no use.
pub(super) type Kernel = fn(from: &[u8], to: &mut [Unit]) -> Result<(), usize>;

#[cfg(target_arch = "x86_64")]
use super::x86 as machine;

#[cfg(not(target_arch = "x86_64"))]
mod machine {
    //! Other processors than x86-64: what the compiler makes of the plain loop.

    use super::{Kernel, plain};

    pub(in crate::convert) fn sse2() -> Option<Kernel> {
        None
    }

    pub(in crate::convert) fn avx2() -> Option<Kernel> {
        None
    }

    pub(in crate::convert) fn avx512() -> Option<Kernel> {
        None
    }

    pub(in crate::convert) fn streaming() -> Option<Kernel> {
        None
    }

    pub(in crate::convert) fn widest() -> Kernel {
        plain
    }
}

/// A kernel for instructions that not every processor has.
pub(super) struct Special {
    of_this_processor: fn() -> Option<Kernel>,
    /// Why there is none.
    missing: &'static str,
}

const NO_AVX2: &str = "this processor has no AVX2 (x86-64 of 2013 and later, unless a hypervisor hides it)";
const NO_AVX512: &str =
    "this processor has no AVX-512BW and VL (servers of 2017 and later, unless a hypervisor hides them)";

pub(super) const SSE2: Special =
    Special { of_this_processor: machine::sse2, missing: "it needs an x86-64 processor" };
pub(super) const AVX2: Special = Special { of_this_processor: machine::avx2, missing: NO_AVX2 };
pub(super) const AVX512: Special = Special { of_this_processor: machine::avx512, missing: NO_AVX512 };
/// 256 bits that are stored past the cache.
pub(super) const STREAMING: Special = Special { of_this_processor: machine::streaming, missing: NO_AVX2 };

impl Special {
    /// The kernel.
    ///
    /// # Errors
    /// This processor has none.
    pub(super) fn kernel(&self) -> io::Result<Kernel> {
        (self.of_this_processor)().ok_or_else(|| io::Error::new(io::ErrorKind::Unsupported, self.missing))
    }

    /// Whether this processor has it.
    pub(super) fn availability(&self) -> Availability {
        match (self.of_this_processor)() {
            Some(_) => Availability::Ready,
            None => Availability::Missing(self.missing.to_owned()),
        }
    }
}

/// From this size of the source on, wider registers gain more than it costs to ask the processor for them: 13
/// microseconds a MiB against up to 20 (a Xeon of 2023 in a virtual machine).
const WORTH_ASKING_BYTES: u64 = 2 << 20;

/// The kernel of all techniques that are about moving a file of `bytes` bytes.
pub(super) fn best_for(bytes: u64) -> Kernel {
    if bytes < WORTH_ASKING_BYTES { plain } else { machine::widest() }
}

/// A loop that compilers turn into the vector instructions that every processor of an architecture has.
pub(super) fn plain(from: &[u8], to: &mut [Unit]) -> Result<(), usize> {
    widen(from, to)
}

/// The loop itself, for functions that are compiled for other instructions.
#[inline(always)]
pub(super) fn widen(from: &[u8], to: &mut [Unit]) -> Result<(), usize> {
    let mut joined: u8 = 0;
    for (unit, &byte) in to.iter_mut().zip(from) {
        unit.write(u16::from(byte).to_le());
        joined |= byte;
    }
    if joined.is_ascii() { Ok(()) } else { Err(first_bad(from)) }
}

/// Where the byte to blame is. Only called when there is one.
#[cold]
pub(super) fn first_bad(from: &[u8]) -> usize {
    from.iter().position(|byte| !byte.is_ascii()).unwrap_or(from.len())
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

/// Memory as room for units of UTF-16; it must begin at an even address and hold whole units.
pub(super) fn units_of(bytes: &mut [u8]) -> &mut [Unit] {
    // SAFETY: every pattern of 16 bits is a unit, and kernels write nothing but units.
    let (before, units, after) = unsafe { bytes.align_to_mut::<Unit>() };
    assert!(before.is_empty() && after.is_empty(), "no whole units at an even address");
    units
}

/// Memory as room for bytes that are read from a file.
pub(super) fn room_of(bytes: &mut [u8]) -> &mut [MaybeUninit<u8>] {
    // SAFETY: room for a byte has the size of a byte, and reading puts nothing but bytes there.
    unsafe { slice::from_raw_parts_mut(bytes.as_mut_ptr().cast(), bytes.len()) }
}

/// Units of UTF-16 as they are written to a file.
///
/// # Safety
/// All of them have been written.
pub(super) unsafe fn bytes_of(units: &[Unit]) -> &[u8] {
    // SAFETY: the caller vouches for the units; every byte of a unit is a byte, and bytes stand at any address.
    unsafe { slice::from_raw_parts(units.as_ptr().cast(), size_of_val(units)) }
}
