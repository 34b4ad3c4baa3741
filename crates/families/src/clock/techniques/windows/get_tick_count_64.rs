//! Milliseconds since boot.

use std::io;

use windows_sys::Win32::System::SystemInformation::GetTickCount64;

use crate::clock::job::{ClockJob, coarse};
use crate::clock::time_source::{Tells, TimeSource};
use crate::clock::windows::functions::tick_ns;
use crate::contract::Technique;

pub(in crate::clock) const GET_TICK_COUNT_64: Technique<ClockJob> = coarse::<GetTicks64>(
    "get_tick_count_64",
    "GetTickCount64: milliseconds since boot at the last tick",
    "GetTickCount64",
);

struct GetTicks64;

impl TimeSource for GetTicks64 {
    type Reading = u64;
    const EMPTY: u64 = 0;
    const TELLS: Tells = Tells::ElapsedTime;

    fn open() -> io::Result<Self> {
        Ok(Self)
    }

    #[inline(always)]
    fn read(&self, place: &mut u64) {
        // SAFETY: the call takes nothing and gives a number.
        *place = unsafe { GetTickCount64() };
    }

    #[inline(always)]
    fn number(&self, reading: &u64) -> u64 {
        *reading
    }

    fn unit_ns(&self) -> Option<f64> {
        Some(1e6)
    }

    fn stated_resolution_ns(&self) -> Option<f64> {
        tick_ns()
    }
}
