//! The loop and the other work without a clock: what no clock can be cheaper than.

use std::io;

use crate::clock::job::{ClockJob, reading};
use crate::clock::time_source::{Tells, TimeSource};
use crate::contract::Technique;

pub(super) const NO_CLOCK: Technique<ClockJob> = Technique {
    calls: &["!clock_gettime"],
    ceiling: true,
    ..reading::<NoClock>(
        "no_clock",
        "nothing is read: the loop and the other work alone",
        "a limit of this tool",
    )
};

struct NoClock;

impl TimeSource for NoClock {
    type Reading = u64;
    const EMPTY: u64 = 0;
    const TELLS: Tells = Tells::Counter;

    fn open() -> io::Result<Self> {
        Ok(Self)
    }

    #[inline(always)]
    fn read(&self, place: &mut u64) {
        // A volatile write is never left out, as no reading of a clock is.
        // SAFETY: the place is valid and ours alone.
        unsafe { std::ptr::from_mut(place).write_volatile(1) };
    }

    #[inline(always)]
    fn number(&self, reading: &u64) -> u64 {
        *reading
    }
}
