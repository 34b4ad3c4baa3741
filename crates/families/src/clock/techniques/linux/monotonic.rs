//! The clock for most purposes.

use crate::clock::job::{ClockJob, reading};
use crate::clock::linux::clock_gettime::ClockGettime;
use crate::contract::Technique;

pub(in crate::clock) const MONOTONIC: Technique<ClockJob> = Technique {
    calls: &["only clock_gettime"],
    ..reading::<ClockGettime<{ libc::CLOCK_MONOTONIC }>>(
        "monotonic",
        "clock_gettime(CLOCK_MONOTONIC): since boot, slewed as the time of day is, without sleep",
        "clock_gettime(2)",
    )
};
