//! The time of day in seconds.

use std::io;
use std::ptr::null_mut;

use libc::time_t;

use crate::clock::job::{ClockJob, coarse};
use crate::clock::time_source::{Tells, TimeSource};
use crate::contract::Technique;

pub(in crate::clock) const TIME: Technique<ClockJob> = Technique {
    calls: &["only time|gettimeofday|clock_gettime"],
    ..coarse::<Time>("time", "time: the second of the last tick", "time(2)")
};

struct Time;

impl TimeSource for Time {
    type Reading = time_t;
    const EMPTY: time_t = 0;
    const TELLS: Tells = Tells::TimeOfDay;

    fn open() -> io::Result<Self> {
        Ok(Self)
    }

    #[inline(always)]
    fn read(&self, place: &mut time_t) {
        // SAFETY: no place is given; the answer is the value.
        *place = unsafe { libc::time(null_mut()) };
    }

    #[inline(always)]
    fn number(&self, reading: &time_t) -> u64 {
        *reading as u64
    }

    fn unit_ns(&self) -> Option<f64> {
        Some(1e9)
    }
}
