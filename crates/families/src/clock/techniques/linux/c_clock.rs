//! Processor time as the C standard knows it.

use std::io;

use libc::clock_t;

use crate::clock::job::{ClockJob, reading};
use crate::clock::time_source::{Tells, TimeSource};
use crate::contract::Technique;

pub(in crate::clock) const C_CLOCK: Technique<ClockJob> = Technique {
    calls: &["clock_gettime"],
    ..reading::<CClock>(
        "c_clock",
        "clock(): processor time of the process in microseconds",
        "the C standard, clock",
    )
};

unsafe extern "C" {
    /// `clock` of the C library.
    safe fn clock() -> clock_t;
}

struct CClock;

impl TimeSource for CClock {
    type Reading = clock_t;
    const EMPTY: clock_t = 0;
    const TELLS: Tells = Tells::ProcessTime;

    fn open() -> io::Result<Self> {
        Ok(Self)
    }

    #[inline(always)]
    fn read(&self, place: &mut clock_t) {
        *place = clock();
    }

    #[inline(always)]
    fn number(&self, reading: &clock_t) -> u64 {
        *reading as u64
    }

    /// `CLOCKS_PER_SEC` is a million on every POSIX system.
    fn unit_ns(&self) -> Option<f64> {
        Some(1e3)
    }
}
