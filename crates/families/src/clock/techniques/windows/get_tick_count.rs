//! Milliseconds since boot, in 32 bits.

use std::io;

use windows_sys::Win32::System::SystemInformation::GetTickCount;

use crate::clock::job::{ClockJob, coarse};
use crate::clock::time_source::{Tells, TimeSource};
use crate::clock::windows::functions::tick_ns;
use crate::contract::Technique;

pub(in crate::clock) const GET_TICK_COUNT: Technique<ClockJob> = Technique {
    alias: &["GetTickCount"],
    ..coarse::<GetTicks>(
        "get_tick_count",
        "GetTickCount: milliseconds since boot at the last tick; back at 0 after 49.7 days",
        "Microsoft, GetTickCount function (sysinfoapi.h)",
    )
};

struct GetTicks;

impl TimeSource for GetTicks {
    type Reading = u32;
    const EMPTY: u32 = 0;
    const TELLS: Tells = Tells::Counter;

    fn open() -> io::Result<Self> {
        Ok(Self)
    }

    #[inline(always)]
    fn read(&self, place: &mut u32) {
        // SAFETY: the call takes nothing and gives a number.
        *place = unsafe { GetTickCount() };
    }

    #[inline(always)]
    fn number(&self, reading: &u32) -> u64 {
        u64::from(*reading)
    }

    fn unit_ns(&self) -> Option<f64> {
        Some(1e6)
    }

    fn stated_resolution_ns(&self) -> Option<f64> {
        tick_ns()
    }
}
