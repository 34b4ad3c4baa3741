//! The time stamp counter of x86.

use std::io;

use crate::files::unsupported;

pub(super) use processor::{lfence_rdtsc, rdtsc, rdtscp};

/// Refuses a processor without the counter, or without `rdtscp` where that is asked for.
pub(super) fn required(with_rdtscp: bool) -> io::Result<()> {
    let missing = if cfg!(not(target_arch = "x86_64")) {
        "the time stamp counter is one of x86-64 processors"
    } else if with_rdtscp && !processor::has_rdtscp() {
        "this processor has no instruction rdtscp"
    } else {
        return Ok(());
    };
    Err(unsupported(missing))
}

#[cfg(target_arch = "x86_64")]
mod processor {
    use std::arch::x86_64::{__cpuid, __rdtscp, _mm_lfence, _rdtsc};

    pub(super) fn has_rdtscp() -> bool {
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

/// Stands in for the counter of x86-64; none of it is called.
#[cfg(not(target_arch = "x86_64"))]
mod processor {
    pub(in crate::clock) use rdtsc as lfence_rdtsc;
    pub(in crate::clock) use rdtsc as rdtscp;

    pub(super) fn has_rdtscp() -> bool {
        false
    }

    pub(in crate::clock) fn rdtsc() -> u64 {
        0
    }
}
