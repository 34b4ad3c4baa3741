//! The system call itself: what a clock costs where the kernel's page of shared code is not used.

use std::io;

use libc::timespec;

use crate::clock::job::{ClockJob, reading};
use crate::clock::linux::clock_gettime::number_of;
use crate::clock::time_source::{Tells, TimeSource};
use crate::contract::Technique;

pub(in crate::clock) const SYSCALL: Technique<ClockJob> = Technique {
    calls: &["clock_gettime"],
    ..reading::<Syscall>(
        "syscall",
        "the system call clock_gettime(CLOCK_MONOTONIC), past the vDSO",
        "syscall(2), vdso(7)",
    )
};

struct Syscall;

impl TimeSource for Syscall {
    type Reading = timespec;
    const EMPTY: timespec = timespec { tv_sec: 0, tv_nsec: 0 };
    const TELLS: Tells = Tells::ElapsedTime;

    fn open() -> io::Result<Self> {
        Ok(Self)
    }

    #[inline(always)]
    fn read(&self, place: &mut timespec) {
        let place = std::ptr::from_mut(place);
        // SAFETY: the call takes the number of a clock that exists and a valid place for the answer.
        unsafe { libc::syscall(libc::SYS_clock_gettime, libc::CLOCK_MONOTONIC, place) };
    }

    #[inline(always)]
    fn number(&self, reading: &timespec) -> u64 {
        number_of(reading)
    }
}
