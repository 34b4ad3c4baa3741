//! `clock_gettime`, for every clock that Linux numbers.

use std::io;

use libc::{clockid_t, timespec};

use crate::clock::job::ClockJob;
use crate::clock::time_source::{Measures, TimeSource};
use crate::contract::Technique;

pub(in crate::clock) const fn by_number<const ID: clockid_t>() -> Technique<ClockJob> {
    Technique {
        source: "clock_gettime(2)",
        calls: &["only clock_gettime"],
        ..Technique::usual(ClockJob::prepared::<ClockGettime<ID>>)
    }
}

struct ClockGettime<const ID: clockid_t>;

impl<const ID: clockid_t> TimeSource for ClockGettime<ID> {
    type Reading = timespec;
    const EMPTY: timespec = NO_TIME;
    const MEASURES: Measures = match ID {
        libc::CLOCK_REALTIME | libc::CLOCK_REALTIME_COARSE | libc::CLOCK_TAI => Measures::TimeOfDay,
        libc::CLOCK_PROCESS_CPUTIME_ID => Measures::ProcessTime,
        libc::CLOCK_THREAD_CPUTIME_ID => Measures::ThreadTime,
        _ => Measures::ElapsedTime,
    };

    fn open() -> io::Result<Self> {
        let mut time = Self::EMPTY;
        // SAFETY: `time` is a valid place for the answer.
        match unsafe { libc::clock_gettime(ID, &raw mut time) } {
            0 => Ok(Self),
            _ => Err(io::Error::last_os_error()),
        }
    }

    #[inline(always)]
    fn read(&self, place: &mut timespec) {
        // SAFETY: `place` is a valid place for the answer; the clock exists, or `open` had refused it.
        unsafe { libc::clock_gettime(ID, place) };
    }

    #[inline(always)]
    fn number(&self, reading: &timespec) -> u64 {
        number_of(reading)
    }

    fn stated_resolution_ns(&self) -> Option<f64> {
        let mut step = Self::EMPTY;
        // SAFETY: `step` is a valid place for the answer.
        let asked = unsafe { libc::clock_getres(ID, &raw mut step) };
        (asked == 0).then(|| number_of(&step) as f64)
    }
}

pub(in crate::clock) const NO_TIME: timespec = timespec { tv_sec: 0, tv_nsec: 0 };

#[inline(always)]
pub(in crate::clock) fn number_of(time: &timespec) -> u64 {
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}
