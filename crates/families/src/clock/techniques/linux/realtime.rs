//! The time of day, in nanoseconds.

use crate::clock::job::{ClockJob, reading};
use crate::clock::linux::clock_gettime::ClockGettime;
use crate::contract::Technique;

pub(in crate::clock) const REALTIME: Technique<ClockJob> = Technique {
    calls: &["only clock_gettime"],
    ..reading::<ClockGettime<{ libc::CLOCK_REALTIME }>>(
        "realtime",
        "clock_gettime(CLOCK_REALTIME): the time of day",
        "clock_gettime(2)",
    )
};
