//! The time of day in microseconds, as programs asked for it before `clock_gettime`.

use std::io;
use std::ptr::null_mut;

use libc::timeval;

use crate::clock::job::{ClockJob, reading};
use crate::clock::time_source::{Tells, TimeSource};
use crate::contract::Technique;

pub(in crate::clock) const GETTIMEOFDAY: Technique<ClockJob> = Technique {
    calls: &["only gettimeofday|clock_gettime"],
    ..reading::<Gettimeofday>(
        "gettimeofday",
        "gettimeofday: the time of day in microseconds",
        "Bradford, High-performance programming techniques on Linux and Windows 2000, part 1 (developerWorks, 2001)",
    )
};

struct Gettimeofday;

impl TimeSource for Gettimeofday {
    type Reading = timeval;
    const EMPTY: timeval = timeval { tv_sec: 0, tv_usec: 0 };
    const TELLS: Tells = Tells::TimeOfDay;

    fn open() -> io::Result<Self> {
        Ok(Self)
    }

    #[inline(always)]
    fn read(&self, place: &mut timeval) {
        // SAFETY: `place` is a valid place for the answer; the time zone is not asked for.
        unsafe { libc::gettimeofday(place, null_mut()) };
    }

    #[inline(always)]
    fn number(&self, reading: &timeval) -> u64 {
        reading.tv_sec as u64 * 1_000_000 + reading.tv_usec as u64
    }

    fn unit_ns(&self) -> Option<f64> {
        Some(1e3)
    }
}
