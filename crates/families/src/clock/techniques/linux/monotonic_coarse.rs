//! The time since boot at the kernel's last tick: no counter is read.

use crate::clock::job::{ClockJob, coarse};
use crate::clock::linux::clock_gettime::ClockGettime;
use crate::contract::Technique;

pub(in crate::clock) const MONOTONIC_COARSE: Technique<ClockJob> = Technique {
    calls: &["only clock_gettime"],
    ..coarse::<ClockGettime<{ libc::CLOCK_MONOTONIC_COARSE }>>(
        "monotonic_coarse",
        "clock_gettime(CLOCK_MONOTONIC_COARSE): the time since boot at the last tick",
        "clock_gettime(2)",
    )
};
