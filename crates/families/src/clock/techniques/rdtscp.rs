//! The time stamp counter of x86 by the instruction that waits.

use std::io;

use crate::clock::counter;
use crate::clock::job::{ClockJob, reading};
use crate::clock::time_source::{Tells, TimeSource};
use crate::contract::Technique;

pub(super) const RDTSCP: Technique<ClockJob> = Technique {
    calls: &["!clock_gettime"],
    needs: "an x86-64 processor with rdtscp",
    probe: |_, _| counter::availability(true),
    ..reading::<Rdtscp>(
        "rdtscp",
        "the time stamp counter with the processor's number, read when all before it is done",
        "Intel, Software Developer's Manual, volume 2, RDTSCP",
    )
};

struct Rdtscp;

impl TimeSource for Rdtscp {
    type Reading = u64;
    const EMPTY: u64 = 0;
    const TELLS: Tells = Tells::Counter;

    fn open() -> io::Result<Self> {
        counter::required(true).map(|()| Self)
    }

    #[inline(always)]
    fn read(&self, place: &mut u64) {
        *place = counter::rdtscp();
    }

    #[inline(always)]
    fn number(&self, reading: &u64) -> u64 {
        *reading
    }

    fn unit_ns(&self) -> Option<f64> {
        None
    }
}
