//! The time stamp counter of x86 behind a fence.

use std::io;

use crate::clock::counter;
use crate::clock::job::{ClockJob, reading};
use crate::clock::time_source::{Tells, TimeSource};
use crate::contract::Technique;

pub(super) const LFENCE_RDTSC: Technique<ClockJob> = Technique {
    calls: &["!clock_gettime"],
    needs: "an x86-64 processor",
    probe: |_, _| counter::availability(false),
    ..reading::<LfenceRdtsc>(
        "lfence_rdtsc",
        "the time stamp counter behind a fence: read when all before it is done",
        "Intel, How to Benchmark Code Execution Times (Paoloni, 2010)",
    )
};

struct LfenceRdtsc;

impl TimeSource for LfenceRdtsc {
    type Reading = u64;
    const EMPTY: u64 = 0;
    const TELLS: Tells = Tells::Counter;

    fn open() -> io::Result<Self> {
        counter::required(false).map(|()| Self)
    }

    #[inline(always)]
    fn read(&self, place: &mut u64) {
        *place = counter::lfence_rdtsc();
    }

    #[inline(always)]
    fn number(&self, reading: &u64) -> u64 {
        *reading
    }

    fn unit_ns(&self) -> Option<f64> {
        None
    }
}
