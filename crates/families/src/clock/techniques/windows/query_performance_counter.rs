//! The clock that Windows recommends for intervals.

use std::io;

use windows_sys::Win32::System::Performance::QueryPerformanceCounter;

use crate::clock::job::{ClockJob, reading};
use crate::clock::time_source::{Tells, TimeSource};
use crate::clock::windows::functions::performance_unit_ns;
use crate::contract::Technique;

pub(in crate::clock) const QUERY_PERFORMANCE_COUNTER: Technique<ClockJob> = Technique {
    alias: &["QueryPerformanceCounter"],
    ..reading::<QueryPerformance>(
        "query_performance_counter",
        "QueryPerformanceCounter: ticks since boot, usually of 100 ns",
        "Bradford, High-performance programming techniques on Linux and Windows 2000, part 1 (developerWorks, 2001)",
    )
};

struct QueryPerformance;

impl TimeSource for QueryPerformance {
    type Reading = i64;
    const EMPTY: i64 = 0;
    const TELLS: Tells = Tells::ElapsedTime;

    fn open() -> io::Result<Self> {
        Ok(Self)
    }

    #[inline(always)]
    fn read(&self, place: &mut i64) {
        // SAFETY: `place` is a valid place for the answer.
        unsafe { QueryPerformanceCounter(place) };
    }

    #[inline(always)]
    fn number(&self, reading: &i64) -> u64 {
        *reading as u64
    }

    fn unit_ns(&self) -> Option<f64> {
        performance_unit_ns()
    }

    fn stated_resolution_ns(&self) -> Option<f64> {
        performance_unit_ns()
    }
}
