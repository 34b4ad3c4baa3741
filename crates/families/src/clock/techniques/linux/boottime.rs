//! The clock that goes on while the machine sleeps.

use crate::clock::job::{ClockJob, reading};
use crate::clock::linux::clock_gettime::ClockGettime;
use crate::contract::Technique;

pub(in crate::clock) const BOOTTIME: Technique<ClockJob> = Technique {
    calls: &["only clock_gettime"],
    ..reading::<ClockGettime<{ libc::CLOCK_BOOTTIME }>>(
        "boottime",
        "clock_gettime(CLOCK_BOOTTIME): since boot, with the time asleep",
        "clock_gettime(2)",
    )
};
