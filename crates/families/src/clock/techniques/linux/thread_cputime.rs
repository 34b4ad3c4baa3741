//! The processor time of the calling thread.

use crate::clock::job::{ClockJob, reading};
use crate::clock::linux::clock_gettime::ClockGettime;
use crate::contract::Technique;

pub(in crate::clock) const THREAD_CPUTIME: Technique<ClockJob> = Technique {
    calls: &["clock_gettime"],
    ..reading::<ClockGettime<{ libc::CLOCK_THREAD_CPUTIME_ID }>>(
        "thread_cputime",
        "clock_gettime(CLOCK_THREAD_CPUTIME_ID): processor time of the thread",
        "clock_gettime(2)",
    )
};
