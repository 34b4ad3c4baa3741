//! Cycles of the process.

use std::io;

use windows_sys::Win32::System::Threading::GetCurrentProcess;
use windows_sys::Win32::System::WindowsProgramming::QueryProcessCycleTime;

use crate::clock::job::{ClockJob, reading};
use crate::clock::time_source::{Tells, TimeSource};
use crate::contract::Technique;

pub(in crate::clock) const QUERY_PROCESS_CYCLE_TIME: Technique<ClockJob> = reading::<ProcessCycles>(
    "query_process_cycle_time",
    "QueryProcessCycleTime: cycles that the process has used",
    "QueryProcessCycleTime",
);

struct ProcessCycles;

impl TimeSource for ProcessCycles {
    type Reading = u64;
    const EMPTY: u64 = 0;
    const TELLS: Tells = Tells::ProcessTime;

    fn open() -> io::Result<Self> {
        Ok(Self)
    }

    #[inline(always)]
    fn read(&self, place: &mut u64) {
        // SAFETY: `place` is a valid place for the answer; the handle stands for the calling process.
        unsafe { QueryProcessCycleTime(GetCurrentProcess(), place) };
    }

    #[inline(always)]
    fn number(&self, reading: &u64) -> u64 {
        *reading
    }

    fn unit_ns(&self) -> Option<f64> {
        None
    }
}
