//! The processor time of all threads.

use crate::clock::job::{ClockJob, reading};
use crate::clock::linux::clock_gettime::ClockGettime;
use crate::contract::Technique;

pub(in crate::clock) const PROCESS_CPUTIME: Technique<ClockJob> = Technique {
    calls: &["clock_gettime"],
    ..reading::<ClockGettime<{ libc::CLOCK_PROCESS_CPUTIME_ID }>>(
        "process_cputime",
        "clock_gettime(CLOCK_PROCESS_CPUTIME_ID): processor time of the process",
        "clock_gettime(2)",
    )
};
