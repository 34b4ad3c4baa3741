//! The time of day as standard C asks for it.

use std::io;

use libc::{c_int, timespec};

use crate::clock::job::{ClockJob, reading};
use crate::clock::time_source::{Tells, TimeSource};
use crate::contract::Technique;

pub(in crate::clock) const TIMESPEC_GET: Technique<ClockJob> = Technique {
    calls: &["only clock_gettime"],
    ..reading::<TimespecGet>(
        "timespec_get",
        "timespec_get(TIME_UTC): the time of day in nanoseconds, as standard C asks for it",
        "ISO C11, 7.27.2.5",
    )
};

const TIME_UTC: c_int = 1;

// SAFETY: the declaration is that of ISO C11 and of the C library's time.h.
unsafe extern "C" {
    fn timespec_get(place: *mut timespec, base: c_int) -> c_int;
}

struct TimespecGet;

impl TimeSource for TimespecGet {
    type Reading = timespec;
    const EMPTY: timespec = timespec { tv_sec: 0, tv_nsec: 0 };
    const TELLS: Tells = Tells::TimeOfDay;

    fn open() -> io::Result<Self> {
        Ok(Self)
    }

    #[inline(always)]
    fn read(&self, place: &mut timespec) {
        // SAFETY: `place` is a valid place for the answer.
        unsafe { timespec_get(place, TIME_UTC) };
    }

    #[inline(always)]
    fn number(&self, reading: &timespec) -> u64 {
        reading.tv_sec as u64 * 1_000_000_000 + reading.tv_nsec as u64
    }

    fn unit_ns(&self) -> Option<f64> {
        Some(1.0)
    }
}
