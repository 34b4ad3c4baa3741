//! The time since boot without sleep, at the last tick.

use std::io;

use windows_sys::Win32::System::WindowsProgramming::QueryUnbiasedInterruptTime;

use crate::clock::job::{ClockJob, coarse};
use crate::clock::time_source::{Tells, TimeSource};
use crate::clock::windows::functions::{HUNDRED_NS, tick_ns};
use crate::contract::Technique;

pub(in crate::clock) const QUERY_UNBIASED_INTERRUPT_TIME: Technique<ClockJob> = coarse::<UnbiasedInterruptTime>(
    "query_unbiased_interrupt_time",
    "QueryUnbiasedInterruptTime: the time since boot without sleep, at the last tick",
    "QueryUnbiasedInterruptTime",
);

struct UnbiasedInterruptTime;

impl TimeSource for UnbiasedInterruptTime {
    type Reading = u64;
    const EMPTY: u64 = 0;
    const TELLS: Tells = Tells::ElapsedTime;

    fn open() -> io::Result<Self> {
        Ok(Self)
    }

    #[inline(always)]
    fn read(&self, place: &mut u64) {
        // SAFETY: `place` is a valid place for the answer.
        unsafe { QueryUnbiasedInterruptTime(place) };
    }

    #[inline(always)]
    fn number(&self, reading: &u64) -> u64 {
        *reading
    }

    fn unit_ns(&self) -> Option<f64> {
        Some(HUNDRED_NS)
    }

    fn stated_resolution_ns(&self) -> Option<f64> {
        tick_ns()
    }
}
