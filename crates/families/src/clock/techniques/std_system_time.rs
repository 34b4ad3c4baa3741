//! The time of day of Rust's standard library.

use std::io;
use std::time::SystemTime;

use crate::clock::job::{ClockJob, reading};
use crate::clock::time_source::{Tells, TimeSource};
use crate::contract::Technique;

pub(super) const STD_SYSTEM_TIME: Technique<ClockJob> = Technique {
    calls: &["only clock_gettime"],
    ..reading::<StdSystemTime>(
        "std_system_time",
        "std::time::SystemTime: CLOCK_REALTIME, or GetSystemTimePreciseAsFileTime",
        "Rust's standard library",
    )
};

struct StdSystemTime;

impl TimeSource for StdSystemTime {
    type Reading = Option<SystemTime>;
    const EMPTY: Option<SystemTime> = None;
    const TELLS: Tells = Tells::TimeOfDay;

    fn open() -> io::Result<Self> {
        Ok(Self)
    }

    #[inline(always)]
    fn read(&self, place: &mut Option<SystemTime>) {
        *place = Some(SystemTime::now());
    }

    #[inline(always)]
    fn number(&self, reading: &Option<SystemTime>) -> u64 {
        let since = reading.and_then(|reading| reading.duration_since(SystemTime::UNIX_EPOCH).ok());
        since.map_or(0, |since| since.as_nanos() as u64)
    }
}
