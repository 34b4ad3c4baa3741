//! The clock of Rust's standard library.

use std::io;
use std::time::Instant;

use crate::clock::job::{ClockJob, reading};
use crate::clock::time_source::{Tells, TimeSource};
use crate::contract::Technique;

pub(super) const STD_INSTANT: Technique<ClockJob> = Technique {
    calls: &["only clock_gettime"],
    ..reading::<StdInstant>(
        "std_instant",
        "std::time::Instant: CLOCK_MONOTONIC, or the performance counter of Windows",
        "Rust's standard library",
    )
};

struct StdInstant {
    begin: Instant,
}

impl TimeSource for StdInstant {
    type Reading = Option<Instant>;
    const EMPTY: Option<Instant> = None;
    const TELLS: Tells = Tells::ElapsedTime;

    fn open() -> io::Result<Self> {
        Ok(Self { begin: Instant::now() })
    }

    #[inline(always)]
    fn read(&self, place: &mut Option<Instant>) {
        *place = Some(Instant::now());
    }

    #[inline(always)]
    fn number(&self, reading: &Option<Instant>) -> u64 {
        reading.map_or(0, |reading| reading.duration_since(self.begin).as_nanos() as u64)
    }
}
