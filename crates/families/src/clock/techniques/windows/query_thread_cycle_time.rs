//! Cycles of the calling thread.

use std::io;

use windows_sys::Win32::System::Threading::GetCurrentThread;
use windows_sys::Win32::System::WindowsProgramming::QueryThreadCycleTime;

use crate::clock::job::{ClockJob, reading};
use crate::clock::time_source::{Tells, TimeSource};
use crate::contract::Technique;

pub(in crate::clock) const QUERY_THREAD_CYCLE_TIME: Technique<ClockJob> = reading::<ThreadCycles>(
    "query_thread_cycle_time",
    "QueryThreadCycleTime: cycles that the thread has used",
    "QueryThreadCycleTime",
);

struct ThreadCycles;

impl TimeSource for ThreadCycles {
    type Reading = u64;
    const EMPTY: u64 = 0;
    const TELLS: Tells = Tells::ThreadTime;

    fn open() -> io::Result<Self> {
        Ok(Self)
    }

    #[inline(always)]
    fn read(&self, place: &mut u64) {
        // SAFETY: `place` is a valid place for the answer; the handle stands for the calling thread.
        unsafe { QueryThreadCycleTime(GetCurrentThread(), place) };
    }

    #[inline(always)]
    fn number(&self, reading: &u64) -> u64 {
        *reading
    }

    fn unit_ns(&self) -> Option<f64> {
        None
    }
}
