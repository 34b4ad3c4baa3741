//! Atomic time.

use crate::clock::job::{ClockJob, reading};
use crate::clock::linux::clock_gettime::ClockGettime;
use crate::contract::Technique;

pub(in crate::clock) const TAI: Technique<ClockJob> = Technique {
    calls: &["only clock_gettime"],
    ..reading::<ClockGettime<{ libc::CLOCK_TAI }>>(
        "tai",
        "clock_gettime(CLOCK_TAI): the time of day without leap seconds",
        "clock_gettime(2)",
    )
};
