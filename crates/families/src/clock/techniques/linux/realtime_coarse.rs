//! The time of day at the kernel's last tick: no counter is read.

use crate::clock::job::{ClockJob, coarse};
use crate::clock::linux::clock_gettime::ClockGettime;
use crate::contract::Technique;

pub(in crate::clock) const REALTIME_COARSE: Technique<ClockJob> = Technique {
    calls: &["only clock_gettime"],
    ..coarse::<ClockGettime<{ libc::CLOCK_REALTIME_COARSE }>>(
        "realtime_coarse",
        "clock_gettime(CLOCK_REALTIME_COARSE): the time of day at the last tick",
        "clock_gettime(2)",
    )
};
