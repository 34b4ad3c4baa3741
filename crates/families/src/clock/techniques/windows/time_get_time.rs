//! Milliseconds since boot, as multimedia programs ask for them.

use std::io;

use model::Availability;

use crate::clock::job::{ClockJob, coarse};
use crate::clock::time_source::{Tells, TimeSource};
use crate::clock::windows::functions::found;
use crate::contract::Technique;

pub(in crate::clock) const TIME_GET_TIME: Technique<ClockJob> = Technique {
    needs: "Windows with winmm.dll",
    probe: |_, _| match TimeGetTime::open() {
        Ok(_) => Availability::Ready,
        Err(missing) => Availability::Missing(missing.to_string()),
    },
    ..coarse::<TimeGetTime>(
        "time_get_time",
        "timeGetTime: milliseconds since boot; back at 0 after 49.7 days",
        "timeGetTime",
    )
};

/// Looked up when it is needed: `winmm.dll` loads a dozen others, and every process would wait for them.
struct TimeGetTime {
    function: unsafe extern "system" fn() -> u32,
}

impl TimeSource for TimeGetTime {
    type Reading = u32;
    const EMPTY: u32 = 0;
    const TELLS: Tells = Tells::Counter;

    fn open() -> io::Result<Self> {
        let function = found(c"winmm.dll", c"timeGetTime")?;
        // SAFETY: the function of this name takes nothing and gives a number of 32 bits.
        let function = unsafe {
            std::mem::transmute::<unsafe extern "system" fn() -> isize, unsafe extern "system" fn() -> u32>(
                function,
            )
        };
        Ok(Self { function })
    }

    #[inline(always)]
    fn read(&self, place: &mut u32) {
        // SAFETY: the call takes nothing and gives a number.
        *place = unsafe { (self.function)() };
    }

    #[inline(always)]
    fn number(&self, reading: &u32) -> u64 {
        u64::from(*reading)
    }

    fn unit_ns(&self) -> Option<f64> {
        Some(1e6)
    }
}
