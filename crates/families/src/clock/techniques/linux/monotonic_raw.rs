//! The clock that no time daemon corrects. This tool measures with it.

use crate::clock::job::{ClockJob, reading};
use crate::clock::linux::clock_gettime::ClockGettime;
use crate::contract::Technique;

pub(in crate::clock) const MONOTONIC_RAW: Technique<ClockJob> = Technique {
    calls: &["only clock_gettime"],
    ..reading::<ClockGettime<{ libc::CLOCK_MONOTONIC_RAW }>>(
        "monotonic_raw",
        "clock_gettime(CLOCK_MONOTONIC_RAW): since boot, never slewed",
        "clock_gettime(2)",
    )
};
