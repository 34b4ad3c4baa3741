//! The time stamp counter of x86, in the order that the processor likes.

use std::io;

use crate::clock::counter;
use crate::clock::job::{ClockJob, reading};
use crate::clock::time_source::{Tells, TimeSource};
use crate::contract::Technique;

pub(super) const RDTSC: Technique<ClockJob> = Technique {
    calls: &["!clock_gettime"],
    needs: "an x86-64 processor",
    probe: |_, _| counter::availability(false),
    ..reading::<Rdtsc>(
        "rdtsc",
        "the time stamp counter, which the processor may read before or after the instructions around it",
        "Intel, Software Developer's Manual, volume 2, RDTSC",
    )
};

struct Rdtsc;

impl TimeSource for Rdtsc {
    type Reading = u64;
    const EMPTY: u64 = 0;
    const TELLS: Tells = Tells::Counter;

    fn open() -> io::Result<Self> {
        counter::required(false).map(|()| Self)
    }

    #[inline(always)]
    fn read(&self, place: &mut u64) {
        *place = counter::rdtsc();
    }

    #[inline(always)]
    fn number(&self, reading: &u64) -> u64 {
        *reading
    }

    fn unit_ns(&self) -> Option<f64> {
        None
    }
}
