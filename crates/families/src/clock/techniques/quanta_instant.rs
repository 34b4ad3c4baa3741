//! A clock that scales the processor's counter itself.

use std::io;

use quanta::Instant;

use crate::clock::job::{ClockJob, reading};
use crate::clock::time_source::{Tells, TimeSource};
use crate::contract::Technique;

pub(super) const QUANTA_INSTANT: Technique<ClockJob> = Technique {
    calls: &["only clock_gettime"],
    ..reading::<QuantaInstant>(
        "quanta",
        "the processor's counter, scaled to nanoseconds by a calibration at the first use (not timed)",
        "the crate quanta",
    )
};

struct QuantaInstant {
    begin: Instant,
}

impl TimeSource for QuantaInstant {
    type Reading = Option<Instant>;
    const EMPTY: Option<Instant> = None;
    const TELLS: Tells = Tells::ElapsedTime;

    /// The first reading of a process calibrates, for up to a fifth of a second.
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
