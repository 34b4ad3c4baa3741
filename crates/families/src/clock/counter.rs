//! The time stamp counter of x86.

use std::io;

#[cfg(target_arch = "x86_64")]
pub(super) use x86::{lfence_rdtsc, rdtsc, rdtscp};

/// Checks that the counter can be read, by `rdtscp` where that is asked for.
///
/// # Errors
/// The processor has no such instruction.
pub(super) fn required(with_rdtscp: bool) -> io::Result<()> {
    match has(with_rdtscp) {
        None => Ok(()),
        Some(missing) => Err(io::Error::new(io::ErrorKind::Unsupported, missing)),
    }
}

#[cfg(target_arch = "x86_64")]
fn has(with_rdtscp: bool) -> Option<&'static str> {
    (with_rdtscp && !x86::has_rdtscp()).then_some("this processor has no instruction rdtscp")
}

#[cfg(not(target_arch = "x86_64"))]
fn has(_with_rdtscp: bool) -> Option<&'static str> {
    Some("the time stamp counter is one of x86-64 processors")
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::{__cpuid, __rdtscp, _mm_lfence, _rdtsc};

    pub(in crate::clock) fn has_rdtscp() -> bool {
        const EXTENDED_FEATURES: u32 = 0x8000_0001;
        const RDTSCP: u32 = 1 << 27;
        __cpuid(0x8000_0000).eax >= EXTENDED_FEATURES && __cpuid(EXTENDED_FEATURES).edx & RDTSCP != 0
    }

    #[inline(always)]
    pub(in crate::clock) fn rdtsc() -> u64 {
        // SAFETY: every x86-64 processor has the instruction; where a system forbids it, the process ends.
        unsafe { _rdtsc() }
    }

    #[inline(always)]
    pub(in crate::clock) fn lfence_rdtsc() -> u64 {
        // SAFETY: as for `rdtsc`; the fence is part of SSE2, which every x86-64 processor has.
        unsafe {
            _mm_lfence();
            _rdtsc()
        }
    }

    #[inline(always)]
    pub(in crate::clock) fn rdtscp() -> u64 {
        let mut processor = 0;
        // SAFETY: `required` has seen that the processor has the instruction; `processor` is a place for its number.
        unsafe { __rdtscp(&raw mut processor) }
    }
}

#[cfg(not(target_arch = "x86_64"))]
pub(super) fn rdtsc() -> u64 {
    0
}

#[cfg(not(target_arch = "x86_64"))]
pub(super) fn lfence_rdtsc() -> u64 {
    0
}

#[cfg(not(target_arch = "x86_64"))]
pub(super) fn rdtscp() -> u64 {
    0
}
